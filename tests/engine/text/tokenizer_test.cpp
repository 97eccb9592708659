#include "tests/engine/text/text_golden.h"

#include <QCryptographicHash>

using namespace perilune;
using namespace perilune::test;

class TokenizerTest : public QObject {
    Q_OBJECT

private slots:
    void everyCaseGivesTheReferenceIds();
    void piecesAreThoseOfTheReference();
    void longTextIsCutAsTheReferenceCutsIt();
    void invalidUtf8BecomesReplacementCharacters();
    void decodesAsTheReferenceDoes();
    void streamingNeverShowsHalfACharacter();
    void encodeThenDecodeIsTheIdentity();
    void ordinaryTextGivesNoControlTokens();
    void namesFollowTheFamily();
    void namesComeFromTokenizerConfig();
    void wrongTokenizerConfigIsRefused();
    void unknownIdsAreRefused();
    void savesTheVocabulary();
    void reservedTokensAreEncodable();

private:
    ModelFolder m_folder;
    Tokenizer m_tokenizer = *Tokenizer::load(m_folder.path());
};

void TokenizerTest::everyCaseGivesTheReferenceIds()
{
    for (const JsonValue &one : textCases("tokenizer/cases.jsonl")) {
        const std::string &text = member(one, "text").text;
        const bool special = isTrue(one, "allow_special", true);
        const std::vector<TokenId> expected = ids(member(one, "ids"));
        QVERIFY2(m_tokenizer.encode(text, special) == expected, member(one, "id").text.c_str());
        QVERIFY2(m_tokenizer.encodeDirect(text, special) == expected, member(one, "id").text.c_str());
    }
}

void TokenizerTest::piecesAreThoseOfTheReference()
{
    int compared = 0;
    for (const JsonValue &one : textCases("tokenizer/cases.jsonl")) {
        const JsonValue *expected = one.find("pieces_u8");
        if (!expected || !expected->is(JsonValue::Kind::Array))
            continue;
        std::vector<std::size_t> lengths;
        for (const JsonValue &length : expected->items)
            lengths.push_back(std::stoul(length.text));
        QVERIFY2(m_tokenizer.pieces(member(one, "text").text) == lengths, member(one, "id").text.c_str());
        ++compared;
    }
    QVERIFY(compared > 400);
}

static std::string hashOf(const std::vector<TokenId> &ids)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const TokenId id : ids) {
        const char bytes[] = {char(id), char(id >> 8), char(id >> 16), char(id >> 24)};
        hash.addData(QByteArray(bytes, 4));
    }
    return hash.result().toHex().toStdString();
}

void TokenizerTest::longTextIsCutAsTheReferenceCutsIt()
{
    for (const JsonValue &one : textCases("tokenizer/long_cases.jsonl")) {
        std::string text;
        for (const JsonValue &part : member(one, "gen").items) {
            for (long n = std::stol(member(part, "n").text); n > 0; --n)
                text += member(part, "repeat").text;
        }
        const std::string name = member(one, "id").text;
        COMPARE_TEXT(hashOf(m_tokenizer.encodeDirect(text)),
                     member(member(one, "direct"), "sha256_u32le").text, name);
        COMPARE_TEXT(hashOf(m_tokenizer.encode(text)), member(member(one, "segmented"), "sha256_u32le").text,
                     name);
    }
}

void TokenizerTest::invalidUtf8BecomesReplacementCharacters()
{
    for (const JsonValue &one : textCases("tokenizer/invalid_utf8.jsonl")) {
        const std::string bytes = fromHex(member(one, "bytes_hex").text);
        QVERIFY2(m_tokenizer.encode(bytes) == ids(member(one, "ids")), member(one, "bytes_hex").text.c_str());
    }
}

void TokenizerTest::decodesAsTheReferenceDoes()
{
    for (const JsonValue &one : textCases("tokenizer/decode.jsonl"))
        COMPARE_TEXT(*m_tokenizer.decode(ids(member(one, "ids"))), member(one, "text").text,
                     member(one, "bytes_hex").text);
}

