#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// Reads keys of one JSON object. The first fault is kept as a sentence and every read goes on with a
/// harmless value, so that the readers stay lists of fields.
class ConfigReader {
public:
    /// `path` names the object in messages; empty for the top level.
    ConfigReader(const nlohmann::json &object, std::string path, std::string &fault)
        : m_object(object),
          m_path(std::move(path)),
          m_fault(fault)
    {
    }

    ConfigReader inside(const nlohmann::json &object, const std::string &key) const
    {
        return {object, m_path.empty() || key.empty() ? m_path + key : m_path + "." + key, m_fault};
    }

    /// There and not null.
    bool has(const char *key) const;
    /// `first` where the object has it, else `second`.
    const char *either(const char *first, const char *second) const { return has(first) ? first : second; }

    /// A whole number from `least` to `most`; without a default the key must be there.
    std::uint32_t size(const char *key, std::optional<std::uint32_t> missing = {}, std::uint32_t least = 1,
                       std::uint32_t most = 1u << 24);
    /// As size(), but the key must be there and null is 0.
    std::uint32_t sizeOrNull(const char *key, std::uint32_t most);
    std::vector<std::uint32_t> sizes(const char *key, std::vector<std::uint32_t> missing);
    double number(const char *key, std::optional<double> missing, double least, double most);
    bool truth(const char *key, bool missing);
    std::string text(const char *key, const std::string &missing);
    /// An empty object where the key is absent or null; anything but an object is a fault.
    const nlohmann::json &object(const char *key);

    void refuse(const std::string &key, const std::string &expected, const std::string &found);
    const std::string &firstFault() const { return m_fault; }

private:
    std::string nameOf(const std::string &key) const { return m_path.empty() ? key : m_path + "." + key; }
    /// Null where the key is absent or null; without a default that is a fault.
    const nlohmann::json *find(const char *key, bool required, const char *expected);

    const nlohmann::json &m_object;
    std::string m_path;
    std::string &m_fault;
};

} // namespace perilune
