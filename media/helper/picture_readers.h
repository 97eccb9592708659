#pragma once

#include "engine/base/result.h"
#include "media/helper/picture_output.h"
#include "media/helper/source_file.h"

#include <cstdint>

namespace perilune::helper {

// One function a kind: decodes `bytes`, the whole file, into `output`. Errors go on after the file's name. Of
// what moves, each takes the first frame.

Status readJpeg(Bytes bytes, PictureOutput &output); ///< libjpeg-turbo, row by row
Status readPng(Bytes bytes, PictureOutput &output);  ///< OpenCV, and our own reading of what it passes over
Status readWebP(Bytes bytes, PictureOutput &output); ///< OpenCV; animations are refused by name
Status readBmp(Bytes bytes, PictureOutput &output);  ///< OpenCV
Status readTiff(Bytes bytes, PictureOutput &output); ///< OpenCV
Status readGif(Bytes bytes, PictureOutput &output);  ///< our own: FFmpeg loses the colours under transparency

/// How many frames there are, without decoding any; 1 for what doesn't move.
std::uint32_t countGifFrames(Bytes bytes);
std::uint32_t countPngFrames(Bytes bytes);

/// The sentence for a picture that ends too early, and for one that contradicts itself.
Error cutOff();
Error damaged();

} // namespace perilune::helper
