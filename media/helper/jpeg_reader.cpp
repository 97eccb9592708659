#include "media/helper/picture_readers.h"
#include "media/helper/tiff_tags.h"

#include <csetjmp>
#include <cstdio> // jpeglib.h needs it

#include <jerror.h>
#include <jpeglib.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace perilune::helper {

namespace {

/// libjpeg reports through callbacks and leaves by longjmp; nothing with a destructor may live between here
/// and there.
struct Decoder {
    jpeg_decompress_struct info{};
    jpeg_error_mgr errors{};
    std::jmp_buf leave{};
    bool endedEarly = false;
    bool outOfMemory = false;

    explicit Decoder(Bytes bytes)
    {
        info.err = jpeg_std_error(&errors);
        info.client_data = this;
        errors.error_exit = [](j_common_ptr common) {
            auto *self = static_cast<Decoder *>(common->client_data);
            self->outOfMemory = common->err->msg_code == JERR_OUT_OF_MEMORY;
            std::longjmp(self->leave, 1);
        };
        errors.emit_message = [](j_common_ptr common, int level) {
            if (level < 0 && common->err->msg_code == JWRN_JPEG_EOF)
                static_cast<Decoder *>(common->client_data)->endedEarly = true;
        };
        errors.output_message = [](j_common_ptr) {};
        jpeg_create_decompress(&info);
        jpeg_mem_src(&info, bytes.data(), bytes.size());
    }
    ~Decoder() { jpeg_destroy_decompress(&info); }
    Decoder(const Decoder &) = delete;
    Decoder &operator=(const Decoder &) = delete;

    bool readHeader()
    {
        if (setjmp(leave)) // NOLINT(modernize-avoid-setjmp-longjmp): the library's only way out
            return false;
        jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
        jpeg_save_markers(&info, JPEG_APP0 + 2, 0xffff);
        return jpeg_read_header(&info, TRUE) == JPEG_HEADER_OK;
    }

    bool start(J_COLOR_SPACE colours)
    {
        if (setjmp(leave))
            return false;
        info.out_color_space = colours;
        return jpeg_start_decompress(&info) == TRUE;
    }

    bool readRow(std::uint8_t *row)
    {
        if (setjmp(leave))
            return false;
        return jpeg_read_scanlines(&info, &row, 1) == 1;
    }
};

std::uint32_t orientationOf(const jpeg_decompress_struct &info)
{
    constexpr std::string_view kExif("Exif\0\0", 6);
    for (const jpeg_marker_struct *marker = info.marker_list; marker; marker = marker->next) {
        const Bytes data(marker->data, marker->data_length);
        if (marker->marker == JPEG_APP0 + 1 && data.size() > kExif.size() &&
            std::memcmp(data.data(), kExif.data(), kExif.size()) == 0)
            return readTiffTags(data.subspan(kExif.size())).orientation;
    }
    return 1;
}

std::vector<std::uint8_t> profileOf(jpeg_decompress_struct &info)
{
    JOCTET *bytes = nullptr;
    unsigned size = 0;
    if (!jpeg_read_icc_profile(&info, &bytes, &size))
        return {};
    const std::unique_ptr<JOCTET, decltype(&std::free)> owner(bytes, std::free);
    return {bytes, bytes + size};
}

} // namespace

Status readJpeg(Bytes bytes, PictureOutput &output)
{
    Decoder decoder(bytes);
    if (!decoder.readHeader())
        return decoder.endedEarly ? cutOff() : damaged();
    PictureForm form{.width = decoder.info.image_width, .height = decoder.info.image_height};
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    J_COLOR_SPACE colours = JCS_RGB;
    if (decoder.info.num_components == 1) {
        colours = JCS_GRAYSCALE;
        form.layout = Layout::Gray8;
    } else if (decoder.info.num_components == 4) {
        colours = JCS_CMYK;
        form.layout = Layout::Cmyk8;
    }
    form.orientation = orientationOf(decoder.info);
    form.profile = profileOf(decoder.info);
    if (!decoder.start(colours)) {
        if (decoder.outOfMemory)
            return Error{ErrorCode::OutOfMemory, "needs more memory than a picture may take"};
        return decoder.endedEarly ? cutOff() : damaged();
    }
    const bool inverted = form.layout == Layout::Cmyk8; // as Adobe writes them, and so everyone
    std::vector<std::uint8_t> row(std::size_t{form.width} * bytesPerPixel(form.layout));
    const std::uint32_t height = form.height;
    if (auto started = output.start(std::move(form)); !started)
        return started;
    for (std::uint32_t y = 0; y < height; ++y) {
        if (!decoder.readRow(row.data()))
            return damaged();
        if (decoder.endedEarly)
            return cutOff();
        if (inverted) {
            for (std::uint8_t &ink : row)
                ink = static_cast<std::uint8_t>(255 - ink);
        }
        output.add(row.data(), 1);
    }
    output.finish();
    return Done{};
}

} // namespace perilune::helper
