#pragma once

#include "media/helper/source_file.h"

namespace perilune::helper {

/// What a file is by its first bytes; its name says nothing. Other: something for FFmpeg to look at.
enum class FileKind { Png, Jpeg, Gif, WebP, Bmp, Tiff, Avif, Heic, JpegXl, Svg, Pdf, Other };

FileKind sniff(Bytes head);

/// "a HEIC picture"; for the kinds that are told apart only to be named in a refusal.
const char *kindName(FileKind kind);

} // namespace perilune::helper
