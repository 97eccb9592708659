#include "ui/viewmodel/composer.h"

#include "engine/base/shown_name.h"

#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QStandardPaths>
#include <QTemporaryFile>

#include <algorithm>
#include <chrono>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::chrono::milliseconds kSaveDelay{400};
constexpr std::chrono::milliseconds kTidyDelay{5000}; // the window comes first
constexpr int kDaysPasted = 7;                        // until what no draft has goes

/// A folder for files that have no home yet; the store copies them once they are sent.
QDir cacheFolder(const char *name)
{
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + '/' + name);
    folder.mkpath(QStringLiteral("."));
    return folder;
}

QString shown(const QString &name)
{
    return QString::fromStdString(shownName(name.toStdString()));
}

/// Whether the clipboard has words besides the addresses of what else it has: browsers give the picture,
/// where it is from, and that address as text.
bool hasWords(const QMimeData &clipboard)
{
    if (!clipboard.hasFormat(QStringLiteral("text/plain")))
        return false;
    const QString words = clipboard.text().trimmed();
    return !words.isEmpty() && std::ranges::none_of(clipboard.urls(), [&words](const QUrl &url) {
        return words == url.toString() || words == QString::fromUtf8(url.toEncoded());
    });
}

} // namespace

Composer::Composer(Services services, QObject *parent)
    : QObject(parent),
      m_services(std::move(services)),
      m_attachments(m_services.attach)
{
    m_saveTimer.setSingleShot(true);
    m_saveTimer.setInterval(kSaveDelay);
    connect(&m_saveTimer, &QTimer::timeout, this, [this] {
        if (!m_coming) // else it is saved together with what comes
            flush();
    });
    connect(&m_attachments, &AttachmentModel::changed, this, &Composer::changed);
    connect(&m_attachments, &AttachmentModel::refused, this, &Composer::refused);
    connect(&m_attachments, &AttachmentModel::removed, this,
            [this](const MediaPart &part) { forgetPasted(part); });
    QTimer::singleShot(kTidyDelay, this, &Composer::tidyPasted);
}

Composer::~Composer()
{
    flush();
    for (const auto &[conversation, draft] : m_newest)
        save(conversation, draft);
    for (const auto &[conversation, draft] : m_stuck) {
        m_services.storeOf(conversation).run([id = conversation, draft = draft](ConversationStore &store) {
            (void)keepInDraft(store, id, draft, Place::Before);
        });
    }
}

void Composer::setText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    emit textChanged();
    changed();
}

bool Composer::ready() const
{
    const bool something = !m_text.trimmed().isEmpty() || m_attachments.count() > 0;
    return something && m_visit->pasting == 0 && !m_attachments.reading() && !m_attachments.anyFailed();
}

void Composer::saveSoon()
{
    // Not put off by further keys: who types without a pause would never have a draft.
    if (!m_saveTimer.isActive())
        m_saveTimer.start();
}

void Composer::changed()
{
    if (!m_loading) {
        m_unsaved = true;
        saveSoon();
    }
    tellReady();
}

void Composer::tellReady()
{
    if (std::exchange(m_wasReady, ready()) != m_wasReady)
        emit readyChanged();
}

void Composer::addFiles(const QList<QUrl> &urls)
{
    for (const QUrl &url : urls) {
        if (url.isLocalFile())
            m_attachments.tryFile(url.toLocalFile());
        else
            emit refused(
                tr("Only files of this computer can be attached, not %1.").arg(shown(url.toDisplayString())));
    }
}

bool Composer::pasteMedia()
{
    const QMimeData *clipboard = QGuiApplication::clipboard()->mimeData();
    if (!clipboard)
        return false;
    // What a file manager copied; whatever else stands for it (names, a preview) is not what is meant.
    const QList<QUrl> urls = clipboard->urls();
    if (std::ranges::any_of(urls, &QUrl::isLocalFile)) {
        addFiles(urls);
        return true;
    }
    // A web page's selection has text as well as pictures, and the text is what is meant.
    if (hasWords(*clipboard))
        return false;
    if (!clipboard->hasImage()) {
        const bool onlyAddresses =
            clipboard->hasUrls() && !clipboard->hasFormat(QStringLiteral("text/plain"));
        if (onlyAddresses)
            addFiles(clipboard->urls()); // which says why not
        return onlyAddresses;
    }
    const auto image = qvariant_cast<QImage>(clipboard->imageData());
    const QString name =
        tr("Pasted %1.png").arg(QDateTime::currentDateTime().toString("yyyy-MM-dd HH.mm.ss.zzz"));
    const QString folder = pastedFolder();
    if (image.isNull() || folder.isEmpty()) {
        emit refused(image.isNull() ? tr("The picture of the clipboard could not be read.")
                                    : tr("This system has no place in memory for pictures, so none can be "
                                         "pasted into a temporary chat."));
        return true;
    }
    const QString path = QDir(folder).filePath(name);
    ++m_visit->pasting;
    tellReady();
    const auto written = std::make_shared<bool>(false);
    m_services.inBackground([image, path, written] { *written = image.save(path, "PNG"); },
                            [self = QPointer(this), visit = m_visit, path, written] {
                                if (self)
                                    self->pasted(visit, path, *written);
                            });
    return true;
}

