#include "engine/weights/json_file.h"

#include "engine/base/read_file.h"
#include "engine/base/shortened.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

namespace perilune {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

/// Follows a parse and finds the first fault.
class ObjectCheck : public json::json_sax_t {
public:
    explicit ObjectCheck(std::string_view text) : m_text(text) {}
    std::string fault;

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t &) override { return value(); }
    bool string(string_t &) override { return value(); }
    bool binary(binary_t &) override { return value(); }
    bool start_object(std::size_t) override
    {
        m_seen.emplace_back();
        m_awaited.clear();
        return true;
    }
    bool end_object() override
    {
        m_seen.pop_back();
        return true;
    }
    bool start_array(std::size_t) override { return value(); }
    bool end_array() override { return true; }

    bool key(string_t &name) override
    {
        m_awaited = shortened(name);
        if (m_seen.back().insert(name).second)
            return true;
        fault = ": " + m_awaited + " stands there twice";
        return false;
    }

    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &) override
    {
        if (!fault.empty())
            return false;
        // NaN and Infinity are what some writers of Python put into such files.
        constexpr std::string_view kEnds = ",:]}[{ \t\r\n";
        const std::size_t at = std::min(position > 0 ? position - 1 : 0, m_text.size());
        const std::size_t before = at == 0 ? std::string_view::npos : m_text.find_last_of(kEnds, at - 1);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        const std::string word = shortened(m_text.substr(begin, m_text.find_first_of(kEnds, at) - begin));
        const bool readable =
            !word.empty() && std::ranges::all_of(word, [](char c) { return c > ' ' && c < '\x7f'; });
        if (!m_awaited.empty() && readable)
            fault = ": " + m_awaited + " must be a JSON value, but there is " + word;
        else
            fault = " is not a JSON object: byte " + std::to_string(position) + " is not what JSON has there";
        return false;
    }

private:
    bool value()
    {
        m_awaited.clear();
        if (!m_seen.empty())
            return true;
        fault = " is not a JSON object";
        return false;
    }

    const std::string_view m_text;
    std::vector<std::unordered_set<std::string>> m_seen; // keys, of each object that is open
    std::string m_awaited;                               // the key whose value comes next
};

} // namespace

Status checkJsonObject(std::string_view text, const std::string &file)
{
    ObjectCheck check(text);
    if (!json::sax_parse(text.begin(), text.end(), &check))
        return Error{ErrorCode::Corrupt, file + check.fault};
    return Done{};
}

Result<std::string> readJsonFile(const std::string &path, std::uint64_t longest)
{
    std::error_code failed;
    if (!fs::exists(path, failed))
        return Error{ErrorCode::NotFound, path + " is not there"};
    const std::uint64_t size = fs::is_regular_file(path, failed) ? fs::file_size(path, failed) : 0;
    if (failed || !fs::is_regular_file(path, failed))
        return Error{ErrorCode::InvalidInput, path + " is not a readable file"};
    if (size > longest)
        return Error{ErrorCode::Corrupt, path + " has " + std::to_string(size) + " bytes, more than the " +
                                             std::to_string(longest) + " expected at most"};
    return readFile(path, longest);
}

bool nestsAtMost(std::string_view json, int deepest)
{
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepest)
                return false;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return true;
}

} // namespace perilune