void TokenizerTest::streamingNeverShowsHalfACharacter()
{
    for (const JsonValue &one : textCases("tokenizer/decode.jsonl")) {
        StreamingDecoder decoder(m_tokenizer);
        const std::vector<JsonValue> &expected = member(one, "stream").items;
        std::size_t at = 0;
        for (const TokenId id : ids(member(one, "ids")))
            COMPARE_TEXT(*decoder.feed(id), expected.at(at++).text, member(one, "bytes_hex").text);
        COMPARE_TEXT(decoder.finish(), expected.at(at).text, member(one, "bytes_hex").text);
    }
}

/// Text of every kind that the pattern tells apart, and names of control tokens.
static std::string randomText(Random &random, std::size_t length)
{
    static const std::vector<std::string> atoms = {"a",
                                                   "B",
                                                   "é",
                                                   "ſ",
                                                   "'s",
                                                   "'LL",
                                                   "’",
                                                   " ",
                                                   "  ",
                                                   "\n",
                                                   "\r\n",
                                                   "\t",
                                                   "\u00A0",
                                                   "\u3000",
                                                   "1",
                                                   "23",
                                                   "٣",
                                                   "Ⅷ",
                                                   "中",
                                                   "〇",
                                                   "々",
                                                   "あ",
                                                   "ア",
                                                   "한",
                                                   "ᾈ",
                                                   "ʰ",
                                                   "ª",
                                                   "́",
                                                   "ि",
                                                   "🙂",
                                                   "👩‍👩‍👧",
                                                   "$",
                                                   "!",
                                                   "_",
                                                   "\x01",
                                                   "\x1c",
                                                   "\u200b",
                                                   "\uE000",
                                                   "<",
                                                   "<|",
                                                   "<|im_end|>",
                                                   "<think>",
                                                   "[EOS]",
                                                   "<|reserved_token_4101|>",
                                                   "|>"};
    std::string text;
    while (text.size() < length)
        text += atoms[random.below(atoms.size())];
    return text;
}

void TokenizerTest::encodeThenDecodeIsTheIdentity()
{
    Random random(7);
    for (int i = 0; i < 2000; ++i) {
        const std::string text = randomText(random, random.below(120));
        std::size_t sum = 0;
        for (const std::size_t length : m_tokenizer.pieces(text)) {
            QVERIFY(length > 0);
            sum += length;
        }
        QCOMPARE(sum, text.size());
        COMPARE_TEXT(*m_tokenizer.decode(m_tokenizer.encode(text)), text, "special");
        COMPARE_TEXT(*m_tokenizer.decode(m_tokenizer.encodeOrdinary(text)), text, "ordinary");
    }
}

void TokenizerTest::ordinaryTextGivesNoControlTokens()
{
    Random random(11);
    for (int i = 0; i < 1000; ++i) {
        for (const TokenId id : m_tokenizer.encodeOrdinary(randomText(random, 200)))
            QVERIFY(id < m_tokenizer.baseSize());
    }
}

void TokenizerTest::namesFollowTheFamily()
{
    const auto has = [this](ChatFamily family, const char *name) {
        return Tokenizer::load(m_folder.path(), family)->controlToken(name).has_value();
    };

    QVERIFY(has(ChatFamily::K25, "<|media_begin|>") && has(ChatFamily::K26, "</think>"));
    QVERIFY(has(ChatFamily::K2, "<|tool_call_begin|>") && !has(ChatFamily::K2, "<|media_begin|>"));
    QVERIFY(has(ChatFamily::K2, "<|reserved_token_4114|>") && !has(ChatFamily::K2, "<think>"));
    QVERIFY(has(ChatFamily::K2Thinking, "<think>") && !has(ChatFamily::K2Thinking, "<|media_pad|>"));
    QVERIFY(has(ChatFamily::KimiVl, "<|media_start|>") && !has(ChatFamily::KimiVl, "<|tool_call_begin|>"));
    QVERIFY(has(ChatFamily::Moonlight, "<|im_middle|>") && !has(ChatFamily::Moonlight, "<|media_pad|>"));
    QCOMPARE(m_tokenizer.control().mediaPad, std::optional<TokenId>(4117));
    QVERIFY(m_tokenizer.isStop(4096 + 1) && m_tokenizer.isStop(4096 + 2) && m_tokenizer.isStop(4096 + 9));
    QVERIFY(!m_tokenizer.isStop(4096 + 3));
    QVERIFY(m_tokenizer.isHidden(4117) && !m_tokenizer.isHidden(4118) && !m_tokenizer.isHidden(5));
    QCOMPARE(m_tokenizer.size(), 4352u);
}

