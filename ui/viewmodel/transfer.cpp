#include "ui/viewmodel/transfer.h"

#include "app/publish/import_file.h"

#include <QDateTime>
#include <QLocale>
#include <QPointer>

#include <chrono>
#include <exception>
#include <stop_token>
#include <utility>

namespace perilune::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenSteps{100};

fs::path pathOf(const QUrl &url)
{
    return url.toLocalFile().toStdString();
}

} // namespace

/// One import, backup or restoring. What it says of itself is of its worker until it ends.
struct Transfer::Run {
    fs::path dataFolder;
    std::stop_source stop;
    std::function<void(const QString &status, double progress)> show;

    QString summary;
    QVariantList results;
    bool chatsCame = false, noSpace = false;
    std::chrono::steady_clock::time_point shown{};

    bool stopped() const { return stop.get_token().stop_requested(); }

    void tell(const QString &status, std::uint64_t done, std::uint64_t all)
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - shown < kBetweenSteps)
            return;
        shown = now;
        show(status, all > 0 ? static_cast<double>(done) / static_cast<double>(all) : -1);
    }

    void add(const QString &name, const char *outcome, const QString &sentence = {})
    {
        results += QVariantMap{
            {"name",     name                        },
            {"outcome",  QString::fromLatin1(outcome)},
            {"sentence", sentence                    }
        };
    }
    /// Whether it is no use to go on.
    bool fail(const QString &name, const Error &error)
    {
        noSpace = noSpace || error.code == ErrorCode::NoSpace;
        if (error.code != ErrorCode::Cancelled)
            add(name, "failed", QString::fromStdString(error.message));
        return noSpace || error.code == ErrorCode::Cancelled;
    }
    int count(const char *outcome) const
    {
        return static_cast<int>(std::ranges::count_if(results, [outcome](const QVariant &result) {
            return result.toMap().value("outcome").toString() == QLatin1String(outcome);
        }));
    }
    QString counts() const
    {
        const QLocale locale;
        const int added = count("done");
        QStringList parts{added == 1 ? Transfer::tr("One chat was added.")
                                     : Transfer::tr("%1 chats were added.").arg(locale.toString(added))};
        if (const int same = count("same"))
            parts += Transfer::tr("Here already: %1.").arg(locale.toString(same));
        if (const int failed = count("failed"))
            parts += Transfer::tr("Not added: %1.").arg(locale.toString(failed));
        if (stopped())
            parts += Transfer::tr("It was stopped; the rest was left out.");
        return parts.join(' ');
    }

    BackupStep step(const QString &status)
    {
        return [this, status](std::uint64_t done, std::uint64_t all) -> Status {
            tell(status, done, all);
            if (stopped())
                return Error{ErrorCode::Cancelled, "stopped"};
            return Done{};
        };
    }

    void import(const std::vector<std::string> &named);
    void backUp(const fs::path &place);
    void restore(const fs::path &backup);
    void takeOver(ConversationStore &store, ConversationStore &from);
};

void Transfer::Run::import(const std::vector<std::string> &named)
{
    const QLocale locale;
    const Result<std::unique_ptr<ConversationStore>> store = ConversationStore::open(dataFolder);
    if (!store) {
        summary = QString::fromStdString(store.error().message);
        return;
    }
    const std::vector<std::string> files = importableFiles(named);
    for (std::size_t at = 0; at < files.size() && !stopped(); ++at) {
        tell(Transfer::tr("Importing file %1 of %2")
                 .arg(locale.toString(qulonglong(at + 1)), locale.toString(qulonglong(files.size()))),
             at, files.size());
        const Result<ImportedFile> imported = importFile(**store, files[at]);
        const QString name = QString::fromStdString(fs::path(files[at]).filename().string());
        if (imported)
            add(imported->title.empty() ? name : QString::fromStdString(imported->title), "done",
                QString::fromStdString(imported->note));
        else if (fail(name, imported.error()))
            break;
    }
    chatsCame = count("done") > 0;
    summary = files.empty() ? Transfer::tr("There is no exported chat (a .json file) in it.") : counts();
}

void Transfer::Run::backUp(const fs::path &place)
{
    const Result<std::unique_ptr<ConversationStore>> store = ConversationStore::open(dataFolder);
    if (!store) {
        summary = QString::fromStdString(store.error().message);
        return;
    }
    const QString name = "Perilune " + QDateTime::currentDateTime().toString("yyyy-MM-dd HH.mm.ss");
    const fs::path folder = place / name.toStdString();
    const QString shownFolder = QString::fromStdString(folder.string());
    const Result<BackupReport> report =
        (*store)->backup(folder, step(Transfer::tr("Copying pictures and clips…")));
    if (!report) {
        std::error_code ignored;
        fs::remove_all(folder, ignored); // half a backup would be taken for one
        summary = stopped() ? Transfer::tr("The backup was stopped; nothing is left of it.")
                            : QString::fromStdString(report.error().message);
        noSpace = false; // that disk need not be ours
        return;
    }
    for (const std::string &fault : report->faults)
        add({}, "failed", QString::fromStdString(fault));
    const QLocale locale;
    summary = Transfer::tr("All is copied to %4 – chats: %1, messages: %2, pictures and clips: %3.")
                  .arg(locale.toString(qulonglong(report->conversations)),
                       locale.toString(qulonglong(report->messages)),
                       locale.toString(qulonglong(report->media)), shownFolder);
}

