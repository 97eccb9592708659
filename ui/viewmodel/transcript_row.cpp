#include "ui/viewmodel/transcript_row.h"

#include "app/tools/call_tool.h"
#include "app/tools/shown_call.h"
#include "app/turn/prologue.h"
#include "engine/base/shown_name.h"
#include "ui/viewmodel/choice_text.h"
#include "ui/viewmodel/rich_text.h"
#include "ui/viewmodel/thumbnail_provider.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace perilune::ui {
namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("perilune::ui", text); // where lupdate files a function's words
}

RowKind::Value kindOf(DrawnBlock::Kind kind)
{
    switch (kind) {
    case DrawnBlock::Kind::Code: return RowKind::Code;
    case DrawnBlock::Kind::Table: return RowKind::Table;
    case DrawnBlock::Kind::Quote: return RowKind::Quote;
    case DrawnBlock::Kind::Rule: return RowKind::Rule;
    case DrawnBlock::Kind::Text: break;
    }
    return RowKind::Markdown;
}

QVariantMap mediaItem(const MediaPart &part)
{
    const QString path = QString::fromStdString(part.path);
    const bool video = part.kind == MediaPart::Kind::Video;
    return {
        {"source",
         video ? ThumbnailProvider::filmSource(path, part.choice) : ThumbnailProvider::source(path)},
        {"name", QString::fromStdString(shownName(part.name))},
        {"video", video},
        {"choice", choiceText(part)},
    };
}

void addPersonRows(const Message &message, MessageId id, std::vector<TranscriptRow> &rows)
{
    TranscriptRow media{.kind = RowKind::Media, .message = id};
    QString text;
    for (const Part &part : message.parts) {
        if (const auto *medium = std::get_if<MediaPart>(&part))
            media.media += mediaItem(*medium);
        else if (const auto *words = std::get_if<TextPart>(&part))
            text += QString::fromStdString(words->text);
    }
    if (!media.media.isEmpty())
        rows.push_back(std::move(media));
    if (!text.isEmpty())
        rows.push_back(
            {.kind = RowKind::UserText, .text = text, .message = id, .rightToLeft = text.isRightToLeft()});
}

void addMarkdown(const std::string &text, MessageId message, std::vector<TranscriptRow> &rows)
{
    for (const MarkdownBlock &block : markdownBlocks(text)) {
        const auto source = std::string_view(text).substr(block.begin, block.end - block.begin);
        std::ranges::move(blockRows(block, source, message), std::back_inserter(rows));
    }
}

void addAnswerRows(const StoredMessage &reply, std::vector<TranscriptRow> &rows)
{
    int calls = 0;
    for (const Part &part : reply.message.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            addMarkdown(words->text, reply.id, rows);
        else if (const auto *thought = std::get_if<ThinkingPart>(&part))
            rows.push_back(thinkingRow(thought->text, reply.id, -1));
        else if (const auto *call = std::get_if<ToolCallPart>(&part))
            rows.push_back(toolCallRow(*call, reply.id, calls++));
    }
}

/// "calculator", of "functions.calculator:0".
std::string toolOfCall(const std::string &id)
{
    const QString name = QString::fromStdString(id).section(':', 0, -2);
    return (name.startsWith(QLatin1String("functions.")) ? name.mid(10) : name).toStdString();
}

QString forPerson(std::string_view text)
{
    return QString::fromStdString(unmasked(text));
}

void addResultRows(const StoredMessage &result, const std::string &tool, std::vector<TranscriptRow> &rows)
{
    const Message &message = result.message;
    TranscriptRow row{.kind = RowKind::ToolResult,
                      .text = copyText(message),
                      .label = forPerson(tool.empty() ? toolOf({}, message) : tool),
                      .message = result.id};
    row.step = isFault(message) ? ToolCallStep::Failed : ToolCallStep::Done;
    rows.push_back(std::move(row));
    TranscriptRow media{.kind = RowKind::Media, .message = result.id};
    for (const Part &part : message.parts) {
        if (const auto *medium = std::get_if<MediaPart>(&part))
            media.media += mediaItem(*medium);
    }
    if (!media.media.isEmpty())
        rows.push_back(std::move(media));
}

/// "128 tokens · 21.4 tokens/s", as far as it is known.
QString figures(const ReplyStats &stats)
{
    const QLocale locale;
    const ReplySummary &summary = stats.summary;
    if (summary.newTokens == 0)
        return {};
    QString text =
        summary.newTokens == 1 ? tr("1 token") : tr("%1 tokens").arg(locale.toString(summary.newTokens));
    if (summary.decodeSeconds > 0)
        text += QStringLiteral(" · ") +
                tr("%1 tokens/s").arg(locale.toString(summary.newTokens / summary.decodeSeconds, 'f', 1));
    return text;
}

QString endOf(ReplySummary::Finish finish)
{
    switch (finish) {
    case ReplySummary::Finish::Stop: return tr("by the model");
    case ReplySummary::Finish::Length: return tr("at its longest allowed length");
    case ReplySummary::Finish::ToolCalls: return tr("with a call of a tool");
    case ReplySummary::Finish::Cancelled: return tr("stopped");
    }
    return {};
}

