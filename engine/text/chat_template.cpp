#include "engine/text/chat_template.h"

#include "engine/text/tool_declaration.h"

namespace perilune {

namespace {

using Kind = PromptSegment::Kind;

/// In what the families' templates differ.
struct Style {
    std::string_view
        defaultSystem; ///< body of the system turn where the conversation has none; empty: no turn
    std::string_view afterDefault; ///< what stands behind that turn
    bool defaultWithoutMessages;   ///< that turn stands also before no messages at all
    std::string_view mediaOpening; ///< control token that opens a medium
    std::string_view afterMedium;  ///< what stands behind a medium
    bool names;                    ///< a message's name takes the place of its role
    bool otherRolesOpen;           ///< roles but user and assistant open as the system does, or not at all
    bool thinking;                 ///< assistant turns begin with a thinking block
};

Style styleOf(ChatFamily family)
{
    static constexpr std::string_view kimi = "You are Kimi, an AI assistant created by Moonshot AI.";
    static constexpr std::string_view helpful = "You are a helpful assistant";
    static constexpr std::string_view begin = "<|media_begin|>", start = "<|media_start|>";
    switch (family) {
    case ChatFamily::K25:
    case ChatFamily::K26: return {"", "", false, begin, "\n", true, true, true};
    case ChatFamily::K2: return {kimi, "\n", false, start, "\n", true, true, false};
    case ChatFamily::K2Thinking: return {kimi, "", true, start, "\n", true, true, true};
    case ChatFamily::KimiVl: return {helpful, "", false, start, "", false, false, false};
    case ChatFamily::Moonlight: return {helpful, "", false, "", "", false, false, false};
    }
    return {};
}

std::string_view roleWord(const Message &message)
{
    switch (message.role) {
    case Role::System: return "system";
    case Role::User: return "user";
    case Role::Assistant: return "assistant";
    case Role::Tool: return "tool";
    case Role::Other: return message.roleName;
    }
    return {};
}

template <typename PartType>
bool hasPart(const Message &message)
{
    for (const Part &part : message.parts) {
        if (std::holds_alternative<PartType>(part))
            return true;
    }
    return false;
}

class Renderer {
public:
    Renderer(ChatFamily family, const PromptOptions &options)
        : m_family(family),
          m_style(styleOf(family)),
          m_options(options)
    {
    }

    Status tools(std::string_view json)
    {
        if (!chatFeatures(m_family).tools || json.empty())
            return Done{};
        Result<std::string> declared = compactTools(json);
        if (declared && (m_family == ChatFamily::K25 || m_family == ChatFamily::K26)) {
            if (const Result<ToolDeclaration> typed = declareTools(json); typed && !typed->text.empty())
                declared = typed->text;
        }
        if (!declared)
            return declared.error();
        if (declared->empty())
            return Done{};
        literal("<|im_system|>tool_declare<|im_middle|>");
        text(*declared);
        literal("<|im_end|>");
        return Done{};
    }

    void conversation(std::span<const Message> messages)
    {
        const bool without =
            messages.empty() ? m_style.defaultWithoutMessages : messages.front().role != Role::System;
        if (without && !m_style.defaultSystem.empty()) {
            literal("<|im_system|>system<|im_middle|>");
            literal(m_style.defaultSystem);
            literal("<|im_end|>");
            literal(m_style.afterDefault);
        }
        const Message *begun = m_options.continueLast && !messages.empty() ? &messages.back() : nullptr;
        if (begun)
            messages = messages.first(messages.size() - 1);
        std::size_t history = 0; // messages before this lie before the current tool loop
        for (std::size_t i = 0; i < messages.size(); ++i) {
            if (messages[i].role == Role::Assistant && !hasPart<ToolCallPart>(messages[i]))
                history = i + 1;
        }
        const bool keepAll = m_family == ChatFamily::K26 && m_options.preserveThinking;
        for (std::size_t i = 0; i < messages.size(); ++i)
            turn(messages[i], keepAll || (i >= history && !thinkingOff()));
        if (begun || m_options.addGenerationPrompt)
            generationPrompt();
        if (begun)
            beginning(*begun);
    }

    /// As the model would have written it after the generation prompt.
    void beginning(const Message &message)
    {
        const bool switched = chatFeatures(m_family).thinkingSwitch;
        const bool thinks = hasPart<ThinkingPart>(message);
        const bool speaks = hasPart<TextPart>(message);
        if (m_style.thinking && !thinkingOff() && (switched || thinks)) {
            if (!switched)
                literal("<think>");
            for (const Part &part : message.parts) {
                if (const auto *thought = std::get_if<ThinkingPart>(&part))
                    text(thought->text);
            }
            if (speaks)
                literal("</think>");
        }
        for (const Part &part : message.parts) {
            if (const auto *words = std::get_if<TextPart>(&part))
                text(words->text);
        }
    }

    std::vector<PromptSegment> take() { return std::move(m_segments); }

private:
    bool thinkingOff() const
    {
        return chatFeatures(m_family).thinkingSwitch && m_options.thinking == std::optional(false);
    }

