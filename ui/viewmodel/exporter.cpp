#include "ui/viewmodel/exporter.h"

#include "app/typeset/formula_drawer.h"

#include <QLocale>
#include <QPointer>
#include <QStandardPaths>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace perilune::ui {
namespace {

constexpr std::chrono::milliseconds kBetweenSteps{100};

PublishOptions optionsOf(const QVariantMap &choices)
{
    PublishOptions options;
    options.format =
        formatFromName(choices.value("format").toString().toStdString()).value_or(ExportFormat::Markdown);
    options.choices.allBranches = choices.value("allBranches").toBool();
    options.choices.thinking = choices.value("thinking").toBool();
    options.choices.toolCalls = choices.value("toolCalls", true).toBool();
    options.choices.statistics = choices.value("statistics").toBool();
    return options;
}

Result<std::vector<ConversationId>> chatsIn(ConversationStore &store, const std::string &folder)
{
    const Result<std::vector<ConversationRow>> rows = store.list();
    const Result<std::vector<FolderRow>> folders = store.folders();
    if (!rows)
        return rows.error();
    if (!folders)
        return folders.error();
    const auto found = std::ranges::find(*folders, folder, &FolderRow::name);
    std::vector<ConversationId> ids;
    for (const ConversationRow &row : *rows) {
        if (folder.empty() || (found != folders->end() && row.folder == found->id))
            ids.push_back(row.id);
    }
    return ids;
}

} // namespace

struct Exporter::Run {
    std::vector<ConversationId> ids;
    std::size_t at = 0;          ///< which of them is written now
    std::filesystem::path place; ///< a file, or with `many` the folder
    bool many = false;
    std::size_t failed = 0;
    PublishOptions options;
    std::stop_source stop;
    std::atomic<std::chrono::steady_clock::time_point::rep> shown = 0; ///< when progress was shown last
};

Exporter::Exporter(StoreThread &store, QObject *parent)
    : QObject(parent),
      m_store(store),
      m_worker(std::make_unique<Worker>())
{
}

Exporter::~Exporter()
{
    if (m_run)
        m_run->stop.request_stop();
}

QUrl Exporter::suggestedFile(const QString &title, const QString &format) const
{
    ConversationRow row;
    row.title = title.toStdString();
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QUrl::fromLocalFile(folder + '/' +
                               QString::fromStdString(fileNameFor(row, endingOf(format).toStdString())));
}

QString Exporter::endingOf(const QString &format) const
{
    return QString::fromLatin1(
        fileEnding(formatFromName(format.toStdString()).value_or(ExportFormat::Markdown)));
}

void Exporter::exportChat(qint64 conversation, const QUrl &file, const QVariantMap &choices)
{
    auto run = std::make_shared<Run>();
    run->ids = {conversation};
    run->place = file.toLocalFile().toStdString();
    run->options = optionsOf(choices);
    if (run->place.extension().empty())
        run->place += fileEnding(run->options.format);
    begin(std::move(run));
}

void Exporter::exportFolder(const QString &folder, const QUrl &place, const QVariantMap &choices)
{
    auto run = std::make_shared<Run>();
    run->many = true;
    run->place = place.toLocalFile().toStdString();
    run->options = optionsOf(choices);
    if (m_run)
        return;
    m_run = run;
    m_store.ask([name = folder.toStdString()](ConversationStore &store) { return chatsIn(store, name); },
                [self = QPointer(this), run](Result<std::vector<ConversationId>> ids) {
                    if (!self)
                        return;
                    self->m_run.reset();
                    if (!ids) {
                        emit self->noted(QString::fromStdString(ids.error().message));
                        return;
                    }
                    run->ids = std::move(*ids);
                    self->begin(run);
                });
}

void Exporter::begin(std::shared_ptr<Run> run)
{
    if (m_run)
        return;
    m_run = std::move(run);
    m_run->options.stop = m_run->stop.get_token();
    m_status = tr("Reading…");
    m_progress = 0;
    emit changed();
    next(m_run);
}

