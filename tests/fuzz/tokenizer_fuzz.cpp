// Encoding then decoding gives the text back, by every way of encoding; streaming never shows half a
// character.
#include "engine/text/utf8.h"
#include "tests/fuzz/model_folder.h"

using namespace perilune;
using namespace perilune::fuzz;

namespace {

void streamed(const Tokenizer &tokenizer, const std::vector<TokenId> &ids, std::string_view expected)
{
    StreamingDecoder decoder(tokenizer);
    std::string shown;
    for (const TokenId id : ids) {
        const Result<std::string> more = decoder.feed(id);
        require(more.has_value() && isValidUtf8(*more), "only whole characters are shown");
        shown += *more;
    }
    require(shown + decoder.finish() == expected, "streaming shows what decoding gives");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    Input input(data, size);
    const Tokenizer &tokenizer = tokenizerOf(static_cast<ChatFamily>(input.below(6)));
    const std::string_view raw = input.rest();
    const std::string text = repairedUtf8(raw);
    require(isValidUtf8(text) && (text == raw || !isValidUtf8(raw)), "only invalid text is repaired");

    for (const std::vector<TokenId> &ids :
         {tokenizer.encode(text), tokenizer.encode(text, false), tokenizer.encodeDirect(text)}) {
        const Result<std::string> decoded = tokenizer.decode(ids);
        require(decoded.has_value() && *decoded == text, "decoding gives the text back");
        streamed(tokenizer, ids, text);
    }
    require(tokenizer.encode(raw) == tokenizer.encode(text), "encoding repairs by itself");
    for (const TokenId id : tokenizer.encodeOrdinary(text))
        require(id < tokenizer.baseSize(), "ordinary text gives no control tokens");

    std::size_t sum = 0;
    for (const std::size_t length : tokenizer.pieces(text)) {
        require(length > 0, "no piece is empty");
        sum += length;
    }
    require(sum == text.size(), "the pieces are the text");

    // Any bytes as ids, control tokens among them: invalid text, but the same by both ways.
    std::vector<TokenId> ids;
    for (std::size_t at = 0; at + 1 < raw.size(); at += 2)
        ids.push_back((static_cast<unsigned char>(raw[at]) * 256u + static_cast<unsigned char>(raw[at + 1])) %
                      tokenizer.size());
    const Result<std::string> decoded = tokenizer.decode(ids);
    require(decoded.has_value() && isValidUtf8(*decoded), "any ids decode to valid text");
    streamed(tokenizer, ids, *decoded);
    return 0;
}
