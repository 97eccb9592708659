#include "engine/model/rope_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace perilune {

namespace {

double yarnGain(double factor, double mscale)
{
    return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

/// The pair that turns `rotations` times over the original context; need not be whole.
double pairOfRotations(const DecoderConfig &config, double rotations)
{
    const double length = config.ropeScaling.originalMaxPositionEmbeddings;
    return config.qkRopeHeadDim * std::log(length / (rotations * 2 * std::numbers::pi)) /
           (2 * std::log(config.ropeTheta));
}

/// 0 where a pair keeps its frequency, 1 where it is divided by the factor.
std::vector<float> yarnRamp(const DecoderConfig &config)
{
    const std::uint32_t dim = config.qkRopeHeadDim;
    const double low = std::max(std::floor(pairOfRotations(config, config.ropeScaling.betaFast)), 0.0);
    double high = std::min(std::ceil(pairOfRotations(config, config.ropeScaling.betaSlow)), dim - 1.0);
    if (low == high)
        high += 0.001;
    std::vector<float> ramp(dim / 2);
    for (std::uint32_t i = 0; i < dim / 2; ++i)
        ramp[i] = std::clamp(static_cast<float>((i - low) / (high - low)), 0.0f, 1.0f);
    return ramp;
}

} // namespace

std::vector<float> ropeFrequencies(const DecoderConfig &config, std::uint64_t length)
{
    const RopeScaling &scaling = config.ropeScaling;
    const double dim = config.qkRopeHeadDim;
    double theta = config.ropeTheta;
    const double most = config.maxPositionEmbeddings;
    if (scaling.kind == RopeScaling::Kind::Dynamic && static_cast<double>(length) > most) {
        const double stretch = scaling.factor * static_cast<double>(length) / most - (scaling.factor - 1);
        theta *= std::pow(stretch, dim / (dim - 2));
    }
    std::vector<float> frequencies(config.qkRopeHeadDim / 2);
    for (std::size_t i = 0; i < frequencies.size(); ++i)
        frequencies[i] = static_cast<float>(std::pow(theta, -2.0 * static_cast<double>(i) / dim));
    if (scaling.kind == RopeScaling::Kind::Yarn) {
        const std::vector<float> ramp = yarnRamp(config);
        const auto factor = static_cast<float>(scaling.factor);
        for (std::size_t i = 0; i < frequencies.size(); ++i)
            frequencies[i] = frequencies[i] * (1 - ramp[i]) + frequencies[i] / factor * ramp[i];
    }
    return frequencies;
}

std::vector<float> ropeRows(const DecoderConfig &config, std::uint64_t length, std::uint32_t first,
                            std::uint32_t count)
{
    const std::vector<float> frequencies = ropeFrequencies(config, length);
    const double magnitude = ropeMagnitude(config.ropeScaling);
    const bool linear = config.ropeScaling.kind == RopeScaling::Kind::Linear;
    const auto divisor = static_cast<float>(linear ? config.ropeScaling.factor : 1.0);
    std::vector<float> rows;
    rows.reserve(std::size_t{count} * config.qkRopeHeadDim);
    for (std::uint32_t i = 0; i < count; ++i) {
        const float position = static_cast<float>(first + i) / divisor;
        for (const float frequency : frequencies) {
            const double angle = position * frequency; // rounded to f32 first, as the references do
            rows.push_back(static_cast<float>(std::cos(angle) * magnitude));
            rows.push_back(static_cast<float>(std::sin(angle) * magnitude));
        }
    }
    return rows;
}

double ropeMagnitude(const RopeScaling &scaling)
{
    if (scaling.kind != RopeScaling::Kind::Yarn)
        return 1;
    return yarnGain(scaling.factor, scaling.mscale) / yarnGain(scaling.factor, scaling.mscaleAllDim);
}

double softmaxScale(const DecoderConfig &config)
{
    double scale = 1 / std::sqrt(static_cast<double>(config.qkHeadDim()));
    const RopeScaling &scaling = config.ropeScaling;
    if (scaling.kind != RopeScaling::Kind::None && scaling.mscaleAllDim != 0) {
        const double gain = yarnGain(scaling.factor, scaling.mscaleAllDim);
        scale *= gain * gain;
    }
    return scale;
}

} // namespace perilune