/// How an answer came about, a line each: "what: how much".
QString details(const StoredMessage &reply)
{
    const QLocale locale;
    const auto seconds = [&locale](double value) { return tr("%1 s").arg(locale.toString(value, 'f', 1)); };
    QStringList lines;
    if (reply.stats) {
        const ReplyStats &stats = *reply.stats;
        const ReplySummary &summary = stats.summary;
        lines += tr("Model: %1").arg(QString::fromStdString(stats.model));
        lines += tr("Device: %1").arg(QString::fromStdString(stats.device));
        lines += tr("Tokens read: %1").arg(locale.toString(summary.promptTokens));
        lines += tr("Of them reused: %1").arg(locale.toString(summary.cachedTokens));
        if (summary.imageTokens > 0)
            lines += tr("Of them pictures: %1").arg(locale.toString(summary.imageTokens));
        lines += tr("Tokens written: %1").arg(locale.toString(summary.newTokens));
        if (summary.decodeSeconds > 0)
            lines += tr("Speed: %1 tokens/s")
                         .arg(locale.toString(summary.newTokens / summary.decodeSeconds, 'f', 1));
        lines += tr("First token after: %1").arg(seconds(stats.firstTokenSeconds));
        lines += tr("Time writing: %1").arg(seconds(summary.decodeSeconds));
        lines += tr("Thinking: %1").arg(stats.thinking ? tr("on") : tr("off"));
        lines += tr("Temperature: %1").arg(locale.toString(double{stats.sampling.temperature}, 'g', 3));
        lines += tr("Seed: %1").arg(QString::number(summary.seed));
        lines += tr("End: %1").arg(endOf(summary.finish));
    }
    if (reply.createdMs != 0)
        lines +=
            tr("Written: %1")
                .arg(locale.toString(QDateTime::fromMSecsSinceEpoch(reply.createdMs), QLocale::ShortFormat));
    return lines.join('\n');
}

} // namespace

std::vector<TranscriptRow> blockRows(const MarkdownBlock &block, std::string_view source, MessageId message)
{
    if (block.kind == MarkdownBlock::Kind::Math) {
        return {
            {.kind = RowKind::Formula, .text = QString::fromStdString(mathText(source)), .message = message}
        };
    }
    std::vector<TranscriptRow> rows;
    for (DrawnBlock &drawn : drawMarkdown(source)) {
        rows.push_back({.kind = kindOf(drawn.kind),
                        .text = std::move(drawn.text),
                        .label = std::move(drawn.language),
                        .message = message,
                        .rightToLeft = drawn.rightToLeft,
                        .columns = drawn.columns});
    }
    return rows;
}

TranscriptRow toolCallRow(const ToolCallPart &call, MessageId message, int index)
{
    std::string text = shownArguments(call.argumentsJson);
    if (call.name.empty()) // it broke off, or can't be understood: all that there is of it
        text = unmasked(call.id) + ' ' + text;
    return {.kind = RowKind::ToolCall,
            .text = QString::fromStdString(text).trimmed(),
            .label = forPerson(call.name),
            .message = message,
            .call = index};
}

QString toolTitle(const TranscriptRow &row)
{
    const QString &tool = row.label;
    if (row.kind == RowKind::ToolResult && row.step == ToolCallStep::Failed)
        return tool.isEmpty() ? tr("There is no result") : tr("%1 gave no result").arg(tool);
    if (row.kind == RowKind::ToolResult)
        return tool.isEmpty() ? tr("The tool answered") : tr("%1 answered").arg(tool);
    if (tool.isEmpty())
        return tr("A call that broke off or can't be understood");
    switch (row.step) {
    case ToolCallStep::Asking: return tr("May %1 run with this?").arg(tool);
    case ToolCallStep::Running: return tr("%1 is running…").arg(tool);
    default: return tr("Called %1").arg(tool);
    }
}

TranscriptRow thinkingRow(const std::string &text, MessageId message, double seconds)
{
    TranscriptRow row{
        .kind = RowKind::Thinking, .text = QString::fromStdString(text).trimmed(), .message = message};
    row.rightToLeft = row.text.isRightToLeft();
    if (seconds < 0)
        row.label = tr("Thoughts");
    else if (seconds < 1.5)
        row.label = tr("Thought for a second");
    else if (seconds < 90)
        row.label =
            tr("Thought for %1 seconds").arg(QLocale().toString(static_cast<int>(std::lround(seconds))));
    else
        row.label =
            tr("Thought for %1 minutes").arg(QLocale().toString(static_cast<int>(std::lround(seconds / 60))));
    return row;
}