    void literal(std::string_view words) { append(Kind::Literal, words); }
    void text(std::string_view words) { append(Kind::Text, words); }

    void append(Kind kind, std::string_view words)
    {
        if (words.empty())
            return;
        if (!m_segments.empty() && m_segments.back().kind == kind)
            m_segments.back().text += words;
        else
            m_segments.push_back({kind, std::string(words)});
    }

    void turn(const Message &message, bool keepThinking)
    {
        const bool assistant = message.role == Role::Assistant;
        if (message.role == Role::User)
            literal("<|im_user|>");
        else if (assistant)
            literal("<|im_assistant|>");
        else if (m_style.otherRolesOpen || message.role == Role::System)
            literal("<|im_system|>");
        text(m_style.names && !message.name.empty() ? std::string_view(message.name) : roleWord(message));
        literal("<|im_middle|>");
        if (assistant && m_style.thinking)
            thinking(message, keepThinking);
        if (message.role == Role::Tool && chatFeatures(m_family).tools) {
            literal("## Return of ");
            text(message.toolCallId);
            literal("\n");
        }
        content(message);
        if (assistant && chatFeatures(m_family).tools)
            calls(message);
        literal("<|im_end|>");
    }

    void thinking(const Message &message, bool keep)
    {
        literal("<think>");
        for (const Part &part : message.parts) {
            if (const auto *thought = std::get_if<ThinkingPart>(&part); thought && keep)
                text(thought->text);
        }
        literal("</think>");
    }

    void content(const Message &message)
    {
        for (const Part &part : message.parts) {
            if (const auto *words = std::get_if<TextPart>(&part)) {
                text(words->text);
            } else if (const auto *media = std::get_if<MediaPart>(&part)) {
                medium(*media);
                ++m_media;
            }
        }
    }

    void medium(const MediaPart &media)
    {
        const bool video = media.kind == MediaPart::Kind::Video;
        // Templates without a place for a kind of media print nothing for it.
        if (m_style.mediaOpening.empty() || (video && !chatFeatures(m_family).video))
            return;
        PromptSegment segment{Kind::Media, {}, m_media, video};
        segment.text =
            video ? "<|kimi_k25_video_placeholder|>"
                  : std::string(m_style.mediaOpening) + "image<|media_content|><|media_pad|><|media_end|>";
        m_segments.push_back(std::move(segment));
        literal(m_style.afterMedium);
    }

    void calls(const Message &message)
    {
        if (!hasPart<ToolCallPart>(message))
            return;
        literal("<|tool_calls_section_begin|>");
        for (const Part &part : message.parts) {
            if (const auto *call = std::get_if<ToolCallPart>(&part)) {
                literal("<|tool_call_begin|>");
                text(call->id);
                literal("<|tool_call_argument_begin|>");
                text(call->argumentsJson);
                literal("<|tool_call_end|>");
            }
        }
        literal("<|tool_calls_section_end|>");
    }

    void generationPrompt()
    {
        literal("<|im_assistant|>assistant<|im_middle|>");
        if (chatFeatures(m_family).thinkingSwitch)
            literal(thinkingOff() ? "<think></think>" : "<think>");
    }

    ChatFamily m_family;
    Style m_style;
    PromptOptions m_options;
    std::size_t m_media = 0; // in message order, printed or not
    std::vector<PromptSegment> m_segments;
};

} // namespace

Result<std::vector<PromptSegment>> renderPrompt(ChatFamily family, std::span<const Message> messages,
                                                std::string_view toolsJson, const PromptOptions &options)
{
    Renderer renderer(family, options);
    if (const Status declared = renderer.tools(toolsJson); !declared)
        return declared.error();
    renderer.conversation(messages);
    return renderer.take();
}

std::vector<PromptSegment> beginningOf(ChatFamily family, const Message &message,
                                       std::optional<bool> thinking)
{
    PromptOptions options;
    options.thinking = thinking;
    Renderer renderer(family, options);
    renderer.beginning(message);
    return renderer.take();
}

std::vector<const MediaPart *> mediaOf(std::span<const Message> messages)
{
    std::vector<const MediaPart *> media;
    for (const Message &message : messages) {
        for (const Part &part : message.parts) {
            if (const auto *medium = std::get_if<MediaPart>(&part))
                media.push_back(medium);
        }
    }
    return media;
}

Status checkMediaSupport(ChatFamily family, std::span<const Message> messages)
{
    const ChatFeatures features = chatFeatures(family);
    for (const MediaPart *medium : mediaOf(messages)) {
        const bool video = medium->kind == MediaPart::Kind::Video;
        if (video ? features.video : features.images)
            continue;
        return Error{ErrorCode::Unsupported, std::string(chatFamilyTitle(family)) + " can't take " +
                                                 (video ? "video" : "pictures") + ": " +
                                                 (medium->name.empty() ? medium->path : medium->name)};
    }
    return Done{};
}

} // namespace perilune
