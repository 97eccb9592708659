#include "engine/weights/safetensors_header.h"

#include "engine/base/shortened.h"

#include <nlohmann/json.hpp>
#include <unordered_set>

namespace perilune {

namespace {

using nlohmann::json;

/// A safetensors header is two levels deep and nothing else:
/// {"name": {"dtype": s, "shape": [n…], "data_offsets": [n, n]}…, "__metadata__": {"key": s…}}.
/// The parser calls these functions piece by piece; false ends it with `m_fault` as the reason.
class HeaderReader : public json::json_sax_t {
public:
    std::vector<HeaderEntry> entries;
    std::string fault;

    bool null() override { return unexpected("null"); }
    bool boolean(bool) override { return unexpected("a truth value"); }
    bool number_integer(number_integer_t) override { return unexpected("a negative number"); }
    bool number_float(number_float_t, const string_t &) override { return unexpected("a fraction"); }
    bool binary(binary_t &) override { return unexpected("bytes"); }

    bool number_unsigned(number_unsigned_t value) override
    {
        if (m_depth != 3)
            return unexpected("a number");
        if (m_key == "shape") {
            if (m_entry.shape.size() == kMostDimensions)
                return fail("tensor " + shortened(m_entry.name) + " has more than 8 dimensions");
            m_entry.shape.push_back(value);
            return true;
        }
        if (m_offsets == 2)
            return fail("tensor " + shortened(m_entry.name) + ": data_offsets has more than two numbers");
        (m_offsets++ == 0 ? m_entry.begin : m_entry.end) = value;
        return true;
    }

    bool string(string_t &value) override
    {
        if (m_depth == 2 && m_metadata)
            return true;
        if (m_depth != 2 || m_key != "dtype")
            return unexpected("a text");
        m_entry.type = value;
        return true;
    }

    bool start_object(std::size_t) override
    {
        if (m_depth > 1)
            return unexpected("an object");
        m_metadata = m_depth == 1 && m_key == "__metadata__";
        if (++m_depth == 2) {
            m_entry = {};
            m_entry.name = m_key;
            m_seen.clear();
            m_offsets = 0;
        }
        return true;
    }

    bool key(string_t &value) override
    {
        if (m_depth == 1) {
            if (value.size() > kLongestName)
                return fail("a tensor's name is " + std::to_string(value.size()) + " bytes long");
            if (!m_names.insert(value).second)
                return fail("the name " + shortened(value) + " stands there twice");
        } else if (!m_metadata) {
            if (value != "dtype" && value != "shape" && value != "data_offsets")
                return fail("tensor " + shortened(m_entry.name) + " has the unknown key \"" +
                            shortened(value) + "\"");
            if (!m_seen.insert(value).second)
                return fail("tensor " + shortened(m_entry.name) + " has " + value + " twice");
        }
        m_key = value;
        return true;
    }

    bool end_object() override
    {
        if (m_depth-- != 2)
            return true;
        if (!m_metadata) {
            if (m_seen.size() != 3)
                return fail("tensor " + shortened(m_entry.name) +
                            " lacks one of dtype, shape and data_offsets");
            if (m_offsets != 2)
                return fail("tensor " + shortened(m_entry.name) + ": data_offsets must be two numbers");
            entries.push_back(std::move(m_entry));
        }
        m_metadata = false;
        return true;
    }

    bool start_array(std::size_t) override
    {
        if (m_depth != 2 || m_metadata || (m_key != "shape" && m_key != "data_offsets"))
            return unexpected("a list");
        ++m_depth;
        return true;
    }

    bool end_array() override
    {
        --m_depth;
        return true;
    }

    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &) override
    {
        return fail("is not JSON at byte " + std::to_string(position));
    }

private:
    static constexpr std::size_t kMostDimensions = 8;
    static constexpr std::size_t kLongestName = 4096;

    bool fail(std::string what)
    {
        if (fault.empty())
            fault = "the header: " + std::move(what);
        return false;
    }
    bool unexpected(const std::string &found)
    {
        if (m_depth == 0)
            return fail("must be an object, but is " + found);
        return fail((m_depth == 1 ? "entry " + shortened(m_key)
                                  : "tensor " + shortened(m_entry.name) + ", " + m_key) +
                    ": " + found + " is not expected here");
    }

    int m_depth = 0; // 1 in the header, 2 in an entry, 3 in a list of it
    bool m_metadata = false;
    std::string m_key;
    HeaderEntry m_entry;
    int m_offsets = 0;
    std::unordered_set<std::string> m_names, m_seen;
};

} // namespace

Result<std::vector<HeaderEntry>> parseSafetensorsHeader(std::string_view text)
{
    HeaderReader reader;
    if (text.empty() || text.front() != '{')
        return Error{ErrorCode::Corrupt, "the header must start with {"};
    if (!json::sax_parse(text.begin(), text.end(), &reader))
        return Error{ErrorCode::Corrupt, reader.fault};
    return std::move(reader.entries);
}

} // namespace perilune
