#pragma once

#include "ui/viewmodel/transcript_row.h"

#include <QAbstractListModel>

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

    /// Shows how far call number `call` of `message` is. Its arguments are opened while it is asked about.
    void setStep(MessageId message, int call, ToolCallStep::Value step);

    /// Opens or closes a Thinking, ToolCall or ToolResult row.
    Q_INVOKABLE void setExpanded(int row, bool expanded);
    /// The first row of the person's message before (step -1) or after (1) `row`; `row` where there is none.
    Q_INVOKABLE int neighbourQuestion(int row, int step) const;

    /// The row of `message` that has one of `words`, or else its first; -1 where it isn't there.
    Q_INVOKABLE int rowWith(qint64 message, const QString &words) const;

signals:
    void countChanged();

private:
    std::vector<TranscriptRow> m_rows;
};

} // namespace perilune::ui