void Transfer::Run::restore(const fs::path &backup)
{
    const Result<std::unique_ptr<ConversationStore>> store = ConversationStore::open(dataFolder);
    if (!store) {
        summary = QString::fromStdString(store.error().message);
        return;
    }
    // Beside the others first: so the backup is checked before, and never changed.
    const fs::path aside = dataFolder / "restoring";
    std::error_code ignored;
    fs::remove_all(aside, ignored);
    const Result<BackupReport> copied =
        restoreBackup(backup, aside, step(Transfer::tr("Reading the backup…")));
    if (copied) {
        for (const std::string &fault : copied->faults)
            add({}, "failed", QString::fromStdString(fault));
        const Result<std::unique_ptr<ConversationStore>> from = ConversationStore::open(aside);
        if (from)
            takeOver(**store, **from);
        else
            summary = QString::fromStdString(from.error().message);
    } else {
        noSpace = copied.error().code == ErrorCode::NoSpace;
        summary = stopped() ? Transfer::tr("It was stopped before anything was added.")
                            : QString::fromStdString(copied.error().message);
    }
    fs::remove_all(aside, ignored);
}

void Transfer::Run::takeOver(ConversationStore &store, ConversationStore &from)
{
    const QLocale locale;
    const Result<std::vector<ConversationRow>> rows = from.list();
    if (!rows) {
        summary = QString::fromStdString(rows.error().message);
        return;
    }
    std::size_t at = 0;
    for (const ConversationRow &row : *rows) {
        if (stopped())
            break;
        tell(Transfer::tr("Restoring chat %1 of %2")
                 .arg(locale.toString(qulonglong(at + 1)), locale.toString(qulonglong(rows->size()))),
             at, rows->size());
        ++at;
        const QString name = row.title.empty() ? Transfer::tr("New chat") : QString::fromStdString(row.title);
        const Result<ConversationId> added = store.takeOver(from, row.id);
        if (added)
            add(name, *added == 0 ? "same" : "done");
        else if (fail(name, added.error()))
            break;
    }
    chatsCame = count("done") > 0;
    summary = counts();
}

Transfer::Transfer(fs::path dataFolder, Post post, QObject *parent)
    : QObject(parent),
      m_dataFolder(std::move(dataFolder)),
      m_post(std::move(post)),
      m_worker(std::make_unique<Worker>())
{
}

Transfer::~Transfer()
{
    stop();
}

void Transfer::importFiles(const QList<QUrl> &files)
{
    std::vector<std::string> named;
    for (const QUrl &file : files)
        named.push_back(file.toLocalFile().toStdString());
    begin([named](Run &run) { run.import(named); }, tr("Importing…"));
}

void Transfer::backUp(const QUrl &place)
{
    begin([folder = pathOf(place)](Run &run) { run.backUp(folder); }, tr("Backing up…"));
}

void Transfer::restore(const QUrl &backup)
{
    begin([folder = pathOf(backup)](Run &run) { run.restore(folder); }, tr("Reading the backup…"));
}

void Transfer::stop()
{
    if (m_run)
        m_run->stop.request_stop();
}

void Transfer::begin(Work work, const QString &status)
{
    if (m_run)
        return;
    m_run = std::make_shared<Run>();
    m_run->dataFolder = m_dataFolder;
    m_run->show = [self = QPointer(this), weak = std::weak_ptr(m_run), post = m_post](const QString &words,
                                                                                      double progress) {
        post(
            [self, weak, words, progress] {
                if (const auto run = weak.lock(); self && run)
                    self->show(run, words, progress);
            },
            {});
    };
    m_status = status;
    m_summary.clear();
    m_results.clear();
    m_progress = -1;
    emit changed();
    m_worker->post([self = QPointer(this), run = m_run, work = std::move(work), post = m_post] {
        try { // what escaped would leave it unfinished for ever
            work(*run);
        } catch (const std::exception &fault) {
            run->summary = QString::fromUtf8(fault.what());
        }
        post(
            [self, run] {
                if (self)
                    self->end(run);
            },
            {});
    });
}

void Transfer::show(const std::shared_ptr<Run> &run, const QString &status, double progress)
{
    if (m_run != run)
        return;
    m_status = status;
    m_progress = progress;
    emit changed();
}

void Transfer::end(const std::shared_ptr<Run> &run)
{
    m_run.reset();
    m_status.clear();
    m_progress = -1;
    m_summary = run->summary;
    m_results = run->results;
    emit changed();
    if (run->noSpace)
        emit diskFull();
    if (run->chatsCame)
        emit chatsCame();
    emit finished();
}

} // namespace perilune::ui
