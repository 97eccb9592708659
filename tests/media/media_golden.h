#pragma once

#include "media/media_config.h"
#include "media/picture.h"

#include <QFile>
#include <QTest>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace perilune::test {

using Json = nlohmann::json;

inline std::string mediaData(const std::string &name)
{
    return std::string(TEST_DATA_DIR "/media/") + name;
}

inline QByteArray readBytes(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no test data %s", path.c_str());
    return file.readAll();
}

inline Json readJson(const std::string &name)
{
    return Json::parse(readBytes(mediaData(name)).toStdString());
}

inline std::vector<Json> readJsonLines(const std::string &name)
{
    std::vector<Json> lines;
    for (const QByteArray &line : readBytes(mediaData(name)).split('\n')) {
        if (!line.isEmpty())
            lines.push_back(Json::parse(line.toStdString()));
    }
    return lines;
}

/// Tensors of a safetensors file, for tests only: nothing is checked.
class GoldenTensors {
public:
    explicit GoldenTensors(const std::string &name) : m_bytes(readBytes(mediaData(name)))
    {
        std::uint64_t size = 0;
        std::memcpy(&size, m_bytes.constData(), 8);
        m_header = Json::parse(m_bytes.mid(8, qsizetype(size)).toStdString());
        m_start = 8 + size;
    }
    bool has(const std::string &key) const { return m_header.contains(key); }
    std::vector<std::uint32_t> shape(const std::string &key) const { return m_header.at(key).at("shape"); }
    template <typename T>
    std::vector<T> values(const std::string &key) const
    {
        const auto &offsets = m_header.at(key).at("data_offsets");
        const std::uint64_t begin = offsets[0], end = offsets[1];
        std::vector<T> values((end - begin) / sizeof(T));
        std::memcpy(values.data(), m_bytes.constData() + m_start + begin, end - begin);
        return values;
    }
    Picture picture(const std::string &key) const
    {
        const auto sizes = shape(key); // ends with height, width, 3
        return {.width = sizes.at(sizes.size() - 2),
                .height = sizes.at(sizes.size() - 3),
                .rgb = values<std::uint8_t>(key)};
    }

private:
    QByteArray m_bytes;
    Json m_header;
    std::uint64_t m_start = 0;
};

/// The settings that the goldens name, as a preprocessor_config.json would give them.
inline MediaConfig configFrom(const Json &settings)
{
    const auto optional = [&](const char *key) -> std::optional<std::uint32_t> {
        return settings.at(key).is_null() ? std::nullopt
                                          : std::optional(settings.at(key).get<std::uint32_t>());
    };
    MediaConfig config;
    config.patchLimit = settings.at("in_patch_limit");
    config.sideLimit = settings.at("patch_limit_on_one_side");
    config.fixedOutputTokens = optional("fixed_output_tokens");
    config.framePatchLimit = optional("in_patch_limit_each_frame");
    config.videoPatchLimit = optional("in_patch_limit_video");
    config.maxFrames = optional("max_num_frames_each_video");
    config.sampleFps = settings.at("sample_fps");
    return config;
}

} // namespace perilune::test
