#include "tests/support/checking_device.h"

#include <algorithm>
#include <cstring>

namespace perilune::test {
namespace {

constexpr std::uint64_t kGuard = 1024;
constexpr std::byte kPoison{0xff}; // NaN as f32, f16, bf16 and e4m3

/// Which bytes of `area` lie in one of the ranges.
std::vector<bool> covered(ByteRange area, std::span<const ByteRange> ranges)
{
    std::vector<bool> in(area.bytes, false);
    for (const ByteRange range : ranges) {
        const std::uint64_t begin = std::max(range.address, area.address);
        const std::uint64_t end = std::min(range.address + range.bytes, area.address + area.bytes);
        for (std::uint64_t a = begin; a < end; ++a)
            in[a - area.address] = true;
    }
    return in;
}

} // namespace

class CheckingDevice::Guarded : public Buffer {
public:
    Guarded(CheckingDevice &owner, std::list<Area>::iterator area, std::unique_ptr<Buffer> whole)
        : m_owner(owner),
          m_area(area),
          m_whole(std::move(whole))
    {
    }
    ~Guarded() override { m_owner.m_areas.erase(m_area); }
    std::uint64_t address() const override { return m_area->usable.address; }
    std::uint64_t bytes() const override { return m_area->usable.bytes; }
    std::byte *mapped() const override { return m_whole->mapped() ? m_whole->mapped() + kGuard : nullptr; }

private:
    CheckingDevice &m_owner;
    std::list<Area>::iterator m_area;
    std::unique_ptr<Buffer> m_whole;
};

Result<std::unique_ptr<Buffer>> CheckingDevice::allocate(std::uint64_t bytes, MemoryKind kind,
                                                         std::string_view purpose)
{
    auto whole = m_device.allocate(bytes + 2 * kGuard, kind, purpose);
    if (!whole)
        return whole;
    const ByteRange range = (*whole)->range();
    m_areas.push_back({
        range, {range.address + kGuard, bytes}
    });
    const std::vector<std::byte> fill(range.bytes, kPoison);
    if (Status filled = m_device.upload(range.address, fill); !filled)
        return std::move(filled).error();
    return std::unique_ptr<Buffer>(new Guarded(*this, std::prev(m_areas.end()), *std::move(whole)));
}

void CheckingDevice::setBudget(std::uint64_t deviceBytes, std::uint64_t hostBytes)
{
    m_device.setBudget(deviceBytes, hostBytes);
}

std::uint64_t CheckingDevice::bytes() const
{
    std::uint64_t sum = 0;
    for (const Area &area : m_areas)
        sum += area.range.bytes;
    return sum;
}

CheckingDevice::Image CheckingDevice::save()
{
    Image image;
    for (const Area &area : m_areas) {
        std::vector<std::byte> bytes(area.range.bytes);
        if (const Status status = m_device.download(area.range, bytes); !status)
            report("reading memory: " + status.error().message);
        image.push_back(std::move(bytes));
    }
    return image;
}

void CheckingDevice::restore(const Image &image)
{
    auto bytes = image.begin();
    for (const Area &area : m_areas) {
        if (const Status status = m_device.upload(area.range.address, *bytes++); !status)
            report("writing memory: " + status.error().message);
    }
}

void CheckingDevice::begin(std::stop_token stop)
{
    CHECK(!m_recording);
    m_recording = true;
    m_stop = std::move(stop);
    m_status = Done{};
}

bool CheckingDevice::run(const std::function<void()> &record)
{
    m_device.begin(m_stop);
    record();
    m_status = m_device.finish();
    return m_status.has_value();
}

void CheckingDevice::dispatch(const Dispatch &dispatch)
{
    check(dispatch.name, dispatch.reads, dispatch.writes, [&] { m_device.dispatch(dispatch); });
}

void CheckingDevice::copy(ByteRange source, std::uint64_t destination)
{
    const ByteRange target{destination, source.bytes};
    check("copy", {&source, 1}, {&target, 1}, [&] { m_device.copy(source, destination); });
}

void CheckingDevice::check(const std::string &name, std::span<const ByteRange> reads,
                           std::span<const ByteRange> writes, const std::function<void()> &record)
{
    CHECK(m_recording);
    if (!m_status)
        return;
    if (!declarationsFit(name, reads) || !declarationsFit(name, writes))
        return;
    const Image before = save();
    if (!run(record))
        return;
    const Image after = save();
    comparePlaces(name, writes, before, after);

    restore(poison(before, reads));
    if (!run(record))
        return;
    const Image poisoned = save();
    compareResults(name, writes, before, after, poisoned);
    restore(after);
    if (std::find(m_checked.begin(), m_checked.end(), name) == m_checked.end())
        m_checked.push_back(name);
}

bool CheckingDevice::declarationsFit(const std::string &name, std::span<const ByteRange> ranges)
{
    for (const ByteRange range : ranges) {
        const bool inside = std::any_of(m_areas.begin(), m_areas.end(), [&](const Area &area) {
            return range.address >= area.usable.address &&
                   range.address + range.bytes <= area.usable.address + area.usable.bytes;
        });
        if (!inside && range.bytes > 0) {
            report(name + " declares a range that lies in no allocation");
            return false;
        }
    }
    return true;
}

CheckingDevice::Image CheckingDevice::poison(const Image &before, std::span<const ByteRange> reads) const
{
    Image image = before;
    auto bytes = image.begin();
    for (const Area &area : m_areas) {
        const std::vector<bool> read = covered(area.range, reads);
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (!read[i])
                (*bytes)[i] = kPoison;
        }
        ++bytes;
    }
    return image;
}

