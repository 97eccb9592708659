#pragma once

#include "ui/viewmodel/transcript_row.h"

#include <QAbstractListModel>

#include <span>
#include <vector>

namespace perilune::ui {

/// What TranscriptView.qml shows, top to bottom. A row is a block (a paragraph, a picture, a tool call), not
/// a message: drawing Markdown costs time in proportion to its length, so while an answer streams only its
/// last block is drawn anew.
///
/// GUI thread only. It shows what it is told and asks nobody; Chat feeds it.
class TranscriptModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from Chat.transcript")
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum ItemRole {
        KindRole = Qt::UserRole,
        TextRole,
        LabelRole,
        MessageRole,
        StartsMessageRole,
        RightToLeftRole,
        OpenRole,
        ExpandedRole,
        ColumnsRole,
        BranchRole,
        BranchesRole,
        MediaRole,
        CallRole,
        StepRole,
        TitleRole,
        FoundRole, ///< the words that were searched for, in rows of the message that was found
    };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(m_rows.size()); }
    const TranscriptRow &row(int index) const;

    /// Shows another conversation.
    void reset(std::vector<TranscriptRow> rows);
    /// Makes the rows from `first` on be `rows`. Rows that stay equal are left alone, those of equal kind are
    /// changed in place; `expanded` is kept.
    void replaceFrom(int first, std::vector<TranscriptRow> rows);

    /// Makes the rows of `messages`, in their order neighbours of a path, be `rows`; gives how many more rows
    /// there are now. Rows that come or go above the view don't move what is in it.
    int replaceMessages(std::span<const MessageId> messages, std::vector<TranscriptRow> rows);

    /// Marks `words` in the rows of `message`; 0: nothing is marked any more.
    void mark(MessageId message, const QString &words);

    /// Shows how far call number `call` of `message` is. Its arguments are opened while it is asked about.
    void setStep(MessageId message, int call, ToolCallStep::Value step);

    /// Opens or closes a Thinking, ToolCall or ToolResult row.
    Q_INVOKABLE void setExpanded(int row, bool expanded);
    /// The row of `message` that has one of `words`, or else its first; -1 where it isn't there.
    Q_INVOKABLE int rowWith(qint64 message, const QString &words) const;

signals:
    void countChanged();
    /// replaceMessages() is about to change rows, and did: `removed` ones from `first` on are `added` ones
    /// now.
    void replacing(int first, int removed);
    void replaced(int first, int removed, int added);

private:
    void takeOut(int first, int last);
    void putIn(int at, std::vector<TranscriptRow>::iterator begin, std::vector<TranscriptRow>::iterator end);

    std::vector<TranscriptRow> m_rows;
    MessageId m_marked = 0;
    QString m_words;
};

} // namespace perilune::ui
