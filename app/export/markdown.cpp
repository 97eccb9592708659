#include "app/export/markdown.h"

#include <algorithm>
#include <string_view>

namespace perilune {

namespace {

std::string fenced(const std::string &language, const std::string &code)
{
    std::size_t longest = 2;
    std::size_t run = 0;
    for (const char c : code) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    const bool ended = code.empty() || code.back() == '\n';
    return fence + language + '\n' + code + (ended ? "" : "\n") + fence;
}

std::string quoted(std::string_view text)
{
    std::string quote = "> ";
    for (const char c : text) {
        quote += c;
        if (c == '\n')
            quote += "> ";
    }
    return quote;
}

/// Without line ends and what would end the brackets of a link.
std::string linkText(const std::string &name)
{
    std::string text;
    for (const char c : name) {
        if (c == '[' || c == ']' || c == '\\')
            text += '\\';
        text += c == '\n' ? ' ' : c;
    }
    return text;
}

std::string linkTarget(const std::string &path)
{
    std::string target;
    for (const char c : path) {
        constexpr std::string_view hex = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ' || c == '(' || c == ')' || c == '<' || c == '>' || c == '%' || byte < 0x20) {
            target += '%';
            target += hex[byte >> 4];
            target += hex[byte & 15];
        } else {
            target += c;
        }
    }
    return target;
}

std::string speaker(const StoredMessage &message)
{
    switch (message.message.role) {
    case Role::System: return "System";
    case Role::User: return "You";
    case Role::Tool: return "Tool";
    case Role::Assistant:
        return message.stats && !message.stats->model.empty() ? message.stats->model : "Kimi";
    case Role::Other: break;
    }
    return message.message.roleName.empty() ? "Other" : message.message.roleName;
}

/// Empty where the part is not wanted.
std::string partText(const Part &part, const MarkdownExport &options)
{
    if (const auto *text = std::get_if<TextPart>(&part))
        return text->text;
    if (const auto *thinking = std::get_if<ThinkingPart>(&part))
        return options.thinking ? quoted(thinking->text) : std::string();
    if (const auto *call = std::get_if<ToolCallPart>(&part))
        return options.toolCalls ? "Called `" + call->name + "`:\n\n" + fenced("json", call->argumentsJson)
                                 : std::string();
    const auto &media = std::get<MediaPart>(part);
    const std::string name = media.name.empty() ? "attachment" : media.name;
    const std::string target = options.linkTo ? options.linkTo(media) : name;
    const char *kind = media.kind == MediaPart::Kind::Image ? "!" : "";
    return kind + ("[" + linkText(name) + "](" + linkTarget(target) + ")");
}

std::string noteText(const StoredMessage &message)
{
    switch (message.state) {
    case MessageState::Complete: return message.note;
    case MessageState::Streaming: return "still being written";
    case MessageState::Cancelled: return message.note.empty() ? "stopped" : message.note;
    case MessageState::Failed: return message.note;
    }
    return {};
}

} // namespace

std::string toMarkdown(const StoredConversation &conversation, const MarkdownExport &options)
{
    const std::string &title = conversation.row.title;
    std::string document = "# " + (title.empty() ? std::string("Conversation") : title) + '\n';
    const auto add = [&document](const std::string &paragraph) {
        if (paragraph.empty())
            return;
        document += '\n' + paragraph;
        if (paragraph.back() != '\n')
            document += '\n';
    };
    if (!conversation.systemPrompt.empty()) {
        add("## System");
        add(conversation.systemPrompt);
    }
    for (const StoredMessage &message : conversation.path) {
        add("## " + speaker(message));
        for (const Part &part : message.message.parts)
            add(partText(part, options));
        if (const std::string note = noteText(message); options.notes && !note.empty())
            add("*(" + note + ")*");
    }
    return document;
}

} // namespace perilune
