#include "engine/text/tokenizer.h"

#include "engine/base/check.h"
#include "engine/text/byte_pair.h"
#include "engine/text/control_tokens.h"
#include "engine/text/json_value.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/text_file.h"
#include "engine/text/utf8.h"
#include "engine/text/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace perilune {

namespace {

constexpr std::uint64_t kLargestVocabulary = 256u << 20;
constexpr std::uint64_t kLargestConfig = 64u << 20;

/// Fills `table` from `added_tokens_decoder` of tokenizer_config.json, where there is one.
Status readControlTokens(const std::string &path, std::uint32_t baseSize, ControlTokenTable &table)
{
    const Result<std::string> file = readTextFile(path, kLargestConfig);
    if (!file)
        return file.error();
    const Result<JsonValue> config = parseJson(*file);
    if (!config)
        return Error{ErrorCode::Corrupt, path + ": " + config.error().message};
    if (!config->is(JsonValue::Kind::Object))
        return Error{ErrorCode::Corrupt, path + ": it holds no JSON object"};
    const JsonValue *tokens = config->find("added_tokens_decoder");
    if (!tokens || tokens->is(JsonValue::Kind::Null))
        return Done{};
    const std::string place = path + ": added_tokens_decoder: ";
    if (!tokens->is(JsonValue::Kind::Object))
        return Error{ErrorCode::Corrupt, place + "it is no object of ids and tokens"};
    if (tokens->members.empty())
        return Done{};
    table.clear();
    for (const auto &[key, token] : tokens->members) {
        std::uint32_t id = 0;
        const auto [end, fault] = std::from_chars(key.data(), key.data() + key.size(), id);
        const JsonValue *content = token.find("content");
        if (fault != std::errc() || end != key.data() + key.size() || !content ||
            !content->is(JsonValue::Kind::String) || content->text.empty())
            return Error{ErrorCode::Corrupt, place + "\"" + key + "\" is no id with its content"};
        if (id < baseSize)
            return Error{ErrorCode::Corrupt, place + "id " + key + " lies within the vocabulary of " +
                                                 std::to_string(baseSize) + " tokens in tiktoken.model"};
        if (id - baseSize >= 2 * kControlTokens)
            return Error{ErrorCode::Corrupt, place + "id " + key + " is far beyond the " +
                                                 std::to_string(baseSize + kControlTokens) +
                                                 " tokens of the vocabulary"};
        if (id - baseSize >= kControlTokens)
            continue; // some folders list two more, but the embedding has no rows for them
        const JsonValue *special = token.find("special");
        if (special && !special->is(JsonValue::Kind::Boolean))
            return Error{ErrorCode::Corrupt, place + "special of \"" + key + "\" is neither true nor false"};
        table.set(id - baseSize, content->text, special && special->boolean);
    }
    return Done{};
}

ControlTokens controlTokensOf(const ControlTokenTable &table, std::uint32_t baseSize)
{
    // Every release has these at the same places; a folder that leaves a name out changes nothing of that.
    const auto required = [&](std::string_view name, std::uint32_t usual) {
        return baseSize + table.offsetOf(name).value_or(usual);
    };
    const auto optional = [&](std::string_view name) -> std::optional<TokenId> {
        if (const std::optional<std::uint32_t> offset = table.offsetOf(name))
            return baseSize + *offset;
        return std::nullopt;
    };
    ControlTokens tokens;
    tokens.bos = required("[BOS]", 0);
    tokens.eos = required("[EOS]", 1);
    tokens.imEnd = required("<|im_end|>", 2);
    tokens.imUser = required("<|im_user|>", 3);
    tokens.imAssistant = required("<|im_assistant|>", 4);
    tokens.eot = required("[EOT]", 9);
    tokens.imSystem = required("<|im_system|>", 10);
    tokens.imMiddle = required("<|im_middle|>", 17);
    tokens.unknown = required("[UNK]", 254);
    tokens.pad = required("[PAD]", 255);
    tokens.mediaBegin = optional("<|media_begin|>");
    if (!tokens.mediaBegin)
        tokens.mediaBegin = optional("<|media_start|>");
    tokens.mediaContent = optional("<|media_content|>");
    tokens.mediaEnd = optional("<|media_end|>");
    tokens.mediaPad = optional("<|media_pad|>");
    tokens.thinkBegin = optional("<think>");
    tokens.thinkEnd = optional("</think>");
    return tokens;
}

} // namespace

