#include "ui/viewmodel/conversation_list_model.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <chrono>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::chrono::milliseconds kSearchDelay{120};
constexpr std::uint32_t kMaxHits = 200;

QString shownTitle(const std::string &title)
{
    return title.empty() ? ConversationListModel::tr("New chat") : QString::fromStdString(title).simplified();
}

const QString kArchive = QStringLiteral("archive");
const QString kBin = QStringLiteral("bin");

QString folderName(const std::vector<FolderRow> &folders, FolderId id)
{
    const auto found = std::ranges::find(folders, id, &FolderRow::id);
    return found == folders.end() ? QString() : QString::fromStdString(found->name);
}

bool isIn(const ConversationRow &row, const QString &place)
{
    if (place == kBin)
        return true;
    if (place == kArchive)
        return row.archivedMs != 0;
    if (!place.isEmpty())
        return row.folder == place.toLongLong() && row.archivedMs == 0;
    return row.archivedMs == 0;
}

std::vector<ConversationListModel::Row> rowsOf(const std::vector<ConversationRow> &conversations,
                                               const std::vector<FolderRow> &folders, const QString &place)
{
    const QDateTime now = QDateTime::currentDateTime();
    std::vector<ConversationListModel::Row> rows;
    rows.reserve(conversations.size());
    for (const ConversationRow &conversation : conversations) {
        if (!isIn(conversation, place))
            continue;
        const bool pinned = conversation.pinnedMs != 0 && place != kBin && place != kArchive;
        QStringList tags;
        for (const std::string &tag : conversation.tags)
            tags += QString::fromStdString(tag);
        rows.push_back({.id = conversation.id,
                        .title = shownTitle(conversation.title),
                        .section = pinned ? ConversationListModel::tr("Pinned")
                                          : ConversationListModel::sectionOf(conversation.updatedMs, now),
                        .excerpt = {},
                        .pinned = pinned,
                        .archived = conversation.archivedMs != 0,
                        .deleted = conversation.deletedMs != 0,
                        .folder = folderName(folders, conversation.folder),
                        .tags = tags.join(QStringLiteral(", ")),
                        .pinOrder = conversation.pinOrder});
    }
    // Pinned ones first, those that were placed by hand in their places.
    std::ranges::stable_sort(rows, [](const auto &a, const auto &b) {
        return a.pinned != b.pinned ? a.pinned : a.pinned && a.pinOrder < b.pinOrder;
    });
    return rows;
}

/// Text of anybody as rich text, with `marks` (bytes from and to) in bold.
QString marked(const std::string &text, const std::vector<std::pair<std::size_t, std::size_t>> &marks)
{
    const auto plain = [&text](std::size_t from, std::size_t to) {
        return QString::fromStdString(text.substr(from, to - from)).toHtmlEscaped();
    };
    QString rich;
    std::size_t at = 0;
    for (const auto &[from, to] : marks) {
        rich += plain(at, from) + QStringLiteral("<b>") + plain(from, to) + QStringLiteral("</b>");
        at = to;
    }
    return rich + plain(at, text.size());
}

std::vector<ConversationListModel::Row> rowsOf(const std::vector<ConversationStore::Hit> &hits)
{
    std::vector<ConversationListModel::Row> rows;
    rows.reserve(hits.size());
    for (const ConversationStore::Hit &hit : hits)
        rows.push_back({.id = hit.conversation,
                        .title = shownTitle(hit.title),
                        .section = hit.message == 0 ? ConversationListModel::tr("Chats")
                                                    : ConversationListModel::tr("Messages"),
                        .excerpt = hit.message == 0 ? QString() : marked(hit.excerpt, hit.marks),
                        .message = hit.message});
    return rows;
}

} // namespace

ConversationListModel::ConversationListModel(StoreThread &store, QObject *parent)
    : QAbstractListModel(parent),
      m_store(store)
{
    m_searchTimer.setSingleShot(true);
    m_searchTimer.setInterval(kSearchDelay);
    connect(&m_searchTimer, &QTimer::timeout, this, &ConversationListModel::refresh);
}

int ConversationListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant ConversationListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};

    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case IdRole: return QVariant::fromValue<qint64>(row.id);
    case TitleRole: return row.title;
    case SectionRole: return row.section;
    case ExcerptRole: return row.excerpt;
    case MessageRole: return QVariant::fromValue<qint64>(row.message);
    case PinnedRole: return row.pinned;
    case ArchivedRole: return row.archived;
    case DeletedRole: return row.deleted;
    case FolderRole: return row.folder;
    case TagsRole: return row.tags;
    case SortedByRole:
        return row.folder.isEmpty() || row.tags.isEmpty() ? row.folder + row.tags
                                                          : row.folder + QStringLiteral(" · ") + row.tags;
    default: return {};
    }
}

QHash<int, QByteArray> ConversationListModel::roleNames() const
{
    return {
        {IdRole,       "conversation"},
        {TitleRole,    "title"       },
        {SectionRole,  "section"     },
        {ExcerptRole,  "excerpt"     },
        {MessageRole,  "message"     },
        {PinnedRole,   "pinned"      },
        {ArchivedRole, "archived"    },
        {DeletedRole,  "inBin"       },
        {FolderRole,   "folder"      },
        {TagsRole,     "tags"        },
        {SortedByRole, "sortedBy"    }
    };
}

void ConversationListModel::setFilter(const QString &filter)
{
    if (std::exchange(m_filter, filter) != filter)
        searchSoon();
}

void ConversationListModel::setTagFilter(const QString &tag)
{
    if (std::exchange(m_tagFilter, tag) != tag)
        searchSoon();
}

void ConversationListModel::setRoleFilter(const QString &role)
{
    if (std::exchange(m_roleFilter, role) != role)
        searchSoon();
}

void ConversationListModel::setDaysFilter(int days)
{
    if (std::exchange(m_daysFilter, days) != days)
        searchSoon();
}

void ConversationListModel::searchSoon()
{
    emit filterChanged();
    m_searchTimer.start();
}

QString ConversationListModel::sectionOf(qint64 updatedMs, const QDateTime &now)
{
    const QDate day = QDateTime::fromMSecsSinceEpoch(updatedMs).date();
    const qint64 daysAgo = day.daysTo(now.date());
    if (daysAgo <= 0)
        return tr("Today");
    if (daysAgo == 1)
        return tr("Yesterday");
    if (daysAgo < 8)
        return tr("Previous 7 days");
    return QLocale().toString(day, QStringLiteral("MMMM yyyy"));
}

void ConversationListModel::setPlace(const QString &place)
{
    if (m_place == place)
        return;
    m_place = place;
    emit placeChanged();
    refresh();
}

QString ConversationListModel::placeName() const
{
    for (const QVariant &place : places()) {
        if (place.toMap().value(QStringLiteral("key")) == m_place)
            return place.toMap().value(QStringLiteral("name")).toString();
    }
    return tr("Chats");
}

QVariantList ConversationListModel::places() const
{
    const auto entry = [](const QString &key, const QString &name, const char *icon) {
        return QVariantMap{
            {"key",  key                      },
            {"name", name                     },
            {"icon", QString::fromLatin1(icon)}
        };
    };
    QVariantList all{entry({}, tr("All chats"), "menu")};
    for (const FolderRow &folder : m_folders)
        all += entry(QString::number(folder.id), QString::fromStdString(folder.name), "folder");
    all += entry(kArchive, tr("Archive"), "archive");
    all += entry(kBin, tr("Bin"), "trash");
    return all;
}

QStringList ConversationListModel::folders() const
{
    QStringList names;
    for (const FolderRow &folder : m_folders)
        names += QString::fromStdString(folder.name);
    return names;
}

