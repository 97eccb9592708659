#include "app/turn/titles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t kLongestTitle = 80; // bytes
constexpr std::size_t kMostWords = 10;

constexpr std::string_view kRequest =
    "Give this conversation a title of two to six words, in its language. Write the title alone: no quotes, "
    "no full stop, nothing else.";

std::string_view trimmed(std::string_view text, std::string_view what)
{
    const std::size_t begin = text.find_first_not_of(what);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(what) - begin + 1);
}

/// Takes away pairs of quotes around all of `text`.
std::string_view unquoted(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> pairs{
        {{"\"", "\""}, {"'", "'"}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"《", "》"}}
    };
    for (const auto &[open, close] : pairs) {
        if (text.size() > open.size() + close.size() && text.starts_with(open) && text.ends_with(close))
            return text.substr(open.size(), text.size() - open.size() - close.size());
    }
    return text;
}

bool endsSentence(std::string_view text)
{
    constexpr std::array<std::string_view, 10> ends{".", "!", ":", ";", ",", "。", "！", "：", "…", "؛"};
    return std::ranges::any_of(ends, [text](std::string_view end) { return text.ends_with(end); });
}

/// The words of `store`'s conversation as they may be sent; none where it wants no title.
std::optional<std::vector<Message>> untitled(ConversationStore &store, ConversationId conversation)
{
    const Result<bool> wanted = store.wantsTitle(conversation);
    if (!wanted || !*wanted)
        return std::nullopt;
    const Result<std::string> prompt = store.systemPrompt(conversation);
    const Result<StoredConversation> stored = store.load(conversation);
    if (!prompt || !stored || stored->path.empty())
        return std::nullopt;
    std::vector<Message> messages = requestMessages(*prompt, stored->path);
    // A question without its answer, or a call without its result, would be answered in place of ours.
    while (!messages.empty() && messages.back().role != Role::Assistant)
        messages.pop_back();
    if (messages.empty())
        return std::nullopt;
    return messages;
}

} // namespace

ChatRequest titleRequest(std::vector<Message> conversation, std::string toolsJson)
{
    Message question;
    question.role = Role::User;
    question.parts.emplace_back(TextPart{std::string(kRequest)});
    conversation.push_back(std::move(question));
    ChatRequest request;
    request.messages = std::move(conversation);
    request.toolsJson = std::move(toolsJson);
    request.thinking = false;
    request.sampling.temperature = 0;
    request.maxNewTokens = 32;
    return request;
}

std::string titleFrom(std::string_view said)
{
    constexpr std::string_view blank = " \t\r\n";
    std::string_view title = trimmed(said, blank);
    if (title.find('\n') != std::string_view::npos)
        return {}; // more than a title
    if (title.starts_with("Title:"))
        title.remove_prefix(6);
    title = trimmed(title, " \t#*_`");
    title = trimmed(unquoted(title), blank);
    const auto words = static_cast<std::size_t>(std::ranges::count(title, ' ')) + 1;
    if (title.empty() || title.size() > kLongestTitle || words > kMostWords || endsSentence(title))
        return {};
    const bool controls = std::ranges::any_of(
        title, [](char c) { return (static_cast<unsigned char>(c) < 0x20) || c == 0x7f; });
    return controls ? std::string() : std::string(title);
}

void Titles::answered(ConversationId conversation, const std::string &toolsJson)
{
    if (m_services.idleFor.count() == 0 || isTemporary(conversation))
        return;
    const auto known = std::ranges::find(m_wanted, conversation, &Wanted::conversation);
    if (known == m_wanted.end())
        m_wanted.push_back({conversation, toolsJson});
    else
        known->toolsJson = toolsJson;
}

void Titles::yield()
{
    ++m_pause;
    m_stop.request_stop();
}

void Titles::rest()
{
    if (m_wanted.empty() || m_asking || m_services.idleFor.count() == 0)
        return;
    m_services.store->post()(
        [weak = weak_from_this(), pause = ++m_pause] {
            if (const auto self = weak.lock())
                self->next(pause);
        },
        m_services.idleFor);
}

void Titles::next(std::uint64_t pause)
{
    if (pause != m_pause || m_asking || m_wanted.empty() || !m_services.idle())
        return;
    m_asking = true;
    m_stop = {};
    const ConversationId conversation = m_wanted.front().conversation;
    m_services.store->ask(
        [conversation](ConversationStore &store) { return untitled(store, conversation); },
        [weak = weak_from_this(), conversation](std::optional<std::vector<Message>> messages) {
            const auto self = weak.lock();
            if (!self)
                return;
            if (messages && !self->m_stop.stop_requested())
                self->ask(conversation, std::move(*messages));
            else
                self->take(conversation, {}, messages.has_value());
        });
}

void Titles::ask(ConversationId conversation, std::vector<Message> messages)
{
    const auto known = std::ranges::find(m_wanted, conversation, &Wanted::conversation);
    const std::string toolsJson = known == m_wanted.end() ? std::string() : known->toolsJson;
    m_services.engineWorker->post([weak = weak_from_this(), side = m_services.side, conversation,
                                   post = m_services.store->post(), stop = m_stop.get_token(),
                                   request = titleRequest(std::move(messages), toolsJson)]() mutable {
        std::string said;
        // An engine that isn't open is not opened for this, nor are pictures read again.
        const bool ready =
            side->host.isOpen() && !stop.stop_requested() && side->givePatches(request.messages);
        if (ready) {
            const Result<ChatEngine *> engine = side->host.ensure({}, stop);
            const auto hear = [&said](const ReplyEvent &event) {
                if (const auto *delta = std::get_if<TextDelta>(&event))
                    said += delta->text;
            };
            if (engine && !(*engine)->reply(request, hear, stop))
                said.clear();
        }
        post(
            [weak, conversation, said = std::move(said), stopped = stop.stop_requested()] {
                if (const auto self = weak.lock())
                    self->take(conversation, said, stopped);
            },
            {});
    });
}

void Titles::take(ConversationId conversation, const std::string &said, bool stopped)
{
    m_asking = false;
    if (stopped) { // later: it is still the first
        if (m_services.idle())
            rest();
        return;
    }
    std::erase_if(m_wanted, [conversation](const Wanted &one) { return one.conversation == conversation; });
    const std::string title = titleFrom(said);
    if (!title.empty()) {
        m_services.store->ask(
            [conversation, title](ConversationStore &store) {
                return store.nameByModel(conversation, title);
            },
            [weak = weak_from_this(), conversation, title](const Result<bool> &named) {
                if (const auto self = weak.lock(); self && named && *named && self->m_services.named)
                    self->m_services.named(conversation, title);
            });
    }
    if (m_services.idle())
        rest();
}

} // namespace perilune
