#pragma once

#include "engine/base/result.h"
#include "media/helper/channel.h"
#include "media/helper/ffmpeg.h"
#include "media/helper/source_file.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perilune::helper {

/// A place where decoding can begin.
struct KeyTicks {
    std::int64_t shown = 0, decoded = 0; ///< ticks
};

/// A container opened through FFmpeg, reading from a file and nowhere else, with its one video stream chosen.
class Container {
public:
    static Result<std::unique_ptr<Container>> open(const SourceFile &file, std::uint64_t maxPixels);

    AVFormatContext *format() const { return m_format.get(); }
    AVStream *stream() const { return m_format->streams[m_stream]; }
    double seconds(std::int64_t ticks) const { return double(ticks) * av_q2d(stream()->time_base); }
    double fps() const; ///< average; above 0
    bool isAnimation() const;

    /// The next packet of the stream, into `packet`; false at the end, also where the file breaks off.
    bool next(AVPacket &packet);

    /// Reads through the whole file without decoding and fills the three below, in display order.
    Status scan(Channel &channel);

    std::vector<std::int64_t> shown; ///< of each frame: ticks; its number where the container has no times
    std::vector<KeyTicks> keys;
    bool timed = true;             ///< whether `shown` are times
    std::int64_t lastDuration = 0; ///< ticks; 0 where it isn't known
    bool brokenOff = false;        ///< the file ends in the middle of something

private:
    explicit Container(const SourceFile &file) : m_file(file) {}
    Status chooseStream(std::uint64_t maxPixels);
    bool canBeginAt(const AVPacket &key) const;
    static int readBytes(void *self, std::uint8_t *bytes, int size);
    static std::int64_t seekBytes(void *self, std::int64_t offset, int whence);

    const SourceFile &m_file;
    std::uint64_t m_at = 0;
    Parser m_parser;     // of H.264
    Codec m_parserNeeds; // what it wants to know
    Io m_io;             // closed after the format that uses it
    Format m_format;
    unsigned m_stream = 0;
};

} // namespace perilune::helper
