#pragma once

#include "engine/base/result.h"
#include "media/helper_process.h"
#include "media/protocol.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace perilune {

/// One file being decoded by the helper: what it is, then its pixels. Every sentence of an error names the
/// file.
class MediaDecoder {
public:
    using Rows = std::function<void(std::span<const std::uint8_t>)>; ///< whole rows, from the top
    using Progress = std::function<void(double)>;                    ///< 0 to 1

    struct Options {
        protocol::As as = protocol::As::Auto;
        bool app = true;
        std::string helperPath; ///< empty: where it is installed
    };

    /// Opens the file, which must be a plain one, and has the helper find out what it is.
    static Result<MediaDecoder> open(const std::string &path, const Options &options,
                                     const Progress &progress, const std::stop_token &stop);

    const protocol::PictureStart *picture() const { return std::get_if<protocol::PictureStart>(&m_what); }
    const protocol::ClipInfo *clip() const { return std::get_if<protocol::ClipInfo>(&m_what); }
    const std::string &name() const { return m_name; }

    /// All rows of the picture, once.
    Status readPicture(const Rows &rows, const std::stop_token &stop);

    /// Called before the rows of each frame with its index.
    using FrameStarts = std::function<void(std::uint32_t index)>;

    /// The frames at `indices` (rising, below clip()->times.size()) in order. One that is damaged beyond use
    /// is left out, so fewer may come.
    Status readFrames(const std::vector<std::uint32_t> &indices, const FrameStarts &frameStarts,
                      const Rows &rows, const Progress &progress, const std::stop_token &stop);

    /// Pixels of one picture or frame; more is refused as a decompression bomb. Phones make 200 million.
    static constexpr std::uint64_t kMaxPixels = 210'000'000;

private:
    MediaDecoder() = default;
    Status readDescription(const Progress &progress, const std::stop_token &stop);
    bool takeDescription(const HelperProcess::Message &message);
    Status readRows(std::uint32_t width, std::uint32_t height, const Rows &rows, const std::stop_token &stop);
    Error failure(std::string_view payload) const;

    std::string m_name;
    std::unique_ptr<HelperProcess> m_helper;
    std::variant<std::monostate, protocol::PictureStart, protocol::ClipInfo> m_what;
};

} // namespace perilune
