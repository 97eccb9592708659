#include "media/helper/sniff.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace perilune::helper {

namespace {

using namespace std::string_view_literals;

/// The major brand and the compatible ones of an ISO media file: pictures and films share the container.
FileKind isoKind(std::string_view text)
{
    const std::string_view major = text.substr(8, 4);
    if (major == "avif" || major == "avis")
        return FileKind::Avif;
    for (const std::string_view brand : {"heic"sv, "heix"sv, "hevc"sv, "hevx"sv, "heim"sv, "heis"sv}) {
        if (major == brand)
            return FileKind::Heic;
    }
    if (major == "mif1" || major == "msf1")
        return text.substr(0, 64).find("avif") != std::string_view::npos ? FileKind::Avif : FileKind::Heic;
    return FileKind::Other;
}

bool isSvg(std::string_view text)
{
    const auto start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (start == std::string_view::npos || text[start] != '<')
        return false;
    return text.find("<svg") != std::string_view::npos;
}

} // namespace

FileKind sniff(Bytes head)
{
    const std::string_view text(reinterpret_cast<const char *>(head.data()), head.size());
    struct Magic {
        std::string_view bytes;
        FileKind kind;
    };
    static constexpr Magic kMagics[] = {
        {"\x89PNG\r\n\x1a\n"sv,        FileKind::Png   },
        {"\xff\xd8\xff"sv,             FileKind::Jpeg  },
        {"GIF87a"sv,                   FileKind::Gif   },
        {"GIF89a"sv,                   FileKind::Gif   },
        {"II*\0"sv,                    FileKind::Tiff  },
        {"MM\0*"sv,                    FileKind::Tiff  },
        {"\xff\x0a"sv,                 FileKind::JpegXl},
        {"\0\0\0\x0cJXL \r\n\x87\n"sv, FileKind::JpegXl},
        {"%PDF-"sv,                    FileKind::Pdf   },
    };
    for (const Magic &magic : kMagics) {
        if (text.starts_with(magic.bytes))
            return magic.kind;
    }
    if (text.starts_with("RIFF") && text.substr(8, 4) == "WEBP")
        return FileKind::WebP;
    // "BM" alone would fit any text that begins so: the header's own length must be one of those there are.
    if (text.starts_with("BM") && text.size() >= 18 &&
        (text[14] == 12 || (text[14] >= 40 && text[14] <= 124)) && text.substr(15, 3) == "\0\0\0"sv)
        return FileKind::Bmp;
    if (text.size() >= 12 && text.substr(4, 4) == "ftyp")
        return isoKind(text);
    return isSvg(text) ? FileKind::Svg : FileKind::Other;
}

const char *kindName(FileKind kind)
{
    switch (kind) {
    case FileKind::Png: return "a PNG picture";
    case FileKind::Jpeg: return "a JPEG picture";
    case FileKind::Gif: return "a GIF picture";
    case FileKind::WebP: return "a WebP picture";
    case FileKind::Bmp: return "a BMP picture";
    case FileKind::Tiff: return "a TIFF picture";
    case FileKind::Avif: return "an AVIF picture";
    case FileKind::Heic: return "a HEIC picture";
    case FileKind::JpegXl: return "a JPEG XL picture";
    case FileKind::Svg: return "an SVG drawing";
    case FileKind::Pdf: return "a PDF document";
    case FileKind::Other: return "a file of an unknown kind";
    }
    return "a file of an unknown kind";
}

} // namespace perilune::helper
