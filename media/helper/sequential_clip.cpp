#include "media/helper/sequential_clip.h"

#include "media/helper/picture_output.h"

#include <algorithm>
#include <utility>

namespace perilune::helper {

namespace {

constexpr double kUsualRate = 10; // as browsers do for no time at all

/// RGBA to RGB: on white, or with what alpha hides.
void toRgb(const std::uint8_t *rgba, std::size_t pixels, bool onWhite, std::vector<std::uint8_t> &rgb)
{
    rgb.resize(pixels * 3);
    for (std::size_t i = 0; i < pixels; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            const unsigned alpha = onWhite ? rgba[i * 4 + 3] : 255;
            const unsigned t = rgba[i * 4 + c] * alpha + 255 * (255 - alpha) + 128;
            rgb[i * 3 + c] = static_cast<std::uint8_t>((t + (t >> 8)) >> 8);
        }
    }
}

class SequentialClip : public Clip {
public:
    SequentialClip(std::unique_ptr<FrameSource> frames, bool app) : m_frames(std::move(frames)), m_app(app) {}

    Status findTimes(Channel &channel)
    {
        m_info.width = m_info.displayWidth = m_frames->width();
        m_info.height = m_info.displayHeight = m_frames->height();
        m_info.animation = true;
        double start = 0, end = 0;
        while (m_frames->next(end)) {
            channel.progress(0);
            m_info.times.push_back(start);
            start = end;
        }
        if (m_info.times.empty())
            return damaged();
        m_info.endSeconds = std::max(end, m_info.times.back());
        const double seconds = m_info.endSeconds;
        m_info.fps = seconds > 0 ? double(m_info.times.size()) / seconds : kUsualRate;
        return Done{};
    }

    const protocol::ClipInfo &info() const override { return m_info; }

    Status send(const std::vector<std::uint32_t> &indices, Channel &channel) override
    {
        m_frames->rewind();
        std::vector<std::uint8_t> rgb;
        double until = 0;
        std::size_t done = 0;
        for (std::uint32_t index = 0; done < indices.size(); ++index) {
            const std::uint8_t *pixels = m_frames->next(until);
            if (!pixels)
                break;
            channel.progress(double(done) / double(indices.size()));
            if (indices[done] != index)
                continue;
            toRgb(pixels, std::size_t{m_info.width} * m_info.height, m_app, rgb);
            channel.send(protocol::Type::FrameStart, pack(protocol::FrameStart{index}));
            channel.sendRows(rgb, std::size_t{m_info.width} * 3);
            ++done;
        }
        channel.send(protocol::Type::FramesDone, {});
        return Done{};
    }

private:
    std::unique_ptr<FrameSource> m_frames;
    bool m_app;
    protocol::ClipInfo m_info;
};

} // namespace

Result<std::unique_ptr<Clip>> openSequentialClip(std::unique_ptr<FrameSource> frames, bool app,
                                                 Channel &channel)
{
    auto clip = std::make_unique<SequentialClip>(std::move(frames), app);
    if (auto found = clip->findTimes(channel); !found)
        return std::move(found).error();
    return std::unique_ptr<Clip>(std::move(clip));
}

} // namespace perilune::helper
