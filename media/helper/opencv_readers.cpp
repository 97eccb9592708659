#include "media/helper/module.h"
#include "media/helper/picture_readers.h"
#include "media/helper/png_chunks.h"
#include "media/helper/tiff_tags.h"
#include "media/helper/webp_chunks.h"

#include <opencv2/imgcodecs.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace perilune::helper {

namespace {

/// The pixels as the file has them; empty where OpenCV can't. It never applies orientation with this flag.
cv::Mat decoded(Bytes bytes)
{
    try {
        const cv::Mat wrapped(1, static_cast<int>(bytes.size()), CV_8U,
                              const_cast<std::uint8_t *>(bytes.data()));
        return cv::imdecode(wrapped, cv::IMREAD_UNCHANGED);
    } catch (const cv::Exception &) {
        return {};
    }
}

Status checkDecoded(const cv::Mat &pixels, const PictureForm &form)
{
    const bool fits = pixels.dims == 2 && std::cmp_equal(pixels.cols, form.width) &&
                      std::cmp_equal(pixels.rows, form.height) &&
                      (pixels.depth() == CV_8U || pixels.depth() == CV_16U);
    return fits ? Status(Done{}) : damaged();
}

/// One row from OpenCV's order (blue first) into ours, the high byte of 16-bit samples.
template <typename Sample>
void reorderRow(const Sample *from, std::size_t pixels, std::size_t channels, std::uint8_t *to)
{
    constexpr unsigned kShift = 8 * (sizeof(Sample) - 1);
    for (std::size_t x = 0; x < pixels; ++x, from += channels, to += channels) {
        for (std::size_t c = 0; c < channels; ++c)
            to[c < 3 && channels >= 3 ? 2 - c : c] = static_cast<std::uint8_t>(from[c] >> kShift);
    }
}

/// Hands the rows to `output`. `layout` of the form follows from the pixels; `dropAlpha` for kinds whose
/// fourth channel means nothing.
Status give(const cv::Mat &pixels, PictureForm form, PictureOutput &output, bool dropAlpha = false)
{
    if (auto good = checkDecoded(pixels, form); !good)
        return good;
    const auto channels = static_cast<std::size_t>(pixels.channels());
    const bool deep = pixels.depth() == CV_16U;
    if (channels == 1)
        form.layout = deep ? Layout::Gray16 : Layout::Gray8;
    else
        form.layout = channels == 4 && !dropAlpha ? Layout::Rgba8 : Layout::Rgb8;
    if (channels == 2 || channels > 4)
        return damaged();
    const std::size_t width = form.width;
    if (auto started = output.start(std::move(form)); !started)
        return started;

    std::vector<std::uint8_t> row(width * 4);
    for (int y = 0; y < pixels.rows; ++y) {
        if (channels == 1) {
            output.add(pixels.ptr(y), 1);
            continue;
        }
        if (deep)
            reorderRow(pixels.ptr<std::uint16_t>(y), width, channels, row.data());
        else
            reorderRow(pixels.ptr(y), width, channels, row.data());
        if (channels == 4 && dropAlpha) {
            for (std::size_t x = 1; x < width; ++x)
                std::memmove(&row[x * 3], &row[x * 4], 3);
        }
        output.add(row.data(), 1);
    }
    output.finish();
    return Done{};
}

/// Undoes what OpenCV's way into libtiff does: it gives colours that are multiplied by their alpha, also
/// where the file keeps them apart. Told by the pixels themselves, for not every version does; off by one at
/// most afterwards.
void separateAlpha(cv::Mat &pixels)
{
    // What could not be decoded is empty and still has a type, and its iterators divide by its width.
    if (pixels.empty() || pixels.type() != CV_8UC4)
        return;
    using Pixel = cv::Vec4b;
    const bool multiplied = std::all_of(pixels.begin<Pixel>(), pixels.end<Pixel>(), [](const Pixel &pixel) {
        return std::max({pixel[0], pixel[1], pixel[2]}) <= pixel[3];
    });
    if (!multiplied)
        return;
    for (auto pixel = pixels.begin<Pixel>(); pixel != pixels.end<Pixel>(); ++pixel) {
        const unsigned alpha = (*pixel)[3];
        for (int c = 0; c < 3 && alpha > 0; ++c)
            (*pixel)[c] = static_cast<std::uint8_t>(((*pixel)[c] * 255u + alpha / 2) / alpha);
    }
}

std::uint32_t littleEndian(Bytes bytes, std::size_t at)
{
    if (at > bytes.size() || bytes.size() - at < 4)
        return 0;
    return bytes[at] | std::uint32_t{bytes[at + 1]} << 8 | std::uint32_t{bytes[at + 2]} << 16 |
           std::uint32_t{bytes[at + 3]} << 24;
}

Status readPng(Bytes bytes, PictureOutput &output)
{
    const PngChunks chunks = readPngChunks(bytes);
    PictureForm form{.width = chunks.width, .height = chunks.height, .orientation = chunks.orientation};
    if (chunks.bits == 0)
        return cutOff();
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    if (!chunks.complete)
        return cutOff();
    if (chunks.clearGray) {
        // OpenCV widens 1, 2 and 4-bit gray to 8 bits, and passes over the transparent value.
        const std::uint32_t widest = chunks.bits < 8 ? 255 / ((1u << chunks.bits) - 1) : 1;
        form.clear = *chunks.clearGray * widest;
    }
    form.profile = chunks.profile;
    return give(decoded(bytes), std::move(form), output);
}

Status readWebP(Bytes bytes, PictureOutput &output)
{
    const WebPChunks chunks = readWebPChunks(bytes);
    PictureForm form{.width = chunks.width, .height = chunks.height, .orientation = chunks.orientation};
    if (!chunks.complete)
        return cutOff();
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    form.profile.assign(chunks.profile.begin(), chunks.profile.end());
    return give(decoded(bytes), std::move(form), output);
}

Status readBmp(Bytes bytes, PictureOutput &output)
{
    const std::uint32_t headerSize = littleEndian(bytes, 14);
    PictureForm form;
    bool hasAlpha = false;
    if (headerSize == 12) {
        const std::uint32_t sides = littleEndian(bytes, 18);
        form.width = sides & 0xffff;
        form.height = sides >> 16;
    } else {
        form.width = littleEndian(bytes, 18);
        const auto height = static_cast<std::int32_t>(littleEndian(bytes, 22)); // negative: from the top
        form.height =
            height < 0 ? 0u - static_cast<std::uint32_t>(height) : static_cast<std::uint32_t>(height);
        const std::uint32_t compression = littleEndian(bytes, 30);
        hasAlpha = compression == 3 && headerSize >= 56 && littleEndian(bytes, 66) != 0;
    }
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    return give(decoded(bytes), std::move(form), output, /*dropAlpha=*/!hasAlpha);
}

Status readTiff(Bytes bytes, PictureOutput &output)
{
    const TiffTags tags = readTiffTags(bytes);
    PictureForm form{.width = tags.width, .height = tags.height};
    if (!tags.complete)
        return cutOff();
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    if (tags.photometric == 1 || tags.photometric == 2)
        form.profile.assign(tags.profile.begin(), tags.profile.end());
    cv::Mat pixels = decoded(bytes);
    separateAlpha(pixels);
    return give(pixels, std::move(form), output);
}

constexpr PictureReader kReaders[] = {
    {FileKind::Png,  readPng }, // with our own reading of what OpenCV passes over
    {FileKind::WebP, readWebP}, // animations are refused by name
    {FileKind::Bmp,  readBmp },
    {FileKind::Tiff, readTiff},
};

} // namespace

} // namespace perilune::helper

extern "C" {
extern const perilune::helper::Module perilune_media_module;
const perilune::helper::Module perilune_media_module{
    .pictures = perilune::helper::kReaders, .openClip = nullptr, .prepare = nullptr};
}
