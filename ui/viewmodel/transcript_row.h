#pragma once

#include "app/markdown/blocks.h"
#include "app/store/stored_types.h"

#include <QObject>
#include <QQmlEngine>
#include <QString>
#include <QVariantList>

#include <span>
#include <string>
#include <vector>

namespace perilune::ui {

/// The kinds of rows of a transcript, by name for C++ and QML. A kind of your own: add it here, write
/// qml/blocks/NAMEBlock.qml, and give it a DelegateChoice in TranscriptView.qml.
class RowKind : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("only its values are of use")

public:
    enum Value {
        UserText,   ///< what the person wrote, plain
        Media,      ///< pictures and clips of one message
        Markdown,   ///< a paragraph, heading or list; rich text
        Quote,      ///< rich text
        Table,      ///< rich text; columns
        Rule,       ///< a line across
        Code,       ///< plain text; label is the language
        Formula,    ///< LaTeX
        Thinking,   ///< plain text; label says how long
        ToolCall,   ///< label is the tool, text its arguments
        ToolResult, ///< label is the tool, text what it said
        Failure,    ///< text says what went wrong; label: what goes on with the answer, where that can be
        Notice,     ///< a quiet remark: stopped, cut off; label as of Failure
        Actions,    ///< copy, answer again; label has the figures, text the details, a line each
        QuestionActions, ///< the same for what the person wrote
        Unread,          ///< the place of a message that isn't read yet
    };
    Q_ENUM(Value)
};

/// What is known of a call, by name for C++ and QML.
class ToolCallStep : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("only its values are of use")

public:
    enum Value { None, Asking, Running, Done, Failed }; ///< as CallState
    Q_ENUM(Value)
    enum Answer { Refused, Once, ThisChat, Always }; ///< as Approval
    Q_ENUM(Answer)
};

/// A row of a transcript: a block, not a message.
struct TranscriptRow {
    RowKind::Value kind = RowKind::Markdown;
    QString text{};  ///< plain or rich, as the kind says
    QString label{}; ///< as the kind says
    MessageId message = 0;
    bool startsMessage = false; ///< it is the first row of its message
    bool rightToLeft = false;
    bool open = false;     ///< still being written
    bool expanded = false; ///< Thinking, ToolCall, ToolResult: the text is shown; only the view changes it
    int columns = 0;       ///< of a Table
    int branch = 0, branches = 1;                  ///< of Actions: which of how many siblings
    int call = -1;                                 ///< of a ToolCall row: which of its message's calls
    ToolCallStep::Value step = ToolCallStep::None; ///< of a ToolCall or ToolResult row
    QVariantList media{};                          ///< of a Media row: maps of source, name, video, choice

    bool operator==(const TranscriptRow &) const = default;
};

/// A stored message as rows; `tool` is the name of the tool whose result it is. `label`s are sentences for
/// people.
std::vector<TranscriptRow> rowsOf(const StoredMessage &message, const std::string &tool = {});

/// Messages of a conversation that follow each other, as rows; the first is no result of a tool, and `next`
/// says whose message follows the last.
std::vector<TranscriptRow> rowsOf(std::span<const StoredMessage> path, Role next = Role::User);

/// What stands for a message that isn't read yet: a row, or none for those that are never shown.
std::vector<TranscriptRow> unreadRows(MessageId message, Role role);

/// The text of a row without the tags of rich text.
QString plainText(const TranscriptRow &row);

/// The answer that `path` ends with where it calls tools and the model has said nothing since; null
/// elsewhere.
const StoredMessage *unanswered(std::span<const StoredMessage> path);

/// The tool whose result the message `result` is, by the call before it, which `path` ends with or has near
/// its end.
std::string toolOf(std::span<const StoredMessage> path, const Message &result);

/// The rows of one block; `source` is its Markdown. Usually one.
std::vector<TranscriptRow> blockRows(const MarkdownBlock &block, std::string_view source, MessageId message);

/// The row for call number `index` of a message: what the model wrote, laid out where it is JSON.
TranscriptRow toolCallRow(const ToolCallPart &call, MessageId message, int index);

/// The line above a ToolCall or ToolResult row: "May calculator run?"
QString toolTitle(const TranscriptRow &row);

/// The row for thoughts; `seconds` < 0: not known.
TranscriptRow thinkingRow(const std::string &text, MessageId message, double seconds);

/// The rows that close an answer: why it ended where that needs saying, and its actions. Where it calls
/// tools, these come once nothing more is to follow.
std::vector<TranscriptRow> closingRows(const StoredMessage &reply);

TranscriptRow actionsRow(const StoredMessage &reply);

/// The whole text of a message as it was written, for the clipboard; thoughts left out.
QString copyText(const Message &message);

} // namespace perilune::ui
