// What all forms of a document share: which messages, in which order, under which names.
#include "app/export/document.h"

#include "engine/base/shown_name.h"
#include "engine/base/whole_characters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace perilune {

namespace {

void leaveOut(StoredMessage &message, const ExportChoices &choices)
{
    std::erase_if(message.message.parts, [&choices](const Part &part) {
        return (!choices.thinking && std::holds_alternative<ThinkingPart>(part)) ||
               (!choices.toolCalls && std::holds_alternative<ToolCallPart>(part));
    });
}

bool goes(const StoredMessage &message, const ExportChoices &choices)
{
    return !choices.toolCalls && message.message.role == Role::Tool;
}

/// The first words of a message, for a heading.
std::string firstWords(const StoredMessage &message)
{
    constexpr std::size_t most = 60;
    constexpr std::size_t looked = 1000; // bytes; a message may have millions
    std::string words;
    for (const Part &part : message.message.parts) {
        const auto *text = std::get_if<TextPart>(&part);
        const std::size_t begin = text ? text->text.find_first_not_of(" \t\r\n") : std::string::npos;
        if (begin == std::string::npos)
            continue;
        const std::string_view rest = std::string_view(text->text).substr(begin);
        for (const char c : cleanText(rest.substr(0, wholeUpTo(rest, looked)))) {
            const bool blank = c == ' ' || c == '\n' || c == '\t';
            if (blank && (words.empty() || words.back() == ' '))
                continue;
            if (words.size() >= most && (static_cast<unsigned char>(c) & 0xC0) != 0x80)
                return words + "…";
            words += blank ? ' ' : c;
        }
    }
    while (words.ends_with(' '))
        words.pop_back();
    return words;
}

using Children = std::map<MessageId, std::vector<const StoredMessage *>>;

/// `first` and what follows it, the newest at every fork.
std::vector<const StoredMessage *> branchFrom(const StoredMessage *first, const Children &children)
{
    std::vector<const StoredMessage *> branch{first};
    for (;;) {
        const auto next = children.find(branch.back()->id);
        if (next == children.end())
            return branch;
        branch.push_back(next->second.back());
    }
}

std::string withoutLineEnds(std::string text)
{
    std::ranges::replace(text, '\n', ' ');
    std::ranges::replace(text, '\r', ' ');
    return text;
}

std::string number(double value, const char *format)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, std::isfinite(value) ? value : 0.0);
    return text.data();
}

} // namespace

ExportedChat chosen(StoredConversation conversation, std::vector<StoredMessage> tree,
                    const ExportChoices &choices)
{
    if (!choices.allBranches)
        tree = conversation.path;
    std::map<MessageId, MessageId> standIn; // of messages that go: whom they followed
    const auto placeOf = [&standIn](MessageId id) {
        const auto found = standIn.find(id);
        return found == standIn.end() ? id : found->second;
    };
    const auto take = [&](const std::vector<StoredMessage> &messages) {
        std::vector<StoredMessage> kept;
        for (const StoredMessage &message : messages) {
            if (goes(message, choices)) {
                standIn[message.id] = placeOf(message.parent);
                continue;
            }
            kept.push_back(message);
            kept.back().parent = placeOf(message.parent);
            leaveOut(kept.back(), choices);
        }
        return kept;
    };
    ExportedChat chat;
    chat.choices = choices;
    chat.tree = take(tree);
    conversation.path = take(conversation.path);
    chat.conversation = std::move(conversation);
    return chat;
}

