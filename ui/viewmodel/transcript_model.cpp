#include "ui/viewmodel/transcript_model.h"

#include "app/store/search_text.h"
#include "engine/base/check.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perilune::ui {

int TranscriptModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant TranscriptModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};

    const TranscriptRow &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case KindRole: return static_cast<int>(row.kind);
    case TextRole: return row.text;
    case LabelRole: return row.label;
    case MessageRole: return QVariant::fromValue<qint64>(row.message);
    case StartsMessageRole: return row.startsMessage;
    case RightToLeftRole: return row.rightToLeft;
    case OpenRole: return row.open;
    case ExpandedRole: return row.expanded;
    case ColumnsRole: return row.columns;
    case BranchRole: return row.branch;
    case BranchesRole: return row.branches;
    case MediaRole: return row.media;
    case CallRole: return row.call;
    case StepRole: return static_cast<int>(row.step);
    case TitleRole: return toolTitle(row);
    case FoundRole: return row.message == m_marked ? m_words : QString();
    default: return {};
    }
}

QHash<int, QByteArray> TranscriptModel::roleNames() const
{
    return {
        {KindRole,          "kind"         },
        {TextRole,          "text"         },
        {LabelRole,         "label"        },
        {MessageRole,       "message"      },
        {StartsMessageRole, "startsMessage"},
        {RightToLeftRole,   "rightToLeft"  },
        {OpenRole,          "open"         },
        {ExpandedRole,      "expanded"     },
        {ColumnsRole,       "columns"      },
        {BranchRole,        "branch"       },
        {BranchesRole,      "branches"     },
        {MediaRole,         "media"        },
        {CallRole,          "call"         },
        {StepRole,          "step"         },
        {TitleRole,         "title"        },
        {FoundRole,         "found"        }
    };
}

const TranscriptRow &TranscriptModel::row(int index) const
{
    CHECK(index >= 0 && index < count());
    return m_rows[static_cast<std::size_t>(index)];
}

void TranscriptModel::reset(std::vector<TranscriptRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    emit countChanged();
}

void TranscriptModel::replaceFrom(int first, std::vector<TranscriptRow> rows)
{
    CHECK(first >= 0 && first <= count());
    const int before = count();
    auto next = rows.begin();
    int at = first;
    // A delegate is chosen once for a row: where the kind differs, the rows must go and come anew.
    for (; at < before && next != rows.end(); ++at, ++next) {
        TranscriptRow &row = m_rows[static_cast<std::size_t>(at)];
        if (row.kind != next->kind)
            break;
        next->expanded = row.expanded;
        if (row == *next)
            continue;
        row = std::move(*next);
        emit dataChanged(index(at), index(at));
    }

    takeOut(at, before);
    putIn(at, next, rows.end());
    if (count() != before)
        emit countChanged();
}

void TranscriptModel::takeOut(int first, int last)
{
    if (first >= last)
        return;
    beginRemoveRows({}, first, last - 1);
    m_rows.erase(m_rows.begin() + first, m_rows.begin() + last);
    endRemoveRows();
}

void TranscriptModel::putIn(int at, std::vector<TranscriptRow>::iterator begin,
                            std::vector<TranscriptRow>::iterator end)
{
    if (begin == end)
        return;
    beginInsertRows({}, at, at + static_cast<int>(end - begin) - 1);
    m_rows.insert(m_rows.begin() + at, std::make_move_iterator(begin), std::make_move_iterator(end));
    endInsertRows();
}

int TranscriptModel::replaceMessages(std::span<const MessageId> messages, std::vector<TranscriptRow> rows)
{
    const auto among = [messages](const TranscriptRow &row) {
        return std::ranges::binary_search(messages, row.message); // a path's numbers grow
    };
    const auto first = std::ranges::find_if(m_rows, among);
    const auto last = std::find_if_not(first, m_rows.end(), among);
    if (first == last)
        return 0;
    const int at = static_cast<int>(first - m_rows.begin());
    const int gone = static_cast<int>(last - first);
    const int added = static_cast<int>(rows.size());
    emit replacing(at, gone);
    takeOut(at, at + gone);
    putIn(at, rows.begin(), rows.end());
    emit replaced(at, gone, added);
    if (added != gone)
        emit countChanged();
    return added - gone;
}

void TranscriptModel::mark(MessageId message, const QString &words)
{
    const MessageId old = std::exchange(m_marked, message);
    if (old == message && m_words == words)
        return;
    m_words = words;
    for (int at = 0; at < count(); ++at) {
        const MessageId of = m_rows[static_cast<std::size_t>(at)].message;
        if (of != 0 && (of == old || of == message))
            emit dataChanged(index(at), index(at), {FoundRole});
    }
}

void TranscriptModel::setStep(MessageId message, int call, ToolCallStep::Value step)
{
    for (int at = count() - 1; at >= 0; --at) { // it is near the end
        TranscriptRow &row = m_rows[static_cast<std::size_t>(at)];
        if (row.kind != RowKind::ToolCall || row.message != message || row.call != call)
            continue;
        row.expanded = step == ToolCallStep::Asking || (row.expanded && row.step != ToolCallStep::Asking);
        row.step = step;
        emit dataChanged(index(at), index(at));
        return;
    }
}

void TranscriptModel::setExpanded(int row, bool expanded)
{
    if (row < 0 || row >= count() || m_rows[static_cast<std::size_t>(row)].expanded == expanded)
        return;
    m_rows[static_cast<std::size_t>(row)].expanded = expanded;
    emit dataChanged(index(row), index(row), {ExpandedRole});
}

int TranscriptModel::rowWith(qint64 message, const QString &words) const
{
    const std::vector<std::string> terms = searchTerms(words.toStdString());
    int first = -1;
    for (int at = 0; at < count(); ++at) {
        const TranscriptRow &candidate = m_rows[static_cast<std::size_t>(at)];
        if (candidate.message != message)
            continue;
        first = first < 0 ? at : first;
        if (candidate.kind != RowKind::Actions &&
            !findTerms(plainText(candidate).toStdString(), terms).empty())
            return at;
    }
    return first;
}

} // namespace perilune::ui