void Composer::pasted(const std::shared_ptr<Visit> &visit, const QString &path, bool written)
{
    --visit->pasting;
    if (!written)
        emit refused(tr("The picture of the clipboard could not be read."));
    else if (visit == m_visit)
        m_attachments.tryFile(path);
    else
        putBack(visit->conversation,
                Message{.role = Role::User,
                        .parts = {MediaPart{.kind = MediaPart::Kind::Image,
                                            .path = path.toStdString(),
                                            .name = QFileInfo(path).fileName().toStdString(),
                                            .patches = nullptr}},
                        .name = {},
                        .toolCallId = {},
                        .roleName = {}});
    tellReady();
}

void Composer::trySample(const QString &file, const QString &question)
{
    m_attachments.clear();
    if (!file.isEmpty()) {
        const QString path = cacheFolder("samples").filePath(file);
        if (!QFile::exists(path) && QFile::copy(QStringLiteral(":/perilune/") + file, path))
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        m_attachments.tryFile(path);
    }
    setText(question);
    emit replaced();
}

bool Composer::handleReturn(bool shift, bool composing)
{
    if (shift || composing)
        return false;
    emit sendRequested();
    return true;
}

void Composer::show(ConversationId conversation)
{
    flush();
    m_conversation = conversation;
    m_visit = std::make_shared<Visit>(Visit{.conversation = conversation});
    load({});
    fetch();
}

void Composer::fetch()
{
    m_coming = std::make_shared<Coming>(Coming{.of = m_conversation});
    store().ask([id = m_conversation](ConversationStore &store) { return store.draft(id); },
                [self = QPointer(this), coming = m_coming](const Result<Draft> &stored) {
                    if (self)
                        self->arrived(coming, stored);
                });
}

void Composer::arrived(const std::shared_ptr<Coming> &coming, const Result<Draft> &stored)
{
    Draft draft = stored ? *stored : Draft();
    const auto newest = m_newest.extract(coming->of);
    if (!newest.empty())
        draft = newest.mapped();
    if (coming != m_coming) { // another draft is in view by now
        if (coming->sent && draft != Draft())
            giveBack(coming->of, draft, Place::Before);
        return;
    }
    m_coming.reset();
    const auto stuck = m_stuck.extract(m_conversation);
    if (!stuck.empty() && !sendsTheSame(stuck.mapped(), draft))
        draft = merged(stuck.mapped(), draft);
    const bool asStored = empty() && !coming->sent && stuck.empty() && newest.empty();
    if (asStored)
        load(draft);
    else if (draft != Draft())
        fill(merged(draft, current()));
    if (m_unsaved)
        saveSoon();
}

void Composer::adopt(ConversationId conversation)
{
    m_conversation = conversation;
    m_visit->conversation = conversation;
    m_unsaved = true;
    flush();
}

void Composer::load(const Draft &draft)
{
    m_loading = true;
    m_attachments.clear();
    for (const MediaPart &part : draft.media) {
        if (QFile::exists(QString::fromStdString(part.path)))
            m_attachments.add(part);
    }
    setText(QString::fromStdString(draft.text));
    emit replaced();
    m_loading = false;
    m_unsaved = false;
    m_saveTimer.stop();
}

void Composer::fill(const Draft &draft)
{
    m_attachments.clear();
    for (const MediaPart &part : draft.media)
        m_attachments.add(part); // one whose file is gone says so
    setText(QString::fromStdString(draft.text));
    emit replaced();
    m_unsaved = true;
    saveSoon();
}

Draft Composer::current() const
{
    Draft draft{.text = m_text.toStdString(), .media = m_attachments.parts()};
    for (MediaPart &part : draft.media)
        part.patches = nullptr; // megabytes that a draft has no use for
    return draft;
}