std::vector<ExportSection> sectionsOf(const ExportedChat &chat)
{
    std::vector<ExportSection> sections(1);
    std::set<MessageId> shown;
    for (const StoredMessage &message : chat.conversation.path) {
        sections.front().messages.push_back(&message);
        shown.insert(message.id);
    }
    Children children;
    std::map<MessageId, const StoredMessage *> byId;
    for (const StoredMessage &message : chat.tree) {
        children[message.parent].push_back(&message);
        byId[message.id] = &message;
    }
    for (const StoredMessage &message : chat.tree) {
        if (shown.contains(message.id))
            continue;
        ExportSection section;
        const auto parent = byId.find(message.parent);
        const std::string after = parent == byId.end() ? "" : firstWords(*parent->second);
        section.heading = "Branch " + std::to_string(sections.size() + 1) +
                          (parent == byId.end() ? ": another beginning"
                           : after.empty()      ? ": after a message without words"
                                                : ": after “" + after + "”");
        section.messages = branchFrom(&message, children);
        for (const StoredMessage *shownNow : section.messages)
            shown.insert(shownNow->id);
        sections.push_back(std::move(section));
    }
    return sections;
}

Status walkSections(const ExportedChat &chat, const ExportTarget &target, const SectionWriter &writer)
{
    const std::vector<ExportSection> sections = sectionsOf(chat);
    std::size_t all = 0;
    for (const ExportSection &section : sections)
        all += section.messages.size();
    std::size_t done = 0;
    if (Status on = stepOf(target, done, all); !on)
        return on;
    for (const ExportSection &section : sections) {
        if (!section.heading.empty()) {
            if (Status written = writer.heading(section.heading); !written)
                return written;
        }
        for (const StoredMessage *message : section.messages) {
            if (Status written = writer.message(*message); !written)
                return written;
            if (Status on = stepOf(target, ++done, all); !on)
                return on;
        }
    }
    return Done{};
}

std::string speakerOf(const StoredMessage &message)
{
    switch (message.message.role) {
    case Role::System: return "System";
    case Role::User: return "You";
    case Role::Tool: return "Tool";
    case Role::Assistant:
        return message.stats && !message.stats->model.empty() ? withoutLineEnds(message.stats->model)
                                                              : "Kimi";
    case Role::Other: break;
    }
    return message.message.roleName.empty() ? "Other" : withoutLineEnds(message.message.roleName);
}

std::string noteOf(const StoredMessage &message)
{
    switch (message.state) {
    case MessageState::Complete: return message.note;
    case MessageState::Streaming: return "still being written";
    case MessageState::Cancelled: return message.note.empty() ? "stopped" : message.note;
    case MessageState::Failed: return message.note.empty() ? "failed" : message.note;
    }
    return {};
}

std::string statisticsOf(const ReplyStats &stats)
{
    const ReplySummary &summary = stats.summary;
    std::string text = std::to_string(summary.promptTokens) + " tokens in";
    std::string of;
    if (summary.cachedTokens > 0)
        of = std::to_string(summary.cachedTokens) + " reused";
    if (summary.imageTokens > 0)
        of += (of.empty() ? "" : ", ") + std::to_string(summary.imageTokens) + " of pictures";
    if (!of.empty())
        text += " (" + of + ")";
    text += ", " + std::to_string(summary.newTokens) + " out";
    if (summary.decodeSeconds > 0)
        text += " · " + number(summary.newTokens / summary.decodeSeconds, "%.1f") + " tokens/s";
    if (stats.firstTokenSeconds > 0)
        text += " · first after " + number(stats.firstTokenSeconds, "%.1f") + " s";
    text += " · temperature " + number(stats.sampling.temperature, "%g");
    text += " · seed " + std::to_string(summary.seed);
    constexpr std::array ends = {"ended by itself", "reached the length limit", "called a tool", "stopped"};
    text += std::string(" · ") + ends[static_cast<std::size_t>(summary.finish)];
    if (!stats.device.empty())
        text += " · on " + withoutLineEnds(stats.device);
    return text;
}

std::string titleOf(const StoredConversation &conversation)
{
    return conversation.row.title.empty() ? "Conversation" : withoutLineEnds(conversation.row.title);
}

std::string nameOf(const MediaPart &media)
{
    if (!media.name.empty())
        return shownName(withoutLineEnds(media.name));
    return media.kind == MediaPart::Kind::Video ? "clip" : "picture";
}

Status stepOf(const ExportTarget &target, std::size_t done, std::size_t all)
{
    return target.step ? target.step(done, all) : Status(Done{});
}

} // namespace perilune
