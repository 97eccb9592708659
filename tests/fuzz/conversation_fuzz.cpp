// A conversation in OpenAI's format, rendered and made into ids: no words of it give control tokens.
#include "engine/text/chat_template.h"
#include "engine/text/openai_json.h"
#include "tests/fuzz/model_folder.h"

using namespace perilune;
using namespace perilune::fuzz;

namespace {

std::vector<TokenId> controlTokens(const Tokenizer &tokenizer, const std::vector<PromptSegment> &segments)
{
    std::vector<TokenId> found;
    for (const TokenId id : tokenizePrompt(tokenizer, segments)) {
        if (id >= tokenizer.baseSize())
            found.push_back(id);
    }
    return found;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    Input input(data, size);
    const auto family = static_cast<ChatFamily>(input.below(6));
    const std::size_t choices = input.below(32);
    PromptOptions options;
    options.addGenerationPrompt = choices & 1;
    options.preserveThinking = choices & 2;
    if (choices & 4)
        options.thinking = choices & 8;

    const Result<Conversation> read = conversationFromJson(input.rest(), family);
    if (!read) {
        requireSentence(read.error().message);
        return 0;
    }
    const auto segments = renderPrompt(family, read->messages, read->toolsJson, options);
    if (!segments) {
        requireSentence(segments.error().message);
        return 0;
    }
    std::vector<PromptSegment> harmless = *segments;
    for (PromptSegment &segment : harmless) {
        if (segment.kind == PromptSegment::Kind::Text)
            segment.text = "x";
    }
    const Tokenizer &tokenizer = tokenizerOf(family);
    require(controlTokens(tokenizer, *segments) == controlTokens(tokenizer, harmless),
            "no words give control tokens");
    const Result<std::string> decoded = tokenizer.decode(tokenizePrompt(tokenizer, *segments));
    require(decoded && *decoded == promptText(*segments), "the ids of a prompt are its text");

    // Writing keeps what matters: the conversation read back makes the same prompt.
    const Result<Conversation> again =
        conversationFromJson(conversationToJson(read->messages, read->toolsJson), family);
    require(again.has_value(), "what was written can be read");
    const auto twin = renderPrompt(family, again->messages, again->toolsJson, options);
    require(twin && promptText(*twin) == promptText(*segments), "a conversation read back renders the same");
    return 0;
}
