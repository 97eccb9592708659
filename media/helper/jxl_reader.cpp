// JPEG XL by libjxl.
#include "media/helper/jxl_animation.h"
#include "media/helper/module.h"

#include <jxl/decode_cxx.h>

#include <utility>

namespace perilune::helper {

namespace {

/// The decoder, and what is known of the picture so far.
struct Reading {
    JxlDecoderPtr decoder = JxlDecoderMake(nullptr);
    PictureForm form{};
    JxlPixelFormat format{3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    std::vector<std::uint8_t> pixels{};
};

Status takeInfo(Reading &reading, const PictureOutput &output)
{
    JxlBasicInfo info{};
    if (JxlDecoderGetBasicInfo(reading.decoder.get(), &info) != JXL_DEC_SUCCESS)
        return damaged();
    reading.form.width = info.xsize; // upright: the decoder turns it
    reading.form.height = info.ysize;
    if (auto fits = checkSize(info.xsize, info.ysize, output.maxPixels()); !fits)
        return fits;
    const bool gray = info.num_color_channels == 1, alpha = info.alpha_bits > 0;
    reading.format.num_channels = (gray ? 1u : 3u) + (alpha ? 1u : 0u);
    if (gray)
        reading.form.layout = alpha ? Layout::GrayAlpha8 : Layout::Gray8;
    else
        reading.form.layout = alpha ? Layout::Rgba8 : Layout::Rgb8;
    return Done{};
}

/// What was stored in the decoder's own colour space comes as sRGB; anything else as it is, with its profile.
void takeColours(Reading &reading)
{
    JxlDecoder *decoder = reading.decoder.get();
    JxlColorEncoding srgb{};
    srgb.color_space = reading.format.num_channels < 3 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB;
    srgb.white_point = JXL_WHITE_POINT_D65;
    srgb.primaries = JXL_PRIMARIES_SRGB;
    srgb.transfer_function = JXL_TRANSFER_FUNCTION_SRGB;
    srgb.rendering_intent = JXL_RENDERING_INTENT_PERCEPTUAL;
    JxlDecoderSetPreferredColorProfile(decoder, &srgb);
    std::size_t size = 0;
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
    const auto sizeKnown = JxlDecoderGetICCProfileSize(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &size);
    std::vector<std::uint8_t> profile(sizeKnown == JXL_DEC_SUCCESS ? size : 0);
    const auto got = JxlDecoderGetColorAsICCProfile(decoder, JXL_COLOR_PROFILE_TARGET_DATA, profile.data(),
                                                    profile.size());
#else
    const auto sizeKnown =
        JxlDecoderGetICCProfileSize(decoder, nullptr, JXL_COLOR_PROFILE_TARGET_DATA, &size);
    std::vector<std::uint8_t> profile(sizeKnown == JXL_DEC_SUCCESS ? size : 0);
    const auto got = JxlDecoderGetColorAsICCProfile(decoder, nullptr, JXL_COLOR_PROFILE_TARGET_DATA,
                                                    profile.data(), profile.size());
#endif
    if (got == JXL_DEC_SUCCESS)
        reading.form.profile = std::move(profile);
}

Status makeRoom(Reading &reading)
{
    reading.pixels.resize(std::size_t{reading.form.width} * reading.form.height *
                          reading.format.num_channels);
    const auto set = JxlDecoderSetImageOutBuffer(reading.decoder.get(), &reading.format,
                                                 reading.pixels.data(), reading.pixels.size());
    return set == JXL_DEC_SUCCESS ? Status(Done{}) : damaged();
}

Status readJxl(Bytes bytes, PictureOutput &output)
{
    Reading reading;
    JxlDecoder *decoder = reading.decoder.get();
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    JxlDecoderSetInput(decoder, bytes.data(), bytes.size());
    JxlDecoderCloseInput(decoder);
    for (bool complete = false; !complete;) {
        Status step = Done{};
        switch (JxlDecoderProcessInput(decoder)) {
        case JXL_DEC_BASIC_INFO: step = takeInfo(reading, output); break;
        case JXL_DEC_COLOR_ENCODING: takeColours(reading); break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER: step = makeRoom(reading); break;
        case JXL_DEC_FULL_IMAGE: complete = true; break;
        case JXL_DEC_NEED_MORE_INPUT: step = cutOff(); break;
        default: step = damaged(); break; // also success, which can't come before the picture
        }
        if (!step)
            return step;
    }
    if (reading.pixels.empty())
        return damaged();
    const std::uint32_t height = reading.form.height;
    if (auto started = output.start(std::move(reading.form)); !started)
        return started;
    output.add(reading.pixels.data(), height);
    output.finish();
    return Done{};
}

constexpr PictureReader kReaders[] = {
    {FileKind::JpegXl, readJxl},
};

} // namespace

} // namespace perilune::helper

extern "C" {
extern const perilune::helper::Module perilune_media_module;
const perilune::helper::Module perilune_media_module{.pictures = perilune::helper::kReaders,
                                                     .openClip = perilune::helper::openJxlAnimation,
                                                     .prepare = nullptr};
}
