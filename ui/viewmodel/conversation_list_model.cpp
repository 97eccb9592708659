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

std::vector<ConversationListModel::Row> rowsOf(const std::vector<ConversationRow> &conversations)
{
    const QDateTime now = QDateTime::currentDateTime();
    std::vector<ConversationListModel::Row> rows;
    rows.reserve(conversations.size());
    for (const ConversationRow &conversation : conversations)
        rows.push_back({conversation.id,
                        shownTitle(conversation.title),
                        ConversationListModel::sectionOf(conversation.updatedMs, now),
                        {}});
    return rows;
}

/// One row for each conversation, with its first excerpt.
std::vector<ConversationListModel::Row> rowsOf(const std::vector<ConversationStore::Hit> &hits)
{
    std::vector<ConversationListModel::Row> rows;
    for (const ConversationStore::Hit &hit : hits) {
        const auto same = std::ranges::find(rows, hit.conversation, &ConversationListModel::Row::id);
        const QString excerpt = QString::fromStdString(hit.excerpt).simplified();
        if (same == rows.end())
            rows.push_back({hit.conversation, shownTitle(hit.title), ConversationListModel::tr("Found"),
                            hit.message == 0 ? QString() : excerpt});
        else if (same->excerpt.isEmpty())
            same->excerpt = excerpt;
    }
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
    default: return {};
    }
}

QHash<int, QByteArray> ConversationListModel::roleNames() const
{
    return {
        {IdRole,      "conversation"},
        {TitleRole,   "title"       },
        {SectionRole, "section"     },
        {ExcerptRole, "excerpt"     }
    };
}

void ConversationListModel::setFilter(const QString &filter)
{
    if (m_filter == filter)
        return;
    m_filter = filter;
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

void ConversationListModel::refresh()
{
    const quint64 question = ++m_question;
    const auto answer = [self = QPointer(this), question](auto found) {
        if (!self || question != self->m_question)
            return;
        if (found)
            self->show(rowsOf(*found));
        else
            emit self->failed(QString::fromStdString(found.error().message));
    };
    const std::string wanted = m_filter.trimmed().toStdString();
    if (wanted.empty())
        m_store.ask([](ConversationStore &store) { return store.list(); }, answer);
    else
        m_store.ask([wanted](ConversationStore &store) { return store.search(wanted, kMaxHits); }, answer);
}

void ConversationListModel::show(std::vector<Row> rows)
{
    const int before = count();
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const int row = static_cast<int>(at);
        const auto from = static_cast<std::ptrdiff_t>(std::min(at, m_rows.size()));
        const auto same = std::ranges::find(m_rows.begin() + from, m_rows.end(), rows[at].id, &Row::id);
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
        emit failed(QString::fromStdString(status.error().message));
    refresh();
}

void ConversationListModel::rename(qint64 id, const QString &title)
{
    const std::string name = title.simplified().toStdString();
    if (name.empty())
        return;
    m_store.ask([id, name](ConversationStore &store) { return store.rename(id, name); },
                [self = QPointer(this)](const Status &status) {
                    if (self)
                        self->report(status);
                });
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
    m_store.ask([id](ConversationStore &store) { return store.restore(id); },
                [self = QPointer(this)](const Status &status) {
                    if (self)
                        self->report(status);
                });
}

} // namespace perilune::ui
