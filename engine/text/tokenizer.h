#pragma once

#include "engine/base/result.h"
#include "engine/text/chat_family.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

using TokenId = std::uint32_t;

/// Ids of the control tokens by meaning. The optional ones exist only in families that name them.
struct ControlTokens {
    TokenId bos = 0, eos = 0, eot = 0, unknown = 0, pad = 0;
    TokenId imEnd = 0, imUser = 0, imAssistant = 0, imSystem = 0, imMiddle = 0;
    std::optional<TokenId> mediaBegin, mediaContent, mediaEnd, mediaPad;
    std::optional<TokenId> thinkBegin, thinkEnd;
};

/// Byte-pair encoding over the `tiktoken.model` of a model folder, with the 256 control tokens that follow
/// its ranks. Immutable once loaded and cheap to copy (copies share the tables); may be used from several
/// threads.
///
/// Text is UTF-8. Bytes that are not become U+FFFD, one for each maximal invalid sub-part, before encoding.
class Tokenizer {
public:
    /// Reads tiktoken.model and, where there is one, tokenizer_config.json. `family` overrides what
    /// config.json says. Corrupt names the file and the line.
    static Result<Tokenizer> load(const std::string &folder, std::optional<ChatFamily> family = std::nullopt);

    ~Tokenizer();
    Tokenizer(const Tokenizer &);
    Tokenizer(Tokenizer &&) noexcept;
    Tokenizer &operator=(const Tokenizer &);
    Tokenizer &operator=(Tokenizer &&) noexcept;

    /// Encodes as the reference processor does: named control tokens split the text first, and what stands
    /// between them is encoded by itself. With `allowSpecial` false, all names are ordinary text.
    std::vector<TokenId> encode(std::string_view text, bool allowSpecial = true) const;

    /// Encodes the whole text in one call, as the reference tokenizer does by itself; differs from encode()
    /// only where a run of 25,000 or a text of 400,000 code points is cut.
    std::vector<TokenId> encodeDirect(std::string_view text, bool allowSpecial = true) const;

    /// Encodes text that may hold no control tokens: every id is below baseSize().
    std::vector<TokenId> encodeOrdinary(std::string_view text) const;

    /// The pieces that pre-tokenization cuts `text` into, as byte lengths. For valid UTF-8; they sum to its
    /// size.
    std::vector<std::size_t> pieces(std::string_view text) const;

    /// The text of `ids`: bytes joined, control tokens as their names, invalid UTF-8 replaced.
    /// InvalidInput for an id that is not in the vocabulary.
    Result<std::string> decode(std::span<const TokenId> ids) const;

    /// The bytes of one token, the name of a control token. Empty view for an id beyond size().
    std::string_view bytes(TokenId id) const;

    /// The id of a control token by its exact name, if it is one of this vocabulary.
    std::optional<TokenId> controlToken(std::string_view name) const;

    /// Tokens that end a reply: end of turn, end of text, whatever the config files say.
    bool isStop(TokenId id) const;

    /// True for control tokens that are never shown; markers of thinking and tool calls are not among them.
    bool isHidden(TokenId id) const;

    const ControlTokens &control() const;
    std::uint32_t baseSize() const; ///< ranks of tiktoken.model; control tokens follow
    std::uint32_t size() const;     ///< baseSize() + 256
    ChatFamily family() const;

    /// Copies the vocabulary file to `folder`/[`prefix`-]tiktoken.model and returns that path. Copies nothing
    /// where source and target are the same file.
    Result<std::string> saveVocabulary(const std::string &folder, const std::string &prefix = {}) const;

private:
    struct Tables;
    explicit Tokenizer(std::shared_ptr<const Tables> tables);

    std::shared_ptr<const Tables> m_tables;
};

/// Turns ids into text as they arrive: only whole characters come out, an unfinished one is held back.
class StreamingDecoder {
public:
    /// Hidden control tokens are left out where `skipHidden` is set (see Tokenizer::isHidden).
    explicit StreamingDecoder(Tokenizer tokenizer, bool skipHidden = false);

    /// The text that `id` completes. InvalidInput for an id that is not in the vocabulary.
    Result<std::string> feed(TokenId id);

    /// What was held back, as U+FFFD: the ids ended within a character.
    std::string finish();

private:
    Tokenizer m_tokenizer;
    bool m_skipHidden;
    std::string m_held; // a valid beginning of one character, at most 3 bytes
};

} // namespace perilune