void Exporter::stop()
{
    if (m_run)
        m_run->stop.request_stop();
}

void Exporter::next(const std::shared_ptr<Run> &run)
{
    if (run->stop.stop_requested()) {
        end(tr("The export was stopped; %n chats are written.", nullptr,
               static_cast<int>(run->at - run->failed)));
        return;
    }
    if (run->at == run->ids.size()) {
        const QString place = QString::fromStdString(run->place.string());
        const auto done = static_cast<int>(run->ids.size() - run->failed);
        if (run->many)
            end(tr("%n chats are in %1.", nullptr, done).arg(place));
        else
            end(done == 1 ? tr("The chat is in %1.").arg(place) : QString());
        return;
    }
    m_store.ask([id = run->ids[run->at]](ConversationStore &store) { return loadChat(store, id); },
                [self = QPointer(this), run](Result<ChatToPublish> chat) {
                    if (!self)
                        return;
                    if (chat)
                        self->write(run, std::move(*chat));
                    else
                        self->written(run, std::move(chat).error());
                });
}

void Exporter::write(const std::shared_ptr<Run> &run, ChatToPublish chat)
{
    PublishOptions options = run->options;
    options.progress = [self = QPointer(this), run, post = m_store.post()](std::size_t done,
                                                                           std::size_t all) {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        const auto least = std::chrono::steady_clock::duration(kBetweenSteps).count();
        if (now - run->shown < least)
            return;
        run->shown = now;
        post(
            [self, run, done, all] {
                if (self)
                    self->show(run, done, all);
            },
            {});
    };
    m_worker->post([self = QPointer(this), run, post = m_store.post(), options = std::move(options),
                    chat = std::make_shared<ChatToPublish>(std::move(chat))]() mutable {
        options.formula = formulaDrawer(options.stop); // of this thread
        const std::filesystem::path place =
            run->many ? freePlace(run->place, chat->conversation.row, options.format) : run->place;
        auto published = std::make_shared<Result<Published>>(
            Error{ErrorCode::OutOfMemory, "there is not enough memory to write this chat"});
        try { // what escaped would leave the export unfinished for ever
            *published = publishChat(*chat, options, place);
        } catch (const std::bad_alloc &) {
            qWarning("out of memory while exporting");
        } catch (const std::exception &fault) {
            *published = Error{ErrorCode::Io, fault.what()};
        }
        post(
            [self, run, published] {
                if (self)
                    self->written(run, *published);
            },
            {});
    });
}

void Exporter::written(const std::shared_ptr<Run> &run, const Result<Published> &published)
{
    if (published) {
        for (const std::string &note : published->notes)
            emit noted(QString::fromStdString(note));
    } else if (published.error().code != ErrorCode::Cancelled) {
        ++run->failed;
        emit noted(QString::fromStdString(published.error().message));
        if (published.error().code == ErrorCode::NoSpace) { // it would be no better with the next
            end({});
            return;
        }
    }
    if (published || published.error().code != ErrorCode::Cancelled)
        ++run->at;
    next(run);
}

void Exporter::show(const std::shared_ptr<Run> &run, std::size_t done, std::size_t all)
{
    if (m_run != run || all == 0)
        return;
    const QLocale locale;
    const QString message =
        tr("message %1 of %2").arg(locale.toString(qulonglong(done)), locale.toString(qulonglong(all)));
    m_status = run->ids.size() == 1 ? tr("Exporting: %1").arg(message)
                                    : tr("Exporting chat %1 of %2: %3")
                                          .arg(locale.toString(qulonglong{run->at} + 1),
                                               locale.toString(qulonglong(run->ids.size())), message);
    m_progress = (static_cast<double>(run->at) + static_cast<double>(done) / static_cast<double>(all)) /
                 static_cast<double>(run->ids.size());
    emit changed();
}

void Exporter::end(const QString &sentence)
{
    m_run.reset();
    m_status.clear();
    m_progress = 0;
    emit changed();
    if (!sentence.isEmpty())
        emit finished(sentence);
}

} // namespace perilune::ui