struct Tokenizer::Tables {
    Tables(Vocabulary ranks, ControlTokenTable names, ChatFamily family, std::string path)
        : vocabulary(std::move(ranks)),
          controlNames(std::move(names)),
          named(controlNames, true),
          all(controlNames, false),
          control(controlTokensOf(controlNames, vocabulary.size())),
          family(family),
          path(std::move(path))
    {
    }

    /// Appends the ids of text that is one slice and holds no control tokens.
    void encodePlain(std::string_view text, BytePairMerger &merger, std::vector<TokenId> &ids) const
    {
        while (!text.empty()) {
            const std::size_t length = pretokenizer.pieceLength(text);
            merger.encode(text.substr(0, length), ids);
            text.remove_prefix(length);
        }
    }

    /// Appends the ids of valid UTF-8, as one call of the reference's encode().
    void encodeCall(std::string_view text, bool allowSpecial, BytePairMerger &merger,
                    std::vector<TokenId> &ids) const
    {
        for (const std::string_view slice : pretokenizer.slices(text)) {
            std::size_t from = 0;
            while (allowSpecial) {
                const auto found = all.next(slice, from);
                if (!found)
                    break;
                encodePlain(slice.substr(from, found->begin - from), merger, ids);
                ids.push_back(vocabulary.size() + found->offset);
                from = found->begin + found->length;
            }
            encodePlain(slice.substr(from), merger, ids);
        }
    }

    /// Calls `use` with `text`, repaired where it is not UTF-8.
    template <typename Use>
    std::vector<TokenId> withValid(std::string_view text, Use use) const
    {
        std::vector<TokenId> ids;
        ids.reserve(text.size() / 4);
        BytePairMerger merger(vocabulary);
        if (isValidUtf8(text))
            use(text, merger, ids);
        else
            use(std::string_view(repairedUtf8(text)), merger, ids);
        return ids;
    }

    Vocabulary vocabulary;
    ControlTokenTable controlNames;
    ControlTokenSearch named, all;
    ControlTokens control;
    Pretokenizer pretokenizer;
    ChatFamily family;
    std::string path; // of tiktoken.model
};

