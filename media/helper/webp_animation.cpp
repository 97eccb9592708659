// WebP that moves, by libwebp's own animation decoder: FFmpeg and OpenCV pass over such files.
#include "media/helper/module.h"
#include "media/helper/picture_output.h"
#include "media/helper/sequential_clip.h"

#include <webp/demux.h>

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

/// An animation together with its file.
class WebPFrames : public FrameSource {
public:
    static Result<std::unique_ptr<FrameSource>> open(std::vector<std::uint8_t> bytes, std::uint64_t maxPixels)
    {
        std::unique_ptr<WebPFrames> frames(new WebPFrames(std::move(bytes)));
        auto animation = Animation::open(frames->m_bytes, maxPixels);
        if (!animation)
            return std::move(animation).error();
        frames->m_animation = std::make_unique<Animation>(*std::move(animation));
        return std::unique_ptr<FrameSource>(std::move(frames));
    }

    std::uint32_t width() const override { return m_animation->width(); }
    std::uint32_t height() const override { return m_animation->height(); }
    const std::uint8_t *next(double &untilSeconds) override { return m_animation->next(untilSeconds); }
    void rewind() override { m_animation->rewind(); }

private:
    explicit WebPFrames(std::vector<std::uint8_t> bytes) : m_bytes(std::move(bytes)) {}

    std::vector<std::uint8_t> m_bytes;
    std::unique_ptr<Animation> m_animation; // once it is open
};

Result<std::unique_ptr<Clip>> openWebP(const SourceFile &file, const protocol::Request &request,
                                       Channel &channel)
{
    auto bytes = file.all();
    if (!bytes)
        return std::move(bytes).error();
    auto frames = WebPFrames::open(*std::move(bytes), request.maxPixels);
    if (!frames)
        return std::move(frames).error();
    return openSequentialClip(*std::move(frames), request.app, channel);
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
