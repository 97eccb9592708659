#pragma once

#include "engine/base/result.h"
#include "media/helper/picture_output.h"
#include "media/helper/source_file.h"

#include <cstdint>

namespace perilune::helper {

// Of the kind ReadPicture: the readers that are part of the program itself.

Status readJpeg(Bytes bytes, PictureOutput &output); ///< libjpeg-turbo, row by row
Status readGif(Bytes bytes, PictureOutput &output);  ///< our own: FFmpeg loses the colours under transparency

/// How many frames there are, without decoding any; 1 for what doesn't move.
std::uint32_t countGifFrames(Bytes bytes);
std::uint32_t countPngFrames(Bytes bytes);

} // namespace perilune::helper
