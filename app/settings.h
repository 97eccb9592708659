#pragma once

#include "engine/api/sampling.h"
#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace perilune {

/// What a person has set. Plain values; who needs them is given them.
struct Settings {
    enum class Theme { System, Light, Dark };

    Theme theme = Theme::System;
    double textScale = 1.0;                       ///< 0.5 to 3
    bool highContrast = false;                    ///< plain black and white, stronger lines
    bool reducedMotion = false;                   ///< nothing slides or fades
    std::map<std::string, std::string> shortcuts; ///< other than the usual ones: a command's name to its keys
    bool thinking = true;
    bool titles = true;      ///< the model gives chats titles while nobody asks it anything
    SamplingWishes sampling; ///< what is left open follows the model
    std::uint32_t maxNewTokens = 4096;
    std::string modelFolder;         ///< empty: the demo model
    std::string device;              ///< empty: the fastest usable one
    std::uint32_t contextTokens = 0; ///< 0: the model's own, or what fits
    int windowWidth = 1100, windowHeight = 760;
    bool windowMaximized = false;
    int sidebarWidth = 280;
};

/// Settings in one JSON file.
class SettingsFile {
public:
    /// Reads `path`. A missing file gives the defaults. A damaged one is moved aside (`path`.damaged) and
    /// gives the defaults: notice() says so. A key with an unfit value keeps its default.
    static SettingsFile open(std::filesystem::path path);

    const Settings &values() const { return m_values; }
    /// A sentence for the person; empty where nothing is the matter.
    const std::string &notice() const { return m_notice; }

    /// Writes `values` in place of the old ones, all or nothing; keys that this build doesn't know stay.
    Status save(const Settings &values);

private:
    std::filesystem::path m_path;
    Settings m_values;
    std::string m_notice;
    std::string m_document; // JSON text as it was read, for the unknown keys
};

/// settings.json in places::configFolder().
std::filesystem::path defaultSettingsPath();

} // namespace perilune