Result<ConversationListModel::Found> ConversationListModel::look(ConversationStore &store,
                                                                 const Wanted &wanted)
{
    const QString &place = wanted.place;
    Result<std::vector<FolderRow>> folders = store.folders();
    if (!folders)
        return std::move(folders).error();
    Result<std::vector<std::string>> tags = store.tags();
    if (!tags)
        return std::move(tags).error();
    Found found{.rows = {}, .folders = *std::move(folders), .tags = *std::move(tags)};
    if (wanted.filter.isEmpty()) {
        const auto which = place == kBin ? ConversationStore::Which::Deleted : ConversationStore::Which::Live;
        const Result<std::vector<ConversationRow>> rows = store.list(which);
        if (!rows)
            return rows.error();
        found.rows = rowsOf(*rows, found.folders, place);
        return found;
    }
    ConversationStore::SearchQuery query;
    query.text = wanted.filter.toStdString();
    query.tag = wanted.tag.toStdString();
    if (!wanted.role.isEmpty())
        query.role = wanted.role == QLatin1String("assistant") ? Role::Assistant : Role::User;
    if (wanted.days > 0)
        query.fromMs = QDate::currentDate().addDays(1 - wanted.days).startOfDay().toMSecsSinceEpoch();
    query.limit = kMaxHits;
    query.folder = place.toLongLong(); // 0 for the others: there all is searched
    const Result<std::vector<ConversationStore::Hit>> hits = store.search(query);
    if (!hits)
        return hits.error();
    found.rows = rowsOf(*hits);
    return found;
}

void ConversationListModel::refresh()
{
    const quint64 question = ++m_question;
    m_store.ask(
        [wanted = Wanted{.filter = m_filter.trimmed(),
                         .place = m_place,
                         .tag = m_tagFilter,
                         .role = m_roleFilter,
                         .days = m_daysFilter}](ConversationStore &store) { return look(store, wanted); },
        [self = QPointer(this), question](Result<Found> found) {
            if (!self || question != self->m_question)
                return;
            if (found)
                self->take(*std::move(found));
            else
                self->tell(found.error());
        });
}

void ConversationListModel::take(Found found)
{
    QStringList tags;
    for (const std::string &tag : found.tags)
        tags += QString::fromStdString(tag);
    const bool otherPlaces = tags != m_tags || !std::ranges::equal(found.folders, m_folders, {},
                                                                   &FolderRow::name, &FolderRow::name);
    m_folders = std::move(found.folders);
    m_tags = std::move(tags);
    show(std::move(found.rows));
    if (otherPlaces) {
        emit placesChanged();
        emit placeChanged(); // its name may be another
    }
}

void ConversationListModel::show(std::vector<Row> rows)
{
    const int before = count();
    if (m_rows.empty() && !rows.empty()) { // all at once: a view does work for each insertion
        beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
        m_rows = rows;
        endInsertRows();
    }
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const int row = static_cast<int>(at);
        const auto from = static_cast<std::ptrdiff_t>(std::min(at, m_rows.size()));
        const auto same =
            std::find_if(m_rows.begin() + from, m_rows.end(), [&wanted = rows[at]](const Row &row) {
                return row.id == wanted.id && row.message == wanted.message;
            });
        if (same == m_rows.end()) {
            beginInsertRows({}, row, row);
            m_rows.insert(m_rows.begin() + from, rows[at]);
            endInsertRows();
            continue;
        }
        const int old = static_cast<int>(same - m_rows.begin());
        if (old != row) {
            beginMoveRows({}, old, old, {}, row);
            std::rotate(m_rows.begin() + from, same, same + 1);
            endMoveRows();
        }
        if (m_rows[at] != rows[at]) {
            m_rows[at] = rows[at];
            emit dataChanged(index(row), index(row));
        }
    }
    if (m_rows.size() > rows.size()) {
        beginRemoveRows({}, static_cast<int>(rows.size()), count() - 1);
        m_rows.resize(rows.size());
        endRemoveRows();
    }
    if (count() != before)
        emit countChanged();
    if (!std::exchange(m_loaded, true))
        emit loadedChanged();
    emit updated();
}

QString ConversationListModel::titleOf(qint64 id) const
{
    const auto row = std::ranges::find(m_rows, id, &Row::id);
    return row == m_rows.end() ? QString() : row->title;
}

void ConversationListModel::report(const Status &status)
{
    if (!status)
        tell(status.error());
    refresh();
}