void TokenizerTest::namesComeFromTokenizerConfig()
{
    ModelFolder folder;
    folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {
        "4100": {"content": "<|bot|>", "special": true}, "4118": {"content": "<muse>", "special": false},
        "4353": {"content": "<|beyond|>", "special": true}}})");
    const Tokenizer tokenizer = *Tokenizer::load(folder.path());

    QCOMPARE(tokenizer.controlToken("<|bot|>"), std::optional<TokenId>(4100));
    QVERIFY(tokenizer.isHidden(4100) && !tokenizer.isHidden(4118));
    QVERIFY(!tokenizer.controlToken("<|im_end|>") && !tokenizer.controlToken("<|beyond|>"));
    QCOMPARE(tokenizer.control().imEnd, 4098u);
    QCOMPARE(tokenizer.encode("<muse>"), std::vector<TokenId>{4118});
    QCOMPARE(tokenizer.encode("<|im_end|>", true), tokenizer.encodeOrdinary("<|im_end|>"));
}

void TokenizerTest::wrongTokenizerConfigIsRefused()
{
    ModelFolder folder;
    for (const char *config :
         {"{", "[]", "7", R"({"added_tokens_decoder": []})", R"({"added_tokens_decoder": "4100"})",
          R"({"added_tokens_decoder": {"4100": []}})",
          R"({"added_tokens_decoder": {"4100": {"content": 7}}})",
          R"({"added_tokens_decoder": {"4100": {"content": ["<|im_user|>"]}}})",
          R"({"added_tokens_decoder": {"4100": {"content": "<|im_user|>", "special": 1}}})",
          R"({"added_tokens_decoder": {"4000000000": {"content": "<|im_user|>"}}})",
          R"({"added_tokens_decoder": {"x": {"content": "a"}}})", R"({"added_tokens_decoder": {"4100": {}}})",
          R"({"added_tokens_decoder": {"12": {"content": "<|im_end|>"}}})"}) {
        folder.write("tokenizer_config.json", config);
        const Result<Tokenizer> tokenizer = Tokenizer::load(folder.path());
        QVERIFY2(!tokenizer, config);
        QCOMPARE(tokenizer.error().code, ErrorCode::Corrupt);
        QVERIFY(tokenizer.error().message.find("tokenizer_config.json") != std::string::npos);
    }
}

void TokenizerTest::unknownIdsAreRefused()
{
    QVERIFY(m_tokenizer.decode(std::vector<TokenId>{4351}));
    QVERIFY(!m_tokenizer.decode(std::vector<TokenId>{4352}));
    QVERIFY(!StreamingDecoder(m_tokenizer).feed(4352));
}

void TokenizerTest::savesTheVocabulary()
{
    QTemporaryDir target;
    const Result<std::string> saved = m_tokenizer.saveVocabulary(target.path().toStdString(), "copy");
    QVERIFY(saved);
    QFile copy(QString::fromStdString(*saved));
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QCOMPARE(copy.readAll().toStdString(), textData("tokenizer/vocab_a.tiktoken"));
    QVERIFY(saved->ends_with("/copy-tiktoken.model"));
    QVERIFY(m_tokenizer.saveVocabulary(m_folder.path()));
    QVERIFY(!m_tokenizer.saveVocabulary("/no/such/folder"));
}

void TokenizerTest::reservedTokensAreEncodable()
{
    QCOMPARE(m_tokenizer.encode("<|reserved_token_4101|>"), std::vector<TokenId>{4101});
    QCOMPARE(m_tokenizer.encode("<|reserved_token_4100|>"),
             m_tokenizer.encodeOrdinary("<|reserved_token_4100|>"));
}

QTEST_GUILESS_MAIN(TokenizerTest)
#include "tokenizer_test.moc"
