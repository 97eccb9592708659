#include "app/export/markdown.h"

#include "app/markdown/blocks.h"

#include <algorithm>
#include <vector>

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

/// Words of ours on one line, without what Markdown would take for a mark.
std::string escaped(std::string_view text)
{
    std::string line;
    for (const char c : text) {
        if (std::string_view("\\`*_[]<>#|~$&").find(c) != std::string_view::npos)
            line += '\\';
        line += c == '\n' || c == '\r' ? ' ' : c;
    }
    return line;
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

/// A name for between backticks.
std::string codeName(std::string name)
{
    std::ranges::replace_if(name, [](char c) { return c == '`' || c == '\n' || c == '\r'; }, ' ');
    return name;
}

std::string partText(const Part &part, const LinkTo &linkTo)
{
    if (const auto *text = std::get_if<TextPart>(&part))
        return withClosedFence(text->text);
    if (const auto *thinking = std::get_if<ThinkingPart>(&part))
        return quoted(thinking->text);
    if (const auto *call = std::get_if<ToolCallPart>(&part))
        return "Called `" + codeName(call->name) + "`:\n\n" + fenced("json", call->argumentsJson);
    const auto &media = std::get<MediaPart>(part);
    const std::string target = linkTo ? linkTo(media) : nameOf(media);
    const char *kind = media.kind == MediaPart::Kind::Image ? "!" : "";
    return kind + ("[" + linkText(nameOf(media)) + "](" + linkTarget(target) + ")");
}

std::string paragraph(const std::string &text)
{
    if (text.empty())
        return {};
    return '\n' + text + (text.back() == '\n' ? "" : "\n");
}

std::string messageText(const StoredMessage &message, const LinkTo &linkTo, bool statistics)
{
    std::string text = paragraph("## " + escaped(speakerOf(message)));
    for (const Part &part : message.message.parts)
        text += paragraph(partText(part, linkTo));
    if (const std::string note = noteOf(message); !note.empty())
        text += paragraph("*(" + escaped(note) + ")*");
    if (statistics && message.stats)
        text += paragraph("*" + escaped(statisticsOf(*message.stats)) + "*");
    return text;
}

} // namespace

std::string withClosedFence(std::string_view text)
{
    const std::vector<MarkdownBlock> blocks = markdownBlocks(text);
    if (blocks.empty() || blocks.back().kind != MarkdownBlock::Kind::Code)
        return std::string(text);
    // What follows tells: a heading after it is one, or belongs to the code.
    const std::string probe = std::string(text) + "\n\n# .";
    const std::vector<MarkdownBlock> probed = markdownBlocks(probe);
    if (probed.back().kind == MarkdownBlock::Kind::Heading)
        return std::string(text);
    std::string_view fence = text.substr(blocks.back().begin);
    fence.remove_prefix(std::min(fence.find_first_not_of(' '), fence.size()));
    fence = fence.substr(0, std::min(fence.find_first_not_of(fence.substr(0, 1)), fence.size()));
    return std::string(text) + (text.ends_with('\n') ? "" : "\n") + std::string(fence);
}

Status writeMarkdown(const ExportedChat &chat, const LinkTo &linkTo, const ExportTarget &target)
{
    std::string head = "# " + escaped(titleOf(chat.conversation)) + '\n';
    if (!chat.conversation.systemPrompt.empty())
        head += paragraph("## System") + paragraph(withClosedFence(chat.conversation.systemPrompt));
    if (Status written = target.write(head); !written)
        return written;
    return walkSections(
        chat, target,
        {.heading =
             [&](const std::string &heading) { return target.write(paragraph("# " + escaped(heading))); },
         .message =
             [&](const StoredMessage &message) {
                 return target.write(messageText(message, linkTo, chat.choices.statistics));
             }});
}

std::string toMarkdown(const ExportedChat &chat, const LinkTo &linkTo)
{
    std::string document;
    const Status written = writeMarkdown(chat, linkTo, {[&document](std::string_view piece) {
                                             document += piece;
                                             return Status(Done{});
                                         }});
    CHECK(written);
    return document;
}

} // namespace perilune
