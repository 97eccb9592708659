#include "engine/weights/shard_index.h"

#include "engine/base/shortened.h"
#include "engine/weights/json_file.h"

#include <nlohmann/json.hpp>
#include <set>

namespace perilune {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestIndex = 64ull << 20; // the real K2.5 index has 208,550 entries in 20 MB
constexpr std::size_t kMostTensors = 1'000'000;
constexpr int kDeepestIndex = 8;
constexpr const char *kNoMap = ": weight_map must be an object that names a file for each tensor";

/// A shard is a file of the same folder: a path could name anything on this machine.
bool isPlainFileName(const std::string &name)
{
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

/// Takes {"metadata": {"total_size": n, …}, "weight_map": {"tensor": "file", …}, …} as it is parsed: the
/// entries and nothing beside them. False ends the parse with `fault` as the reason.
class IndexReader : public json::json_sax_t {
public:
    ShardIndex index;
    std::string fault;

    bool null() override { return other(); }
    bool boolean(bool) override { return other(); }
    bool number_integer(number_integer_t) override { return other(); }
    bool number_float(number_float_t, const string_t &) override { return other(); }
    bool binary(binary_t &) override { return other(); }

    bool number_unsigned(number_unsigned_t value) override
    {
        if (m_keys.size() == 2 && m_keys[0] == "metadata" && m_keys[1] == "total_size")
            index.totalSize = value;
        return other();
    }

    bool string(string_t &value) override
    {
        if (!inMap())
            return other();
        if (!isPlainFileName(value))
            return noFile();
        index.fileOf.emplace(m_keys.back(), value);
        return true;
    }

    bool start_object(std::size_t) override { return inMap() ? noFile() : open(); }
    bool start_array(std::size_t) override
    {
        if (m_keys.size() == 1 && m_keys[0] == "weight_map")
            return fail(kNoMap);
        return inMap() ? noFile() : !m_keys.empty() && open();
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t &name) override
    {
        m_keys.back() = name;
        const bool again =
            inMap() ? index.fileOf.contains(name) : m_keys.size() <= 2 && !m_others.insert(m_keys).second;
        if (again)
            return fail(": " + shortened(name) + " stands there twice");
        if (inMap() && index.fileOf.size() == kMostTensors)
            return fail(": weight_map has more than " + std::to_string(kMostTensors) + " tensors");
        return true;
    }

    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &) override
    {
        return fail(" is not a JSON object: byte " + std::to_string(position) +
                    " is not what JSON has there");
    }

private:
    bool inMap() const { return m_keys.size() == 2 && m_keys[0] == "weight_map"; }
    bool open()
    {
        m_keys.emplace_back();
        return true;
    }
    bool close()
    {
        m_keys.pop_back();
        return true;
    }
    bool other() { return inMap() ? noFile() : !m_keys.empty(); }
    bool noFile()
    {
        return fail(": weight_map gives tensor " + shortened(m_keys.back()) +
                    " no name of a file in the same folder");
    }
    bool fail(std::string what)
    {
        if (fault.empty())
            fault = std::move(what);
        return false;
    }

    std::vector<std::string> m_keys; // the way to what comes next; one for each bracket that is open
    std::set<std::vector<std::string>> m_others;
};

} // namespace

Result<ShardIndex> readShardIndex(const std::string &path)
{
    const Result<std::string> text = readJsonFile(path, kLongestIndex);
    if (!text)
        return text.error();
    if (!nestsAtMost(*text, kDeepestIndex))
        return Error{ErrorCode::Corrupt,
                     path + " nests deeper than " + std::to_string(kDeepestIndex) + " levels"};
    IndexReader reader;
    if (!json::sax_parse(*text, &reader))
        return Error{ErrorCode::Corrupt,
                     path + (reader.fault.empty() ? " is not a JSON object" : reader.fault)};
    ShardIndex &index = reader.index;
    if (index.fileOf.empty())
        return Error{ErrorCode::Corrupt, path + kNoMap};
    std::set<std::string> files;
    for (const auto &[name, file] : index.fileOf)
        files.insert(file);
    index.files.assign(files.begin(), files.end());
    return std::move(index);
}

} // namespace perilune
