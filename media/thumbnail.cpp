#include "media/thumbnail.h"

#include "engine/base/shown_name.h"
#include "media/media_decoder.h"
#include "media/resample.h"

#include <new>
#include <optional>
#include <utility>

namespace perilune {

namespace {

Result<Picture> readThumbnail(const std::string &path, std::uint32_t longestSide, const std::stop_token &stop,
                              const std::string &helperPath)
{
    auto decoder = MediaDecoder::open(path, {.helperPath = helperPath}, {}, stop);
    if (!decoder)
        return std::move(decoder).error();
    if (const protocol::PictureStart *start = decoder->picture()) {
        Resampler resampler =
            fittingResampler({start->width, start->height}, {start->width, start->height}, longestSide);
        const auto read =
            decoder->readPicture([&](std::span<const std::uint8_t> rows) { resampler.addRows(rows); }, stop);
        return read ? Result<Picture>(resampler.finish()) : read.error();
    }

    const protocol::ClipInfo clip = *decoder->clip();
    std::optional<Resampler> resampler;
    const auto read = decoder->readFrames(
        {0},
        [&](std::uint32_t) {
            resampler = fittingResampler({clip.width, clip.height}, {clip.displayWidth, clip.displayHeight},
                                         longestSide);
        },
        [&](std::span<const std::uint8_t> rows) { resampler->addRows(rows); }, {}, stop);
    if (!read)
        return read.error();
    if (!resampler)
        return Error{ErrorCode::Corrupt, decoder->name() + " is damaged: its first frame can't be decoded"};
    return resampler->finish();
}

} // namespace

Result<Picture> makeThumbnail(const std::string &path, std::uint32_t longestSide, const std::stop_token &stop,
                              const std::string &helperPath)
{
    try {
        return readThumbnail(path, longestSide, stop, helperPath);
    } catch (const std::bad_alloc &) {
        return Error{ErrorCode::OutOfMemory, shownName(path) + " needs more main memory than there is"};
    }
}

} // namespace perilune
