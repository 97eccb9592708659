#include "engine/text/chat_template.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <utility>

namespace perilune {

namespace {

using Kind = PromptSegment::Kind;

Error wrongCount(std::size_t prompt, std::size_t given)
{
    return {ErrorCode::InvalidInput, "the prompt has places for " + std::to_string(prompt) +
                                         " pictures and clips, but " + std::to_string(given) + " were given"};
}

/// Collects ordinary words between control tokens, so that they are encoded together: a piece may reach over
/// the join of two segments.
class Stretches {
public:
    Stretches(const Tokenizer &tokenizer, std::vector<TokenId> &ids) : m_tokenizer(tokenizer), m_ids(ids) {}

    void words(std::string_view text) { m_words += text; }

    void control(TokenId id)
    {
        flush();
        m_ids.push_back(id);
    }

    void flush()
    {
        if (m_words.empty())
            return;
        const std::vector<TokenId> ids = m_tokenizer.encodeOrdinary(m_words);
        m_ids.insert(m_ids.end(), ids.begin(), ids.end());
        m_words.clear();
    }

private:
    const Tokenizer &m_tokenizer;
    std::vector<TokenId> &m_ids;
    std::string m_words;
};

/// Appends a literal of the template: what looks like a control token there is one, if the vocabulary has it.
void appendLiteral(const Tokenizer &tokenizer, std::string_view literal, Stretches &stretches)
{
    while (!literal.empty()) {
        const std::size_t open = literal.find('<');
        if (open == std::string_view::npos)
            break;
        stretches.words(literal.substr(0, open));
        literal.remove_prefix(open);
        const std::size_t close = literal.find('>');
        if (close == std::string_view::npos)
            break;
        const std::string_view name = literal.substr(0, close + 1);
        if (const std::optional<TokenId> id = tokenizer.controlToken(name))
            stretches.control(*id);
        else
            stretches.words(name);
        literal.remove_prefix(close + 1);
    }
    stretches.words(literal);
}

} // namespace

Result<std::vector<PromptSegment>> expandMedia(std::vector<PromptSegment> segments,
                                               std::span<const std::vector<std::string>> chunkTimestamps)
{
    std::vector<PromptSegment> expanded;
    std::size_t places = 0; // a template may have none for some, but media that follow are counted on
    for (const PromptSegment &segment : segments) {
        if (segment.kind == Kind::Media)
            places = std::max(places, segment.media + 1);
    }
    if (places != chunkTimestamps.size())
        return wrongCount(places, chunkTimestamps.size());
    for (PromptSegment &segment : segments) {
        if (segment.kind != Kind::Media || !segment.isVideo) {
            expanded.push_back(std::move(segment));
            continue;
        }
        for (const std::string &timestamp : chunkTimestamps[segment.media]) {
            expanded.push_back({Kind::Media,
                                timestamp + "<|media_begin|>video<|media_content|><|media_pad|><|media_end|>",
                                segment.media, false});
        }
    }
    return expanded;
}

Result<std::vector<PromptSegment>> expandMedia(std::vector<PromptSegment> segments,
                                               std::span<const MediaPart *const> media)
{
    std::vector<std::vector<std::string>> timestamps;
    for (const MediaPart *medium : media) {
        const bool video = medium->kind == MediaPart::Kind::Video;
        if (video && !medium->patches)
            return Error{ErrorCode::InvalidInput, "the clip " + medium->path + " has not been read"};
        timestamps.push_back(video ? medium->patches->timestamps : std::vector<std::string>{});
    }
    return expandMedia(std::move(segments), timestamps);
}

std::string promptText(std::span<const PromptSegment> segments)
{
    std::string text;
    for (const PromptSegment &segment : segments)
        text += segment.text;
    return text;
}

std::vector<TokenId> tokenizePrompt(const Tokenizer &tokenizer, std::span<const PromptSegment> segments,
                                    PromptMode mode)
{
    if (mode == PromptMode::Reference)
        return tokenizer.encode(promptText(segments));
    std::vector<TokenId> ids;
    Stretches stretches(tokenizer, ids);
    for (const PromptSegment &segment : segments) {
        // Repaired here: at a join, the end of one text and the start of the next must not make a character.
        if (segment.kind == Kind::Text)
            stretches.words(isValidUtf8(segment.text) ? segment.text : repairedUtf8(segment.text));
        else
            appendLiteral(tokenizer, segment.text, stretches);
    }
    stretches.flush();
    return ids;
}

} // namespace perilune
