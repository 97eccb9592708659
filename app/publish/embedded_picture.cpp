#include "app/publish/embedded_picture.h"

#include "media/thumbnail.h"

#include <csetjmp>
#include <cstdio> // before jpeglib.h, which needs it

#include <jpeglib.h>

#include <cstdlib>

namespace perilune {

namespace {

constexpr std::uint32_t kLongestSide = 1600;
constexpr int kQuality = 90;

/// libjpeg's default is to end the program.
struct Fault {
    jpeg_error_mgr base;
    std::jmp_buf back;
};

/// No objects with destructors live in here: it is left by a jump. `out` is malloc's.
bool encode(const std::uint8_t *rgb, std::uint32_t width, std::uint32_t height, unsigned char **out,
            unsigned long *size)
{
    jpeg_compress_struct encoder;
    Fault fault;
    encoder.err = jpeg_std_error(&fault.base);
    fault.base.error_exit = [](j_common_ptr common) {
        std::longjmp(reinterpret_cast<Fault *>(common->err)->back,
                     1); // NOLINT(modernize-avoid-setjmp-longjmp)
    };
    fault.base.output_message = [](j_common_ptr) {};
    jpeg_create_compress(&encoder);
    if (setjmp(fault.back) != 0) { // NOLINT(modernize-avoid-setjmp-longjmp)
        jpeg_destroy_compress(&encoder);
        return false;
    }
    jpeg_mem_dest(&encoder, out, size);
    encoder.image_width = width;
    encoder.image_height = height;
    encoder.input_components = 3;
    encoder.in_color_space = JCS_RGB;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, kQuality, TRUE);
    encoder.comp_info[0].h_samp_factor = 1; // drawings and screenshots keep their coloured edges
    encoder.comp_info[0].v_samp_factor = 1;
    encoder.optimize_coding = TRUE;
    jpeg_start_compress(&encoder, TRUE);
    while (encoder.next_scanline < height) {
        JSAMPROW row = const_cast<std::uint8_t *>(rgb) + std::size_t{encoder.next_scanline} * width * 3;
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    return true;
}

} // namespace

Result<std::string> encodeJpeg(const std::vector<std::uint8_t> &rgb, std::uint32_t width,
                               std::uint32_t height)
{
    CHECK(rgb.size() == std::size_t{width} * height * 3);
    unsigned char *bytes = nullptr;
    unsigned long size = 0;
    const bool done = width > 0 && height > 0 && encode(rgb.data(), width, height, &bytes, &size);
    if (!done) // `bytes` may be what the library has freed already: it says so only at its end
        return Error{ErrorCode::OutOfMemory, "the picture can't be made a JPEG"};
    std::string jpeg(reinterpret_cast<const char *>(bytes), size);
    std::free(bytes);
    return jpeg;
}

Result<EmbeddedPicture> embeddedPicture(const MediaPart &media, const std::stop_token &stop)
{
    Result<Picture> picture = makeThumbnail(media.path, kLongestSide, stop);
    if (!picture)
        return std::move(picture).error();
    Result<std::string> jpeg = encodeJpeg(picture->rgb, picture->width, picture->height);
    if (!jpeg)
        return std::move(jpeg).error();
    return EmbeddedPicture{picture->width, picture->height, std::move(*jpeg)};
}

} // namespace perilune
