#include "media/helper/container.h"

#include "media/helper/iso_boxes.h"
#include "media/helper/picture_output.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace perilune::helper {

namespace {

constexpr int kIoBytes = 1 << 16;
constexpr std::size_t kMostFrames = 4'000'000; // 37 hours at 30 a second

/// Formats that FFmpeg offers but that are no clips: they would open other files, or make pictures of text.
bool isRefused(std::string_view name)
{
    for (const std::string_view part :
         {"_pipe", "image2", "tty", "hls", "dash", "concat", "sdp", "rtsp", "lavfi"}) {
        if (name.find(part) != std::string_view::npos)
            return true;
    }
    return false;
}

int refuseToOpen(AVFormatContext *, AVIOContext **, const char *, int, AVDictionary **)
{
    return AVERROR(EACCES);
}

/// VP8 keeps pictures that are only referred to and never shown in packets of their own; a bit tells.
bool isHidden(const AVCodecParameters &codec, const AVPacket &packet)
{
    return codec.codec_id == AV_CODEC_ID_VP8 && packet.size > 0 && (packet.data[0] & 0x10) == 0;
}

Error noClip()
{
    return {ErrorCode::InvalidInput, std::string(protocol::kNoMedia)};
}

} // namespace

int Container::readBytes(void *self, std::uint8_t *bytes, int size)
{
    auto &container = *static_cast<Container *>(self);
    const std::int64_t n = container.m_file.read(container.m_at, bytes, static_cast<std::size_t>(size));
    if (n < 0)
        return AVERROR(EIO);
    if (n == 0)
        return AVERROR_EOF;
    container.m_at += static_cast<std::uint64_t>(n);
    return static_cast<int>(n);
}

std::int64_t Container::seekBytes(void *self, std::int64_t offset, int whence)
{
    auto &container = *static_cast<Container *>(self);
    const auto size = static_cast<std::int64_t>(container.m_file.size());
    if (whence & AVSEEK_SIZE)
        return size;
    switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET: break;
    case SEEK_CUR: offset += static_cast<std::int64_t>(container.m_at); break;
    case SEEK_END: offset += size; break;
    default: return AVERROR(EINVAL);
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    container.m_at = static_cast<std::uint64_t>(offset);
    return offset;
}

Result<std::unique_ptr<Container>> Container::open(const SourceFile &file, std::uint64_t maxPixels)
{
    std::unique_ptr<Container> container(new Container(file));
    auto *buffer = static_cast<unsigned char *>(av_malloc(kIoBytes));
    container->m_io.reset(
        avio_alloc_context(buffer, kIoBytes, 0, container.get(), readBytes, nullptr, seekBytes));
    AVFormatContext *format = avformat_alloc_context();
    format->pb = container->m_io.get();
    format->flags |= AVFMT_FLAG_CUSTOM_IO;
    format->io_open = refuseToOpen;
    if (avformat_open_input(&format, "", nullptr, nullptr) < 0) // frees it where it fails
        return noClip();
    container->m_format.reset(format);
    if (isRefused(format->iformat->name))
        return noClip();
    if (avformat_find_stream_info(format, nullptr) < 0)
        return Error{ErrorCode::Corrupt, "is damaged: what it holds can't be found out"};
    if (auto chosen = container->chooseStream(maxPixels); !chosen)
        return std::move(chosen).error();
    return container;
}

Status Container::chooseStream(std::uint64_t maxPixels)
{
    bool sound = false, cover = false;
    int best = -1;
    std::int64_t bestPixels = -1;
    for (unsigned i = 0; i < m_format->nb_streams; ++i) {
        AVStream *stream = m_format->streams[i];
        stream->discard = AVDISCARD_ALL;
        sound |= stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
        if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO)
            continue;
        if (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) {
            cover = true;
            continue;
        }
        const std::int64_t pixels = std::int64_t{stream->codecpar->width} * stream->codecpar->height;
        const bool preferred = (stream->disposition & AV_DISPOSITION_DEFAULT) != 0;
        // FFmpeg from 7 on also shows the picture that stands for a moving AVIF, and prefers it.
        const bool moves = !isAnimation() || avformat_index_get_entries_count(stream) != 1;
        const std::int64_t rank =
            pixels + (preferred ? std::int64_t{1} << 60 : 0) + (moves ? std::int64_t{1} << 61 : 0);
        if (rank > bestPixels) {
            bestPixels = rank;
            best = static_cast<int>(i);
        }
    }
    if (best < 0) {
        if (sound && cover)
            return Error{ErrorCode::Unsupported,
                         "is sound with a cover picture, not a clip; sound can't be heard here"};
        if (sound)
            return Error{ErrorCode::Unsupported, "holds only sound, which can't be heard here"};
        return noClip();
    }
    m_stream = static_cast<unsigned>(best);
    stream()->discard = AVDISCARD_DEFAULT;
    const AVCodecParameters &codec = *stream()->codecpar;
    if (codec.codec_id == AV_CODEC_ID_H264) {
        m_parser.reset(av_parser_init(codec.codec_id));
        m_parserNeeds.reset(avcodec_alloc_context3(nullptr));
        if (!m_parser || !m_parserNeeds || avcodec_parameters_to_context(m_parserNeeds.get(), &codec) < 0)
            return Error{ErrorCode::OutOfMemory, "needs more memory than a clip may take"};
        m_parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    }
    if (codec.width <= 0 || codec.height <= 0)
        return Error{ErrorCode::Corrupt, "is damaged: the size of its frames is not there"};
    return checkSize(static_cast<std::uint64_t>(codec.width), static_cast<std::uint64_t>(codec.height),
                     maxPixels);
}

