#include "engine/session/generation_config.h"

#include "engine/weights/json_file.h"

#include <nlohmann/json.hpp>

namespace perilune {

namespace {

constexpr std::uint64_t kLongest = 1 << 20;
constexpr int kDeepest = 32;

/// Sets `field` where the key is there; false where it is no number from `least` to `most`.
template <typename T>
bool readNumber(const nlohmann::json &json, const char *key, T &field, double least, double most)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null())
        return true;
    if (!found->is_number() || found->get<double>() < least || found->get<double>() > most)
        return false;
    field = found->get<T>();
    return true;
}

} // namespace

Result<GenerationConfig> readGenerationConfig(const std::string &folder)
{
    GenerationConfig config;
    const std::string path = folder + "/generation_config.json";
    const Result<std::string> text = readJsonFile(path, kLongest);
    if (!text && text.error().code == ErrorCode::NotFound)
        return config;
    if (!text)
        return text.error();
    const nlohmann::json json =
        nestsAtMost(*text, kDeepest) ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    if (!json.is_object())
        return Error{ErrorCode::Corrupt, path + " is not a JSON object"};
    SamplingOptions &sampling = config.sampling;
    if (!readNumber(json, "temperature", sampling.temperature, 0, 100) ||
        !readNumber(json, "top_p", sampling.topP, 0, 1) || !readNumber(json, "min_p", sampling.minP, 0, 1) ||
        !readNumber(json, "top_k", sampling.topK, 0, 4e9))
        return Error{ErrorCode::Corrupt,
                     path + ": temperature, top_p, min_p or top_k is not a number that makes sense"};
    if (json.contains("do_sample") && json["do_sample"] == false)
        sampling.temperature = 0;
    const auto ends = json.find("eos_token_id");
    for (const nlohmann::json &id : ends == json.end() ? nlohmann::json::array()
                                    : ends->is_array() ? *ends
                                                       : nlohmann::json::array({*ends})) {
        if (id.is_number_unsigned() && id.get<std::uint64_t>() <= UINT32_MAX)
            config.eosTokenIds.push_back(id.get<std::uint32_t>());
    }
    return config;
}

} // namespace perilune
