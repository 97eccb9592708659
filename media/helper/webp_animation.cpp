// WebP that moves, by libwebp's own animation decoder: FFmpeg and OpenCV pass over such files.
#include "media/helper/clip.h"
#include "media/helper/module.h"
#include "media/helper/picture_output.h"

#include <webp/demux.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace perilune::helper {

namespace {

struct FreeDecoder {
    void operator()(WebPAnimDecoder *decoder) const { WebPAnimDecoderDelete(decoder); }
};

constexpr std::uint32_t kMostFrames = 100'000;

/// An animation from its first frame on. Each frame is the whole picture, RGBA.
class Animation {
public:
    /// `bytes` must stay where they are.
    static Result<Animation> open(Bytes bytes, std::uint64_t maxPixels)
    {
        Animation animation;
        WebPAnimDecoderOptions options;
        WebPAnimDecoderOptionsInit(&options);
        options.color_mode = MODE_RGBA;
        const WebPData data{bytes.data(), bytes.size()};
        // What the decoder would allocate at once is checked before.
        const std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer *)> demuxer(WebPDemux(&data),
                                                                            WebPDemuxDelete);
        if (!demuxer)
            return damaged();
        const std::uint32_t width = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH);
        const std::uint32_t height = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT);
        if (auto fits = checkSize(width, height, maxPixels); !fits)
            return std::move(fits).error();
        animation.m_decoder.reset(WebPAnimDecoderNew(&data, &options));
        if (!animation.m_decoder || WebPAnimDecoderGetInfo(animation.m_decoder.get(), &animation.m_info) == 0)
            return damaged();
        if (animation.m_info.frame_count == 0 || animation.m_info.frame_count > kMostFrames)
            return damaged();
        return animation;
    }

    std::uint32_t width() const { return m_info.canvas_width; }
    std::uint32_t height() const { return m_info.canvas_height; }

    /// The next frame, until further calls, and when it disappears; null at the end.
    const std::uint8_t *next(double &untilSeconds)
    {
        std::uint8_t *pixels = nullptr;
        int milliseconds = 0;
        if (WebPAnimDecoderHasMoreFrames(m_decoder.get()) == 0 ||
            WebPAnimDecoderGetNext(m_decoder.get(), &pixels, &milliseconds) == 0)
            return nullptr;
        untilSeconds = milliseconds / 1000.0;
        return pixels;
    }

    void rewind() { WebPAnimDecoderReset(m_decoder.get()); }

private:
    std::unique_ptr<WebPAnimDecoder, FreeDecoder> m_decoder;
    WebPAnimInfo m_info{};
};

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

class WebPClip : public Clip {
public:
    WebPClip(std::vector<std::uint8_t> bytes, bool app) : m_bytes(std::move(bytes)), m_app(app) {}

    /// Decodes all of it once, for its times.
    Status open(std::uint64_t maxPixels, Channel &channel)
    {
        auto animation = Animation::open(m_bytes, maxPixels);
        if (!animation)
            return std::move(animation).error();
        m_animation = std::make_unique<Animation>(*std::move(animation));
        m_info.width = m_info.displayWidth = m_animation->width();
        m_info.height = m_info.displayHeight = m_animation->height();
        m_info.animation = true;
        double start = 0, end = 0;
        while (m_animation->next(end)) {
            channel.progress(0);
            m_info.times.push_back(start);
            start = end;
        }
        if (m_info.times.empty())
            return damaged();
        m_info.endSeconds = std::max(end, m_info.times.back());
        const double seconds = m_info.endSeconds;
        m_info.fps =
            seconds > 0 ? double(m_info.times.size()) / seconds : 10; // as browsers do for no time at all
        return Done{};
    }

    const protocol::ClipInfo &info() const override { return m_info; }

    Status send(const std::vector<std::uint32_t> &indices, Channel &channel) override
    {
        m_animation->rewind();
        std::vector<std::uint8_t> rgb;
        double until = 0;
        std::size_t done = 0;
        for (std::uint32_t index = 0; done < indices.size(); ++index) {
            const std::uint8_t *pixels = m_animation->next(until);
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
    std::vector<std::uint8_t> m_bytes;
    bool m_app;
    std::unique_ptr<Animation> m_animation; // once it is open
    protocol::ClipInfo m_info;
};

Result<std::unique_ptr<Clip>> openWebP(const SourceFile &file, const protocol::Request &request,
                                       Channel &channel)
{
    auto bytes = file.all();
    if (!bytes)
        return std::move(bytes).error();
    auto clip = std::make_unique<WebPClip>(*std::move(bytes), request.app);
    if (auto opened = clip->open(request.maxPixels, channel); !opened)
        return std::move(opened).error();
    return std::unique_ptr<Clip>(std::move(clip));
}

/// Its first frame.
Status readWebP(Bytes bytes, PictureOutput &output)
{
    auto animation = Animation::open(bytes, output.maxPixels());
    if (!animation)
        return std::move(animation).error();
    double until = 0;
    const std::uint8_t *pixels = animation->next(until);
    if (!pixels)
        return cutOff();
    PictureForm form{.width = animation->width(), .height = animation->height()};
    form.layout = Layout::Rgba8;
    if (auto started = output.start(std::move(form)); !started)
        return started;
    output.add(pixels, animation->height());
    output.finish();
    return Done{};
}

constexpr PictureReader kReaders[] = {
    {FileKind::WebP, readWebP},
};

} // namespace

} // namespace perilune::helper

extern "C" {
extern const perilune::helper::Module perilune_media_module;
const perilune::helper::Module perilune_media_module{
    .pictures = perilune::helper::kReaders, .openClip = perilune::helper::openWebP, .prepare = nullptr};
}