double Container::fps() const
{
    for (const AVRational rate : {stream()->avg_frame_rate, stream()->r_frame_rate}) {
        if (rate.num > 0 && rate.den > 0)
            return av_q2d(rate);
    }
    if (shown.size() > 1 && timed && shown.back() > shown.front())
        return double(shown.size() - 1) / seconds(shown.back() - shown.front());
    return 25;
}

bool Container::isAnimation() const
{
    const std::string_view name = m_format->iformat->name;
    if (name == "gif" || name == "apng")
        return true;
    const AVDictionaryEntry *brand = av_dict_get(m_format->metadata, "major_brand", nullptr, 0);
    return brand && std::string_view(brand->value) == "avis";
}

bool Container::next(AVPacket &packet)
{
    for (;;) {
        av_packet_unref(&packet);
        const int result = av_read_frame(m_format.get(), &packet);
        if (result < 0) {
            brokenOff = brokenOff || (result != AVERROR_EOF && result != AVERROR(EAGAIN));
            return false;
        }
        if (packet.stream_index == static_cast<int>(m_stream))
            return true;
    }
}

/// H.264 also calls such frames keys from which on a picture is refreshed strip by strip: not every pixel is
/// as it would be if decoding had begun before. Those don't count.
bool Container::canBeginAt(const AVPacket &key) const
{
    if (!m_parser)
        return true;
    std::uint8_t *out = nullptr;
    int outBytes = 0;
    av_parser_parse2(m_parser.get(), m_parserNeeds.get(), &out, &outBytes, key.data, key.size, key.pts,
                     key.dts, key.pos);
    return m_parser->pict_type == AV_PICTURE_TYPE_I;
}

Status Container::scan(Channel &channel)
{
    const Packet packet(av_packet_alloc());
    const double size = std::max(double(m_file.size()), 1.0);
    bool lastBroken = false;
    std::int64_t latest = INT64_MIN;
    while (next(*packet)) {
        channel.progress(double(std::max<std::int64_t>(avio_tell(m_io.get()), 0)) / size);
        lastBroken = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
        if ((packet->flags & AV_PKT_FLAG_DISCARD) || lastBroken || isHidden(*stream()->codecpar, *packet))
            continue;
        timed = timed && packet->pts != AV_NOPTS_VALUE;
        if ((packet->flags & AV_PKT_FLAG_KEY) && canBeginAt(*packet))
            keys.push_back({packet->pts, packet->dts == AV_NOPTS_VALUE ? packet->pts : packet->dts});
        if (packet->pts >= latest) {
            latest = packet->pts;
            lastDuration = packet->duration;
        }
        shown.push_back(packet->pts);
        if (shown.size() > kMostFrames)
            return Error{ErrorCode::Unsupported, "has more than four million frames"};
    }
    const bool iso = std::string_view(m_format->iformat->name).find("mp4") != std::string_view::npos;
    brokenOff = brokenOff || lastBroken || (iso && !isoBoxesAreWhole(m_file));
    if (shown.empty())
        return Error{ErrorCode::Corrupt, "is damaged: there is not a single frame in it"};
    if (timed) {
        std::sort(shown.begin(), shown.end());
        std::sort(keys.begin(), keys.end(), [](auto &a, auto &b) { return a.shown < b.shown; });
        // Two pictures at one moment are one frame: the fields of interlaced video, or a repeated packet.
        shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    } else {
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] = static_cast<std::int64_t>(i);
        keys.clear();
        lastDuration = 0;
    }
    return Done{};
}

} // namespace perilune::helper