Tokenizer::Tokenizer(std::shared_ptr<const Tables> tables) : m_tables(std::move(tables)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(const Tokenizer &) = default;
Tokenizer::Tokenizer(Tokenizer &&) noexcept = default;
Tokenizer &Tokenizer::operator=(const Tokenizer &) = default;
Tokenizer &Tokenizer::operator=(Tokenizer &&) noexcept = default;

Result<Tokenizer> Tokenizer::load(const std::string &folder, std::optional<ChatFamily> family)
{
    if (!family) {
        const Result<ChatFamily> detected = detectChatFamily(folder);
        if (!detected)
            return detected.error();
        family = *detected;
    }
    std::string path = folder + "/tiktoken.model";
    const Result<std::string> file = readTextFile(path, kLargestVocabulary);
    if (!file)
        return file.error();
    Result<Vocabulary> vocabulary = Vocabulary::parse(*file, path);
    if (!vocabulary)
        return vocabulary.error();
    ControlTokenTable names(*family, vocabulary->size());
    const std::string config = folder + "/tokenizer_config.json";
    if (fileExists(config)) {
        if (const Status read = readControlTokens(config, vocabulary->size(), names); !read)
            return read.error();
    }
    return Tokenizer(
        std::make_shared<const Tables>(*std::move(vocabulary), std::move(names), *family, std::move(path)));
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, bool allowSpecial) const
{
    if (!allowSpecial)
        return encodeDirect(text, false);
    return m_tables->withValid(text, [this](std::string_view valid, BytePairMerger &merger, auto &ids) {
        std::size_t from = 0;
        while (const auto found = m_tables->named.next(valid, from)) {
            m_tables->encodeCall(valid.substr(from, found->begin - from), true, merger, ids);
            ids.push_back(m_tables->vocabulary.size() + found->offset);
            from = found->begin + found->length;
        }
        m_tables->encodeCall(valid.substr(from), true, merger, ids);
    });
}

std::vector<TokenId> Tokenizer::encodeDirect(std::string_view text, bool allowSpecial) const
{
    return m_tables->withValid(text, [&](std::string_view valid, BytePairMerger &merger, auto &ids) {
        m_tables->encodeCall(valid, allowSpecial, merger, ids);
    });
}

std::vector<TokenId> Tokenizer::encodeOrdinary(std::string_view text) const
{
    return encodeDirect(text, false);
}

std::vector<std::size_t> Tokenizer::pieces(std::string_view text) const
{
    CHECK(isValidUtf8(text));
    std::vector<std::size_t> lengths;
    for (std::string_view slice : m_tables->pretokenizer.slices(text)) {
        while (!slice.empty()) {
            lengths.push_back(m_tables->pretokenizer.pieceLength(slice));
            slice.remove_prefix(lengths.back());
        }
    }
    return lengths;
}

Result<std::string> Tokenizer::decode(std::span<const TokenId> ids) const
{
    std::string text;
    for (const TokenId id : ids) {
        if (id >= size())
            return Error{ErrorCode::InvalidInput, "there is no token " + std::to_string(id) +
                                                      "; the vocabulary has " + std::to_string(size())};
        text += bytes(id);
    }
    return isValidUtf8(text) ? text : repairedUtf8(text);
}

std::string_view Tokenizer::bytes(TokenId id) const
{
    if (id < baseSize())
        return m_tables->vocabulary.bytes(id);
    return id < size() ? std::string_view(m_tables->controlNames[id - baseSize()].name) : std::string_view();
}

std::optional<TokenId> Tokenizer::controlToken(std::string_view name) const
{
    if (const std::optional<std::uint32_t> offset = m_tables->controlNames.offsetOf(name))
        return baseSize() + *offset;
    return std::nullopt;
}

bool Tokenizer::isStop(TokenId id) const
{
    return id == control().imEnd || id == control().eos || id == control().eot;
}

bool Tokenizer::isHidden(TokenId id) const
{
    return id >= baseSize() && id < size() && m_tables->controlNames[id - baseSize()].hidden;
}

const ControlTokens &Tokenizer::control() const
{
    return m_tables->control;
}

std::uint32_t Tokenizer::baseSize() const
{
    return m_tables->vocabulary.size();
}

std::uint32_t Tokenizer::size() const
{
    return baseSize() + kControlTokens;
}

ChatFamily Tokenizer::family() const
{
    return m_tables->family;
}

Result<std::string> Tokenizer::saveVocabulary(const std::string &folder, const std::string &prefix) const
{
    namespace fs = std::filesystem;
    std::error_code fault;
    if (!fs::is_directory(folder, fault))
        return Error{ErrorCode::NotFound, folder + " is not a folder; the vocabulary was not saved"};
    const fs::path target = fs::path(folder) / ((prefix.empty() ? "" : prefix + "-") + "tiktoken.model");
    if (fs::absolute(target, fault) == fs::absolute(m_tables->path, fault) ||
        fs::equivalent(target, m_tables->path, fault))
        return target.string();
    if (!fs::copy_file(m_tables->path, target, fs::copy_options::overwrite_existing, fault))
        return Error{ErrorCode::Io,
                     "copying " + m_tables->path + " to " + target.string() + ": " + fault.message()};
    return target.string();
}

namespace {

/// What to hold back of `text`. The reference's decoder also waits for the third byte of an encoded
/// surrogate, though its first two are invalid already.
std::size_t heldTail(std::string_view text)
{
    const std::string_view two = text.substr(text.size() - std::min<std::size_t>(text.size(), 2));
    if (two.size() == 2 && two[0] == '\xED' && (static_cast<unsigned char>(two[1]) & 0xE0) == 0xA0)
        return 2;
    return incompleteUtf8Tail(text);
}

} // namespace

StreamingDecoder::StreamingDecoder(Tokenizer tokenizer, bool skipHidden)
    : m_tokenizer(std::move(tokenizer)),
      m_skipHidden(skipHidden)
{
}

Result<std::string> StreamingDecoder::feed(TokenId id)
{
    if (id >= m_tokenizer.size())
        return Error{ErrorCode::InvalidInput, "there is no token " + std::to_string(id) +
                                                  "; the vocabulary has " +
                                                  std::to_string(m_tokenizer.size())};
    if (m_skipHidden && m_tokenizer.isHidden(id))
        return std::string();
    std::string text = std::move(m_held);
    text += m_tokenizer.bytes(id);
    const std::size_t held = heldTail(text);
    m_held = text.substr(text.size() - held);
    text.resize(text.size() - held);
    return isValidUtf8(text) ? text : repairedUtf8(text);
}

std::string StreamingDecoder::finish()
{
    return repairedUtf8(std::exchange(m_held, {}));
}

} // namespace perilune