void ConversationListModel::tell(const Error &error)
{
    if (error.code == ErrorCode::NoSpace)
        emit diskFull();
    else
        emit failed(QString::fromStdString(error.message));
}

void ConversationListModel::ask(std::function<Status(ConversationStore &)> change)
{
    m_store.ask(std::move(change), [self = QPointer(this)](const Status &status) {
        if (self)
            self->report(status);
    });
}

qint64 ConversationListModel::neighbour(qint64 id, int step) const
{
    const auto found = std::ranges::find(m_rows, id, &Row::id);
    const auto at = found == m_rows.end() ? 0 : found - m_rows.begin() + step;
    return at >= 0 && at < std::ssize(m_rows) ? m_rows[static_cast<std::size_t>(at)].id : 0;
}

void ConversationListModel::rename(qint64 id, const QString &title)
{
    const std::string name = title.simplified().toStdString();
    if (!name.empty())
        ask([id, name](ConversationStore &store) { return store.rename(id, name); });
}

void ConversationListModel::setPinned(qint64 id, bool pinned)
{
    ask([id, pinned](ConversationStore &store) { return store.setPinned(id, pinned); });
}

void ConversationListModel::dropOn(int from, int onto)
{
    onto = onto < 0 ? count() - 1 : onto;
    if (from < 0 || from >= count() || onto >= count() || onto == from || !m_filter.isEmpty() ||
        m_place == kArchive || m_place == kBin)
        return;
    const int to = onto > from ? onto + 1 : onto; // the row that it will stand before
    const Row &moved = m_rows[static_cast<std::size_t>(from)];
    const auto pinned = static_cast<int>(std::ranges::count_if(m_rows, &Row::pinned));
    if (to > pinned) {
        if (moved.pinned)
            setPinned(moved.id, false);
        return;
    }
    const ConversationId before = to < pinned ? m_rows[static_cast<std::size_t>(to)].id : 0;
    ask([id = moved.id, before](ConversationStore &store) { return store.placePinned(id, before); });
}

void ConversationListModel::setArchived(qint64 id, bool archived)
{
    ask([id, archived](ConversationStore &store) { return store.setArchived(id, archived); });
}

void ConversationListModel::moveTo(qint64 id, const QString &folder)
{
    ask([id, name = folder.simplified().toStdString()](ConversationStore &store) -> Status {
        if (name.empty())
            return store.moveToFolder(id, 0);
        const Result<FolderId> made = store.folder(name);
        if (!made)
            return made.error();
        return store.moveToFolder(id, *made);
    });
}

void ConversationListModel::setTags(qint64 id, const QString &tags)
{
    QStringList wanted;
    for (const QString &tag : tags.split(',', Qt::SkipEmptyParts)) {
        if (const QString name = tag.simplified(); !name.isEmpty() && !wanted.contains(name))
            wanted += name;
    }
    ask([id, wanted](ConversationStore &store) -> Status {
        const Result<std::vector<std::string>> all = store.tags();
        if (!all)
            return all.error();
        for (const std::string &tag : *all) {
            if (wanted.contains(QString::fromStdString(tag)))
                continue;
            if (Status removed = store.removeTag(id, tag); !removed)
                return removed;
        }
        for (const QString &tag : wanted) {
            if (Status added = store.addTag(id, tag.toStdString()); !added)
                return added;
        }
        return Done{};
    });
}

void ConversationListModel::restore(qint64 id)
{
    ask([id](ConversationStore &store) { return store.restore(id); });
}

void ConversationListModel::remove(qint64 id)
{
    const auto row = std::ranges::find(m_rows, id, &Row::id);
    const QString title = row == m_rows.end() ? tr("Chat") : row->title;
    m_store.ask([id](ConversationStore &store) { return store.remove(id); },
                [self = QPointer(this), id, title](const Status &status) {
                    if (!self)
                        return;
                    if (status) {
                        self->m_lastRemoved = id;
                        emit self->removed(id, title);
                    }
                    self->report(status);
                });
}

void ConversationListModel::undoRemove()
{
    const ConversationId id = std::exchange(m_lastRemoved, 0);
    if (id == 0)
        return;
    restore(id);
}

} // namespace perilune::ui