void Composer::forgetPasted(const MediaPart &part)
{
    const QString path = QString::fromStdString(part.path);
    const QDir folder = QFileInfo(path).dir();
    const QString &temporary = m_services.temporaryFolder;
    if (folder == cacheFolder("pasted") || (!temporary.isEmpty() && folder == QDir(temporary)))
        m_services.inBackground([path] { QFile::remove(path); }, [] {});
}

void Composer::forgetPasted(const Message &message)
{
    for (const MediaPart &part : draftOf(message).media)
        forgetPasted(part);
}

void Composer::tidyPasted()
{
    m_services.storeOf(0).run([folder = cacheFolder("pasted")](ConversationStore &store) {
        const Result<std::vector<std::string>> drafts = store.draftFiles();
        if (!drafts)
            return;
        const QDateTime old = QDateTime::currentDateTime().addDays(-kDaysPasted);
        for (const QFileInfo &file : folder.entryInfoList(QDir::Files)) {
            if (file.lastModified() < old &&
                std::ranges::count(*drafts, file.absoluteFilePath().toStdString()) == 0)
                QFile::remove(file.absoluteFilePath());
        }
    });
}

Message Composer::take()
{
    if (m_coming)
        m_coming->sent = true;
    flush(); // until the message is stored it is the draft, should the program die or the disk be full
    Message message{.role = Role::User, .parts = {}, .name = {}, .toolCallId = {}, .roleName = {}};
    for (MediaPart &part : m_attachments.parts())
        message.parts.emplace_back(std::move(part));
    const QString words = m_text.trimmed();
    if (!words.isEmpty())
        message.parts.emplace_back(TextPart{words.toStdString()});
    load({}); // the store clears the draft in the transaction that keeps the message
    return message;
}

void Composer::putBack(ConversationId conversation, const Message &message)
{
    const Draft sent = draftOf(message);
    const bool inView = conversation == m_conversation;
    if (inView && !m_coming) {
        fill(merged(sent, current()));
        return;
    }
    giveBack(conversation, sent, Place::Before);
    if (inView)
        fetch();
}

void Composer::giveBack(ConversationId conversation, const Draft &draft, Place place)
{
    m_services.storeOf(conversation)
        .ask([conversation, draft,
              place](ConversationStore &store) { return keepInDraft(store, conversation, draft, place); },
             [self = QPointer(this), conversation, draft](const KeptDraft &kept) {
                 if (!self || (kept.saved && (conversation != self->m_conversation || self->m_coming)))
                     return;
                 if (conversation == self->m_conversation && !self->m_coming)
                     self->fill(merged(draft, self->current())); // opened while it was on its way
                 else
                     self->m_stuck[conversation] = merged(self->m_stuck[conversation], draft);
             });
}

void Composer::flush()
{
    m_saveTimer.stop();
    if (!std::exchange(m_unsaved, false))
        return;
    const bool beforeTheStored = m_coming && !m_coming->sent;
    const ConversationId id = m_conversation;
    const Draft draft = current();
    if (beforeTheStored) {
        store().run([id, draft](ConversationStore &store) {
            // A draft that can't be saved is no reason to disturb who writes.
            (void)keepInDraft(store, id, draft, Place::After);
        });
        return;
    }
    save(id, draft);
}

void Composer::save(ConversationId conversation, const Draft &draft)
{
    m_services.storeOf(conversation)
        .ask([conversation, draft](ConversationStore &store) { return store.saveDraft(conversation, draft); },
             [self = QPointer(this), conversation, draft, visit = m_visit](const Status &saved) {
                 if (self && !saved)
                     self->notSaved(conversation, draft, visit == self->m_visit, saved.error());
             });
}

void Composer::notSaved(ConversationId conversation, const Draft &draft, bool sameVisit, const Error &error)
{
    if (error.code != ErrorCode::NoSpace)
        return; // no reason to disturb who writes: it is tried again with the next key
    if (sameVisit && conversation == m_conversation)
        m_unsaved = true; // what is in view now is newer
    else
        m_newest[conversation] = draft;
    emit diskFull();
}

void Composer::saveAgain()
{
    if (!m_coming)
        flush();
    const std::map<ConversationId, Draft> stuck = std::exchange(m_stuck, {});
    for (const auto &[conversation, draft] : stuck)
        giveBack(conversation, draft, Place::Before);
    const std::map<ConversationId, Draft> newest = std::exchange(m_newest, {});
    for (const auto &[conversation, draft] : newest)
        save(conversation, draft);
}

QString Composer::pastedFolder() const
{
    return isTemporary(m_conversation) ? m_services.temporaryFolder : cacheFolder("pasted").path();
}

} // namespace perilune::ui
