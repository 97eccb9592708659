#include "ui/viewmodel/transcript_model.h"

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
        {TitleRole,         "title"        }
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

    if (at < before) {
        beginRemoveRows({}, at, before - 1);
        m_rows.erase(m_rows.begin() + at, m_rows.end());
        endRemoveRows();
    }
    if (next != rows.end()) {
        beginInsertRows({}, at, at + static_cast<int>(rows.end() - next) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(next), std::make_move_iterator(rows.end()));
        endInsertRows();
    }
    if (count() != before)
        emit countChanged();
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
    const QStringList wanted = words.simplified().remove('"').split(' ', Qt::SkipEmptyParts);
    int first = -1;
    for (int at = 0; at < count(); ++at) {
        const TranscriptRow &candidate = m_rows[static_cast<std::size_t>(at)];
        if (candidate.message != message)
            continue;
        first = first < 0 ? at : first;
        const bool has = std::ranges::any_of(wanted, [&candidate](const QString &word) {
            return candidate.text.contains(word, Qt::CaseInsensitive);
        });
        if (has && candidate.kind != RowKind::Actions)
            return at;
    }
    return first;
}

int TranscriptModel::neighbourQuestion(int row, int step) const
{
    for (int at = row + step; at >= 0 && at < count(); at += step) {
        const TranscriptRow &candidate = m_rows[static_cast<std::size_t>(at)];
        const bool ofPerson = candidate.kind == RowKind::UserText || candidate.kind == RowKind::Media;
        if (ofPerson && candidate.startsMessage)
            return at;
    }
    return row;
}

} // namespace perilune::ui