std::vector<TranscriptRow> closingRows(const StoredMessage &reply)
{
    std::vector<TranscriptRow> rows;
    const QString onward = canGoOn(reply) ? tr("Continue") : QString();
    QString note = QString::fromStdString(reply.note);
    if (!note.isEmpty())
        note[0] = note[0].toUpper(); // errors are written to follow others' words
    if (reply.state == MessageState::Failed) {
        rows.push_back({.kind = RowKind::Failure,
                        .text = note.isEmpty() ? tr("The answer could not be finished.") : note,
                        .label = onward,
                        .message = reply.id});
    } else if (reply.state == MessageState::Cancelled) {
        rows.push_back({.kind = RowKind::Notice,
                        .text = note.isEmpty() ? tr("Stopped.") : note,
                        .label = onward,
                        .message = reply.id});
    } else if (!note.isEmpty()) { // something of it is damaged
        rows.push_back({.kind = RowKind::Notice, .text = note, .message = reply.id});
    } else if (reply.message.parts.empty()) {
        rows.push_back(
            {.kind = RowKind::Notice, .text = tr("The model answered nothing."), .message = reply.id});
    } else if (reply.stats && reply.stats->summary.finish == ReplySummary::Finish::Length) {
        rows.push_back({.kind = RowKind::Notice,
                        .text = tr("The answer reached its longest allowed length."),
                        .label = onward,
                        .message = reply.id});
    }
    if (callsOf(reply.message).empty()) // else more is to come
        rows.push_back(actionsRow(reply));
    return rows;
}

TranscriptRow actionsRow(const StoredMessage &reply)
{
    return {.kind = RowKind::Actions,
            .text = details(reply),
            .label = reply.stats ? figures(*reply.stats) : QString(),
            .message = reply.id,
            .branch = static_cast<int>(reply.branch),
            .branches = static_cast<int>(reply.branches)};
}

const StoredMessage *unanswered(std::span<const StoredMessage> path)
{
    while (!path.empty() && path.back().message.role == Role::Tool)
        path = path.first(path.size() - 1);
    const bool calls = !path.empty() && path.back().message.role == Role::Assistant &&
                       path.back().state != MessageState::Streaming && !callsOf(path.back().message).empty();
    return calls ? &path.back() : nullptr;
}

std::string toolOf(std::span<const StoredMessage> path, const Message &result)
{
    if (!result.name.empty())
        return result.name;
    while (!path.empty() && path.back().message.role == Role::Tool)
        path = path.first(path.size() - 1);
    if (!path.empty()) {
        for (const ToolCallPart &call : callsOf(path.back().message)) {
            if (call.id == result.toolCallId && !call.name.empty())
                return call.name;
        }
    }
    return toolOfCall(result.toolCallId);
}

std::vector<TranscriptRow> unreadRows(MessageId message, Role role)
{
    if (role != Role::User && role != Role::Assistant && role != Role::Tool)
        return {};
    return {
        {.kind = RowKind::Unread, .message = message, .startsMessage = true}
    };
}

QString plainText(const TranscriptRow &row)
{
    if (row.kind != RowKind::Markdown && row.kind != RowKind::Quote && row.kind != RowKind::Table)
        return row.text;
    QString plain;
    for (qsizetype at = 0; at < row.text.size();) { // all its tags are ours, see rich_text.cpp
        const qsizetype tag = row.text.indexOf('<', at);
        plain += QStringView(row.text).sliced(at, (tag < 0 ? row.text.size() : tag) - at);
        const qsizetype end = tag < 0 ? -1 : row.text.indexOf('>', tag);
        at = end < 0 ? row.text.size() : end + 1;
    }
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
}

std::vector<TranscriptRow> rowsOf(std::span<const StoredMessage> path, Role next)
{
    std::vector<TranscriptRow> rows;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Message &message = path[i].message;
        const std::string tool = message.role == Role::Tool ? toolOf(path.first(i), message) : "";
        std::ranges::move(rowsOf(path[i], tool), std::back_inserter(rows));
        const Role follows = i + 1 < path.size() ? path[i + 1].message.role : next;
        if (follows == Role::Tool || follows == Role::Assistant)
            continue;
        if (const StoredMessage *reply = unanswered(path.first(i + 1)))
            rows.push_back(actionsRow(*reply));
    }
    return rows;
}

std::vector<TranscriptRow> rowsOf(const StoredMessage &message, const std::string &tool)
{
    std::vector<TranscriptRow> rows;
    switch (message.message.role) {
    case Role::User:
        addPersonRows(message.message, message.id, rows);
        rows.push_back({.kind = RowKind::QuestionActions,
                        .label = QString::fromStdString(message.note),
                        .message = message.id,
                        .branch = static_cast<int>(message.branch),
                        .branches = static_cast<int>(message.branches)});
        break;
    case Role::Assistant:
        addAnswerRows(message, rows);
        if (message.state != MessageState::Streaming)
            std::ranges::move(closingRows(message), std::back_inserter(rows));
        break;
    case Role::Tool: addResultRows(message, tool, rows); break;
    default: break; // what the system says is shown elsewhere
    }
    if (!rows.empty())
        rows.front().startsMessage = true;
    return rows;
}

QString copyText(const Message &message)
{
    QString text;
    for (const Part &part : message.parts) {
        if (const auto *words = std::get_if<TextPart>(&part))
            text += QString::fromStdString(words->text);
    }
    return text.trimmed();
}

} // namespace perilune::ui
