#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perilune {

/// Estimates how long a dispatch will take from what the same pipeline took before, per unit of
/// work. Wrong at first, on the careful side; right after the first measurement.
class Pace {
public:
    /// `secondsPerUnit` for pipelines that were never measured.
    explicit Pace(double secondsPerUnit) : m_unknown(secondsPerUnit) {}

    struct Work {
        std::uint32_t pipeline = 0;
        double units = 0;
    };
    double seconds(Work work) const { return rate(work.pipeline) * work.units; }
    bool known(std::uint32_t pipeline) const;

    /// A dispatch was measured.
    void learn(Work work, double seconds);
    /// A submission was measured as a whole: the difference is shared out in proportion.
    void learn(std::span<const Work> submission, double seconds);

private:
    double rate(std::uint32_t pipeline) const;

    double m_unknown;
    std::vector<double> m_rates; // seconds per unit by pipeline; 0 where unknown
};

} // namespace perilune
