#pragma once

#include "engine/api/message.h"
#include "engine/text/json_value.h"
#include "engine/text/tokenizer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace perilune::test {

/// The bytes of a file under tests/data/text.
inline std::string textData(const std::string &name)
{
    QFile file(QString::fromStdString(TEST_DATA_DIR "/text/" + name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no test data %s", name.c_str());
    return file.readAll().toStdString();
}

/// One JSON value for each line of a file under tests/data/text.
inline std::vector<JsonValue> textCases(const std::string &name)
{
    std::vector<JsonValue> cases;
    const std::string text = textData(name);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (end > at)
            cases.push_back(*parseJson(std::string_view(text).substr(at, end - at)));
        at = end + 1;
    }
    return cases;
}

inline const JsonValue &member(const JsonValue &object, std::string_view key)
{
    const JsonValue *value = object.find(key);
    if (!value)
        qFatal("no member %s", std::string(key).c_str());
    return *value;
}

inline bool isTrue(const JsonValue &object, std::string_view key, bool otherwise)
{
    const JsonValue *value = object.find(key);
    return value && value->is(JsonValue::Kind::Boolean) ? value->boolean : otherwise;
}

inline std::vector<TokenId> ids(const JsonValue &list)
{
    std::vector<TokenId> out;
    out.reserve(list.items.size());
    for (const JsonValue &item : list.items)
        out.push_back(static_cast<TokenId>(std::stoul(item.text)));
    return out;
}

inline std::string fromHex(const std::string &hex)
{
    return QByteArray::fromHex(QByteArray::fromStdString(hex)).toStdString();
}

/// A model folder with the test vocabulary and nothing but a model type in its config.json.
class ModelFolder {
public:
    explicit ModelFolder(const std::string &vocabulary = textData("tokenizer/vocab_a.tiktoken"),
                         const std::string &modelType = "kimi_k25")
    {
        write("tiktoken.model", vocabulary);
        write("config.json", R"({"model_type": ")" + modelType + R"("})");
    }

    void write(const std::string &name, const std::string &text) const
    {
        QFile file(QString::fromStdString(path() + "/" + name));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(text.data(), qint64(text.size())) != qint64(text.size()))
            qFatal("can't write %s", name.c_str());
    }

    std::string path() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

inline Message message(Role role, std::vector<Part> parts, const std::string &name = {})
{
    Message made;
    made.role = role;
    made.parts = std::move(parts);
    made.name = name;
    return made;
}

inline MediaPart medium(MediaPart::Kind kind, const std::string &path)
{
    return {kind, path, path.substr(path.rfind('/') + 1), nullptr};
}

/// Small random numbers that are the same everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed * 2 + 1) {}
    std::size_t below(std::size_t limit)
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return static_cast<std::size_t>(m_state >> 11) % limit;
    }

private:
    std::uint64_t m_state;
};

} // namespace perilune::test

/// QCOMPARE for strings that may hold anything, naming the case.
#define COMPARE_TEXT(actual, expected, name)                                                                 \
    do {                                                                                                     \
        const std::string is = (actual), should = (expected), which = (name);                                \
        QVERIFY2(is == should, (which + "\n  is       " + is + "\n  expected " + should).c_str());           \
    } while (false)
