// JPEG XL that moves, by libjxl: FFmpeg knows such files from 6.1 on only.
#include "media/helper/jxl_animation.h"

#include "media/helper/picture_output.h"
#include "media/helper/sequential_clip.h"

#include <jxl/decode_cxx.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace perilune::helper {

namespace {

constexpr std::uint32_t kMostFrames = 100'000;
constexpr JxlPixelFormat kRgba{4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

class JxlFrames : public FrameSource {
public:
    explicit JxlFrames(std::vector<std::uint8_t> bytes) : m_bytes(std::move(bytes)) {}

    /// Reads up to the size, which is checked before anything is allocated for it.
    Status open(std::uint64_t maxPixels)
    {
        rewind();
        const JxlDecoderStatus step = JxlDecoderProcessInput(m_decoder.get());
        if (step == JXL_DEC_NEED_MORE_INPUT)
            return cutOff();
        if (step != JXL_DEC_BASIC_INFO || JxlDecoderGetBasicInfo(m_decoder.get(), &m_info) != JXL_DEC_SUCCESS)
            return damaged();
        return checkSize(m_info.xsize, m_info.ysize, maxPixels);
    }

    std::uint32_t width() const override { return m_info.xsize; }
    std::uint32_t height() const override { return m_info.ysize; }

    const std::uint8_t *next(double &untilSeconds) override
    {
        if (m_frames == kMostFrames)
            return nullptr;
        for (;;) {
            switch (JxlDecoderProcessInput(m_decoder.get())) {
            case JXL_DEC_BASIC_INFO: break;
            case JXL_DEC_COLOR_ENCODING: preferSrgb(); break;
            case JXL_DEC_FRAME:
                if (!takeTime())
                    return nullptr;
                break;
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                m_pixels.resize(std::size_t{width()} * height() * 4);
                if (JxlDecoderSetImageOutBuffer(m_decoder.get(), &kRgba, m_pixels.data(), m_pixels.size()) !=
                    JXL_DEC_SUCCESS)
                    return nullptr;
                break;
            case JXL_DEC_FULL_IMAGE:
                ++m_frames;
                untilSeconds = m_untilSeconds;
                return m_pixels.data();
            default: return nullptr; // the end, or damage
            }
        }
    }

    void rewind() override
    {
        JxlDecoderReset(m_decoder.get());
        JxlDecoderSubscribeEvents(m_decoder.get(), JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING |
                                                       JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE);
        JxlDecoderSetInput(m_decoder.get(), m_bytes.data(), m_bytes.size());
        JxlDecoderCloseInput(m_decoder.get());
        m_untilSeconds = 0;
        m_frames = 0;
    }

private:
    bool takeTime()
    {
        JxlFrameHeader header{};
        if (JxlDecoderGetFrameHeader(m_decoder.get(), &header) != JXL_DEC_SUCCESS)
            return false;
        if (m_info.have_animation == JXL_TRUE && m_info.animation.tps_numerator > 0)
            m_untilSeconds +=
                double(header.duration) * m_info.animation.tps_denominator / m_info.animation.tps_numerator;
        return true;
    }

    void preferSrgb()
    {
        JxlColorEncoding srgb{};
        srgb.color_space = m_info.num_color_channels == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB;
        srgb.white_point = JXL_WHITE_POINT_D65;
        srgb.primaries = JXL_PRIMARIES_SRGB;
        srgb.transfer_function = JXL_TRANSFER_FUNCTION_SRGB;
        srgb.rendering_intent = JXL_RENDERING_INTENT_PERCEPTUAL;
        JxlDecoderSetPreferredColorProfile(m_decoder.get(), &srgb);
    }

    std::vector<std::uint8_t> m_bytes;
    JxlDecoderPtr m_decoder = JxlDecoderMake(nullptr);
    JxlBasicInfo m_info{};
    std::vector<std::uint8_t> m_pixels;
    double m_untilSeconds = 0;
    std::uint32_t m_frames = 0;
};

} // namespace

Result<std::unique_ptr<Clip>> openJxlAnimation(const SourceFile &file, const protocol::Request &request,
                                               Channel &channel)
{
    auto bytes = file.all();
    if (!bytes)
        return std::move(bytes).error();
    auto frames = std::make_unique<JxlFrames>(*std::move(bytes));
    if (auto opened = frames->open(request.maxPixels); !opened)
        return std::move(opened).error();
    return openSequentialClip(std::move(frames), request.app, channel);
}

} // namespace perilune::helper
