#include "engine/gpu/pace.h"

#include <algorithm>

namespace perilune {
namespace {
constexpr double kShort = 1e-3; // seconds
} // namespace

double Pace::rate(std::uint32_t pipeline) const
{
    return known(pipeline) ? m_rates[pipeline] : m_unknown;
}

bool Pace::known(std::uint32_t pipeline) const
{
    return pipeline < m_rates.size() && m_rates[pipeline] > 0;
}

void Pace::learn(Work work, double seconds)
{
    if (work.units <= 0 || seconds <= 0)
        return;
    if (work.pipeline >= m_rates.size())
        m_rates.resize(work.pipeline + 1, 0.0);
    const double measured = seconds / work.units;
    double &kept = m_rates[work.pipeline];
    const double before = kept > 0 ? kept : m_unknown;
    // A short dispatch is mostly overhead: all it shows is that the rate is no worse. Of a long one,
    // slower is believed at once and faster by and by, since a submission that is too long costs
    // more than one that is too short.
    if (seconds < kShort)
        kept = std::min(before, measured);
    else if (measured > before || kept <= 0)
        kept = measured;
    else
        kept += 0.5 * (measured - kept);
}

void Pace::learn(std::span<const Work> submission, double seconds)
{
    double estimated = 0;
    for (const Work &work : submission)
        estimated += this->seconds(work);
    if (estimated <= 0)
        return;
    const double factor = seconds / estimated;
    std::vector<double> measured;
    for (const Work &work : submission)
        measured.push_back(this->seconds(work) * factor);
    for (std::size_t i = 0; i < submission.size(); ++i)
        learn(submission[i], measured[i]);
}

} // namespace perilune
