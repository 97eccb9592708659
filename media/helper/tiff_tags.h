#pragma once

#include "media/helper/source_file.h"

#include <cstdint>

namespace perilune::helper {

/// What the first directory of a TIFF structure says: that of a TIFF picture, or the EXIF data of another
/// kind.
struct TiffTags {
    std::uint32_t width = 0, height = 0;
    std::uint32_t bits = 1;        ///< of the first sample
    std::uint32_t photometric = 0; ///< 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 CMYK, …
    std::uint32_t orientation = 1; ///< 1 to 8, as in EXIF
    std::uint32_t samples = 1;
    std::uint32_t extraSample = 0; ///< 1 alpha that the colours are multiplied by, 2 alpha apart
    Bytes profile;                 ///< ICC; inside the bytes that were read
    bool complete = false;         ///< the directory is there as a whole
};

/// Never reads outside `bytes`; tags that don't make sense are left as they are above.
TiffTags readTiffTags(Bytes bytes);

} // namespace perilune::helper