void CheckingDevice::comparePlaces(const std::string &name, std::span<const ByteRange> writes,
                                   const Image &before, const Image &after)
{
    std::size_t index = 0;
    for (const Area &area : m_areas) {
        const std::vector<bool> written = covered(area.range, writes);
        for (std::size_t i = 0; i < written.size(); ++i) {
            if (!written[i] && before[index][i] != after[index][i]) {
                report(name + " wrote outside its declared writes: byte " +
                       std::to_string(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(kGuard)) +
                       " of an allocation of " + std::to_string(area.usable.bytes));
                break;
            }
        }
        ++index;
    }
}

void CheckingDevice::compareResults(const std::string &name, std::span<const ByteRange> writes,
                                    const Image &before, const Image &after, const Image &poisoned)
{
    std::size_t index = 0;
    for (const Area &area : m_areas) {
        const std::vector<bool> written = covered(area.range, writes);
        for (std::size_t i = 0; i < written.size(); ++i) {
            // A byte that the dispatch leaves alone keeps what was there: its own value or the poison.
            const bool untouched = poisoned[index][i] == kPoison && after[index][i] == before[index][i];
            if (written[i] && after[index][i] != poisoned[index][i] && !untouched) {
                report(name + " depends on bytes it doesn't declare as read: byte " +
                       std::to_string(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(kGuard)) +
                       " of an allocation of " + std::to_string(area.usable.bytes) + " changes with them");
                break;
            }
        }
        ++index;
    }
}

void CheckingDevice::report(const std::string &text)
{
    m_reports.push_back(text);
}

Status CheckingDevice::finish()
{
    CHECK(m_recording);
    m_recording = false;
    return m_status;
}

Status CheckingDevice::upload(std::uint64_t destination, std::span<const std::byte> bytes)
{
    return m_device.upload(destination, bytes);
}

Status CheckingDevice::download(ByteRange source, std::span<std::byte> bytes)
{
    return m_device.download(source, bytes);
}

Status CheckingDevice::compile(std::span<const Dispatch> dispatches,
                               const std::function<void(std::uint64_t, std::uint64_t)> &progress,
                               std::stop_token stop)
{
    return m_device.compile(dispatches, progress, stop);
}

} // namespace perilune::test
