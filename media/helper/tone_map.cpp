#include "media/helper/tone_map.h"

#include <algorithm>
#include <cmath>

namespace perilune::helper {

namespace {

constexpr std::size_t kSamples = 65536, kSteps = 4096, kLightSteps = 16384;
constexpr double kPqNits = 10000, kHlgNits = 1000, kHlgGamma = 1.2;

// SMPTE ST 2084: from light, as a part of 10000 nits, to the stored signal and back.
constexpr double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128, c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32,
                 c3 = 2392.0 / 4096 * 32;

double pqSignal(double nits)
{
    const double y = std::pow(std::max(nits, 0.0) / kPqNits, m1);
    return std::pow((c1 + c2 * y) / (1 + c3 * y), m2);
}

double pqNits(double signal)
{
    const double e = std::pow(signal, 1 / m2);
    return kPqNits * std::pow(std::max(e - c1, 0.0) / (c2 - c3 * e), 1 / m1);
}

/// ARIB STD-B67: from the stored signal to the light of the scene.
double hlgScene(double signal)
{
    constexpr double a = 0.17883277, b = 0.28466892, c = 0.55991073;
    return signal <= 0.5 ? signal * signal / 3 : (std::exp((signal - c) / a) + b) / 12;
}

double srgbSignal(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

/// ITU-R BT.2390, 5.4.1: from 0 … peak nits to 0 … kWhiteNits, without lifting black.
double compressed(double nits, double peak)
{
    const double top = pqSignal(peak), white = pqSignal(ToneMap::kWhiteNits) / top;
    const double knee = 1.5 * white - 0.5, signal = std::min(pqSignal(nits) / top, 1.0);
    if (signal < knee || white >= 1)
        return std::min(nits, ToneMap::kWhiteNits);
    const double t = (signal - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double curve =
        (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white;
    return pqNits(curve * top);
}

/// Which of `steps` equal steps from 0 to 1 holds a value, and the middle of one.
std::size_t step(double value, std::size_t steps)
{
    return std::min(static_cast<std::size_t>(std::max(value, 0.0) * double(steps)), steps - 1);
}
double middle(std::size_t step, std::size_t steps)
{
    return (double(step) + 0.5) / double(steps);
}

} // namespace

ToneMap::ToneMap(Transfer transfer, double peakNits)
    : m_peak(transfer == Transfer::Hlg ? kHlgNits : std::clamp(peakNits, kWhiteNits, kPqNits)),
      m_hlg(transfer == Transfer::Hlg),
      m_linear(kSamples),
      m_gain(kSteps),
      m_srgb(kLightSteps)
{
    for (std::size_t i = 0; i < kSamples; ++i) {
        const double signal = double(i) / (kSamples - 1);
        m_linear[i] = static_cast<float>(m_hlg ? hlgScene(signal) : pqNits(signal));
    }
    for (std::size_t i = 0; i < kSteps; ++i) {
        const double root = middle(i, kSteps), nits = root * root * m_peak;
        m_gain[i] = static_cast<float>(compressed(nits, m_peak) / (nits * kWhiteNits));
        if (m_hlg)
            m_system.push_back(static_cast<float>(kHlgNits * std::pow(root * root, kHlgGamma - 1)));
    }
    for (std::size_t i = 0; i < kLightSteps; ++i)
        m_srgb[i] = static_cast<std::uint8_t>(std::lround(srgbSignal(middle(i, kLightSteps)) * 255));
}

float ToneMap::gain(float nits) const
{
    const double root = std::sqrt(double(nits) / m_peak);
    // Beyond the peak everything is white.
    return root > 1 ? static_cast<float>(1 / double(nits)) : m_gain[step(root, kSteps)];
}

void ToneMap::map(const std::uint16_t *row, std::size_t pixels, std::uint8_t *out) const
{
    for (std::size_t i = 0; i < pixels; ++i, row += 3, out += 3) {
        float red = m_linear[row[0]], green = m_linear[row[1]], blue = m_linear[row[2]];
        if (m_hlg) {
            const float luminance = 0.2627f * red + 0.6780f * green + 0.0593f * blue;
            const float nits = m_system[step(std::sqrt(double(luminance)), kSteps)];
            red *= nits;
            green *= nits;
            blue *= nits;
        }
        const float factor = gain(std::max({red, green, blue}));
        red *= factor;
        green *= factor;
        blue *= factor;
        // ITU-R BT.2407: from the primaries of BT.2020 to those of BT.709, which sRGB has
        const float light[] = {1.6605f * red - 0.5876f * green - 0.0728f * blue,
                               -0.1246f * red + 1.1329f * green - 0.0083f * blue,
                               -0.0182f * red - 0.1006f * green + 1.1187f * blue};
        for (std::size_t c = 0; c < 3; ++c)
            out[c] = m_srgb[step(double(light[c]), kLightSteps)];
    }
}

} // namespace perilune::helper
