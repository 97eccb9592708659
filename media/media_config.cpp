#include "media/media_config.h"

#include "engine/base/read_file.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace perilune {

namespace {

using Json = nlohmann::json;

/// Reads keys of one object and remembers the first thing that was wrong.
class Reader {
public:
    Reader(const Json &object, std::string file) : m_object(object), m_file(std::move(file)) {}

    /// Null and absent keys leave `value` as it is.
    void positive(const char *key, std::uint32_t &value)
    {
        const Json *found = find(key);
        if (!found)
            return;
        if (!found->is_number_integer() || *found < 1 || *found > 0x7fffffff)
            return wrong(key, *found, "a whole number above 0");
        value = found->get<std::uint32_t>();
    }

    /// Null and absent keys mean that there is none.
    void optionalPositive(const char *key, std::optional<std::uint32_t> &value)
    {
        std::uint32_t number = 0;
        value.reset();
        if (find(key)) {
            positive(key, number);
            value = number;
        }
    }

    void rate(const char *key, double &value)
    {
        const Json *found = find(key);
        if (!found)
            return;
        if (!found->is_number() || !(found->get<double>() > 0 && found->get<double>() <= 1000))
            return wrong(key, *found, "a number above 0");
        value = found->get<double>();
    }

    void triple(const char *key, std::array<float, 3> &values, bool aboveZero)
    {
        const Json *found = find(key);
        if (!found)
            return;
        bool good = found->is_array() && found->size() == 3;
        for (std::size_t i = 0; good && i < 3; ++i) {
            good = (*found)[i].is_number() && (!aboveZero || (*found)[i].get<float>() > 0);
            if (good)
                values[i] = (*found)[i].get<float>();
        }
        if (!good)
            wrong(key, *found, aboveZero ? "three numbers above 0" : "three numbers");
    }

    /// A key that we support one value of; a pair of it is the same.
    void only(const char *key, int supported)
    {
        const Json *found = find(key);
        if (found && *found != supported && *found != Json::array({supported, supported}))
            wrong(key, *found, "what is supported: " + std::to_string(supported));
    }

    void timestamps(const char *key, MediaConfig::TimestampMode &mode)
    {
        const Json *found = find(key);
        if (!found || *found == "hh:mm:ss.fff")
            return;
        if (*found == "mm:ss.fff")
            mode = MediaConfig::TimestampMode::MinutesMillis;
        else if (*found == "mm:ss")
            mode = MediaConfig::TimestampMode::Minutes;
        else
            wrong(key, *found, "hh:mm:ss.fff, mm:ss.fff or mm:ss");
    }

    void mustBeTrue(const char *key)
    {
        const Json *found = find(key);
        if (found && *found != true)
            wrong(key, *found, "what is supported: true");
    }

    std::optional<Error> error;

private:
    const Json *find(const char *key) const
    {
        const auto found = m_object.find(key);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }

    void wrong(const char *key, const Json &found, const std::string &expected)
    {
        if (!error) {
            const auto dumped = found.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60);
            error = Error{ErrorCode::Unsupported,
                          m_file + ": " + key + " is " + dumped + ", expected " + expected};
        }
    }

    const Json &m_object;
    std::string m_file;
};

void readK25(Reader &reader, MediaConfig &config)
{
    reader.positive("in_patch_limit", config.patchLimit);
    reader.positive("patch_limit_on_one_side", config.sideLimit);
    reader.optionalPositive("fixed_output_tokens", config.fixedOutputTokens);
    reader.optionalPositive("in_patch_limit_each_frame", config.framePatchLimit);
    reader.optionalPositive("in_patch_limit_video", config.videoPatchLimit);
    reader.optionalPositive("max_num_frames_each_video", config.maxFrames);
    reader.rate("sample_fps", config.sampleFps);
    reader.positive("temporal_merge_kernel_size", config.framesPerChunk);
    reader.timestamps("timestamp_mode", config.timestampMode);
}

void readKimiVl(Reader &reader, MediaConfig &config)
{
    config.layout = MediaConfig::Layout::KimiVl;
    config.patchLimit = 4096;
    config.framePatchLimit.reset();
    // What the published class takes where its file is silent.
    config.mean = {0.48145466f, 0.4578275f, 0.40821073f};
    config.standardDeviation = {0.26862954f, 0.26130258f, 0.27577711f};
    reader.positive("in_token_limit", config.patchLimit);
    reader.mustBeTrue("pad_input");
}

} // namespace

Result<MediaConfig> readMediaConfig(const std::string &path)
{
    constexpr std::uint64_t longest = 1 << 20;
    const Result<std::string> text = readFile(path, longest);
    if (!text && text.error().code == ErrorCode::NotFound)
        return Error{ErrorCode::NotFound,
                     path + ": can't be opened; a model that takes pictures has this file"};
    if (!text)
        return Error{ErrorCode::Corrupt, text.error().message};
    const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return Error{ErrorCode::Corrupt, path + ": not a JSON object"};

    MediaConfig config;
    const auto nested = json.find("media_proc_cfg");
    const bool k25 = nested != json.end() || json.contains("in_patch_limit");
    if (nested != json.end() && !nested->is_object())
        return Error{ErrorCode::Corrupt, path + ": media_proc_cfg is not an object"};
    if (!k25 && !json.contains("in_token_limit") && !json.contains("patch_size"))
        return Error{ErrorCode::Unsupported,
                     path + ": neither media_proc_cfg (Kimi K2.5) nor in_token_limit (Kimi-VL) is there"};
    Reader reader(nested != json.end() ? *nested : json, path);
    if (k25)
        readK25(reader, config);
    else
        readKimiVl(reader, config);
    reader.only("patch_size", 14);
    reader.only("merge_kernel_size", 2);
    reader.triple("image_mean", config.mean, false);
    reader.triple("image_std", config.standardDeviation, true);
    if (reader.error)
        return *std::move(reader.error);
    if (config.framesPerChunk > 4)
        return Error{ErrorCode::Unsupported, path + ": temporal_merge_kernel_size is " +
                                                 std::to_string(config.framesPerChunk) +
                                                 ", at most 4 is supported"};
    return config;
}

} // namespace perilune
