#include "media/helper/clip.h"
#include "media/helper/container.h"
#include "media/helper/frame_converter.h"
#include "media/helper/module.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

namespace perilune::helper {

namespace {

constexpr int kMostThreads = 4; // each holds frames of its own

/// How a display matrix wants frames seen, as an EXIF orientation. Angles in between are passed over.
std::uint32_t orientationOf(const std::int32_t *matrix)
{
    // (x, y) of the stored picture is shown at (a x + c y, b x + d y), for the matrix a b . / c d . / . . .
    const auto sign = [](std::int32_t value) { return (value > 1 << 15) - (value < -(1 << 15)); };
    const int a = sign(matrix[0]), b = sign(matrix[1]), c = sign(matrix[3]), d = sign(matrix[4]);
    struct Known {
        int a, b, c, d;
        std::uint32_t orientation;
    };
    static constexpr Known kKnown[] = {
        {1,  0,  0,  1,  1},
        {-1, 0,  0,  1,  2},
        {-1, 0,  0,  -1, 3},
        {1,  0,  0,  -1, 4},
        {0,  1,  1,  0,  5},
        {0,  1,  -1, 0,  6},
        {0,  -1, -1, 0,  7},
        {0,  -1, 1,  0,  8}
    };
    for (const Known &known : kKnown) {
        if (known.a == a && known.b == b && known.c == c && known.d == d)
            return known.orientation;
    }
    return 1;
}

const std::int32_t *displayMatrix(const AVStream &stream)
{
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVPacketSideData *data = av_packet_side_data_get(
        stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(std::int32_t) ? reinterpret_cast<const std::int32_t *>(data->data)
                                                          : nullptr;
#else
    std::size_t size = 0;
    const std::uint8_t *data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(std::int32_t) ? reinterpret_cast<const std::int32_t *>(data) : nullptr;
#endif
}

Result<Codec> openCodec(const AVStream &stream)
{
    const AVCodec *decoder = avcodec_find_decoder(stream.codecpar->codec_id);
    if (stream.codecpar->codec_id == AV_CODEC_ID_NONE)
        return Error{ErrorCode::Unsupported, "holds video of a kind that isn't known here"};
    if (!decoder) {
        return Error{ErrorCode::Unsupported, std::string("holds video that can't be decoded here: ") +
                                                 avcodec_get_name(stream.codecpar->codec_id)};
    }
    Codec codec(avcodec_alloc_context3(decoder));
    if (!codec || avcodec_parameters_to_context(codec.get(), stream.codecpar) < 0)
        return Error{ErrorCode::OutOfMemory, "needs more memory than a clip may take"};
    codec->pkt_timebase = stream.time_base;
    codec->thread_count = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
    if (avcodec_open2(codec.get(), decoder, nullptr) < 0)
        return Error{ErrorCode::Corrupt, "is damaged: its video can't be decoded"};
    return codec;
}

class VideoClip : public Clip {
public:
    VideoClip(std::unique_ptr<Container> container, Codec codec, const protocol::Request &request)
        : m_container(std::move(container)),
          m_codec(std::move(codec)),
          m_converter(makeConverter(*m_container->stream(), request.app)),
          m_packet(av_packet_alloc()),
          m_frame(av_frame_alloc())
    {
        describe(request.app);
    }

    const protocol::ClipInfo &info() const override { return m_info; }
    Status send(const std::vector<std::uint32_t> &indices, Channel &channel) override;

private:
    FrameConverter makeConverter(const AVStream &stream, bool app)
    {
        const std::int32_t *matrix = displayMatrix(stream);
        m_orientation = matrix ? orientationOf(matrix) : 1;
        return {stream.codecpar->width, stream.codecpar->height, m_orientation, app};
    }

    void describe(bool app);
    void noteBrokenTail();
    Status rewind();
    bool seekBefore(std::int64_t wanted, std::size_t back);
    bool decodeNext();
    bool decodeUpTo(std::int64_t wanted);
    bool reach(std::int64_t wanted);
    std::int64_t placeOf(const AVFrame &frame);

    std::uint32_t m_orientation = 1; // before m_converter, which is made with it
    std::unique_ptr<Container> m_container;
    Codec m_codec;
    FrameConverter m_converter;
    Packet m_packet;
    Frame m_frame;
    protocol::ClipInfo m_info;
    std::int64_t m_decoded = INT64_MIN; // place of the last frame out of the decoder
    std::int64_t m_counted = 0;         // frames out of the decoder, where there are no times
    std::int64_t m_first = INT64_MAX;   // the earliest place that the last decodeUpTo() saw
    std::vector<std::int64_t> m_wanted; // places, rising
    std::function<void()> m_signOfLife; // called for each decoded frame
    bool m_draining = false;
};

void VideoClip::describe(bool app)
{
    const AVStream &stream = *m_container->stream();
    const auto width = static_cast<std::uint32_t>(stream.codecpar->width);
    const auto height = static_cast<std::uint32_t>(stream.codecpar->height);
    std::uint32_t displayWidth = width, displayHeight = height;
    const AVRational shape =
        av_guess_sample_aspect_ratio(m_container->format(), m_container->stream(), nullptr);
    if (app && shape.num > 0 && shape.den > 0 && av_q2d(shape) > 0.1 && av_q2d(shape) < 10) {
        // The longer way, so that nothing is lost.
        if (shape.num > shape.den)
            displayWidth = static_cast<std::uint32_t>(std::lround(width * av_q2d(shape)));
        else
            displayHeight = static_cast<std::uint32_t>(std::lround(height / av_q2d(shape)));
    }
    const bool sideways = m_orientation >= 5;
    m_info.width = sideways ? height : width;
    m_info.height = sideways ? width : height;
    m_info.displayWidth = sideways ? displayHeight : displayWidth;
    m_info.displayHeight = sideways ? displayWidth : displayHeight;
    m_info.fps = m_container->fps();
    m_info.animation = m_container->isAnimation();
    m_info.times.reserve(m_container->shown.size());
    for (const std::int64_t shown : m_container->shown) {
        m_info.times.push_back(m_container->timed ? m_container->seconds(shown - m_container->shown.front())
                                                  : double(shown) / m_info.fps);
    }
    m_info.endSeconds =
        m_info.times.back() +
        (m_container->lastDuration > 0 ? m_container->seconds(m_container->lastDuration) : 1 / m_info.fps);
    noteBrokenTail();
}

void VideoClip::noteBrokenTail()
{
    const AVStream &stream = *m_container->stream();
    double declared = stream.duration > 0 ? m_container->seconds(stream.duration) : 0;
    if (declared == 0 && m_container->format()->duration > 0)
        declared = double(m_container->format()->duration) / AV_TIME_BASE;
    const bool shorter = m_info.endSeconds < declared * 0.95 - 0.5;
    if (!m_container->brokenOff && !shorter)
        return;
    char text[160] = "";
    if (shorter) {
        std::snprintf(text, sizeof text, "the file is cut off after %.1f of %.1f s: what is readable is used",
                      m_info.endSeconds, declared);
    } else {
        std::snprintf(text, sizeof text, "the file is cut off after %.1f s: what is readable is used",
                      m_info.endSeconds);
    }
    m_info.notes.emplace_back(text);
}

/// Back to the first frame.
Status VideoClip::rewind()
{
    const auto &keys = m_container->keys;
    if (av_seek_frame(m_container->format(), m_container->stream()->index,
                      m_container->timed && !keys.empty() ? keys.front().decoded : 0,
                      AVSEEK_FLAG_BACKWARD) < 0)
        return Error{ErrorCode::Corrupt, "is damaged: it can't be read from its beginning"};
    avcodec_flush_buffers(m_codec.get());
    m_draining = false;
    m_decoded = INT64_MIN;
    m_counted = 0;
    return Done{};
}

/// Goes to the last place before `wanted` where decoding can begin, and `back` such places further back.
/// False where it stays: going on decoding is the shorter way, or there is no such place.
bool VideoClip::seekBefore(std::int64_t wanted, std::size_t back)
{
    if (!m_container->timed)
        return false;
    const auto &keys = m_container->keys;
    const auto after =
        std::upper_bound(keys.begin(), keys.end(), wanted,
                         [](std::int64_t place, const KeyTicks &key) { return place < key.shown; });
    if (std::cmp_less_equal(after - keys.begin(), back))
        return false;
    const auto found = after - 1 - static_cast<std::ptrdiff_t>(back);
    if (back == 0 && m_decoded < wanted && (found->shown <= m_decoded || found == keys.begin()))
        return false;
    if (av_seek_frame(m_container->format(), m_container->stream()->index, found->decoded,
                      AVSEEK_FLAG_BACKWARD) < 0)
        return false;
    avcodec_flush_buffers(m_codec.get());
    m_draining = false;
    m_decoded = INT64_MIN;
    return true;
}

/// Makes m_frame the next decoded frame; false at the end.
bool VideoClip::decodeNext()
{
    for (;;) {
        const int result = avcodec_receive_frame(m_codec.get(), m_frame.get());
        if (result == 0)
            return true;
        if (result == AVERROR_EOF || m_draining)
            return false;
        if (!m_container->next(*m_packet)) {
            m_draining = true;
            avcodec_send_packet(m_codec.get(), nullptr);
            continue;
        }
        // What no other frame refers to need not be decoded, unless it is wanted itself.
        const bool needed =
            !m_container->timed || std::binary_search(m_wanted.begin(), m_wanted.end(), m_packet->pts);
        m_codec->skip_frame = needed ? AVDISCARD_DEFAULT : AVDISCARD_NONREF;
        avcodec_send_packet(m_codec.get(),
                            m_packet.get()); // a damaged packet gives no frame, and that is all
    }
}

std::int64_t VideoClip::placeOf(const AVFrame &frame)
{
    if (!m_container->timed)
        return m_counted++;
    return frame.best_effort_timestamp;
}

/// Decodes until m_frame is the one at `wanted` or, where that never comes, a later one; false at the end.
bool VideoClip::decodeUpTo(std::int64_t wanted)
{
    m_first = INT64_MAX;
    while (decodeNext()) {
        m_signOfLife();
        m_decoded = placeOf(*m_frame);
        m_first = std::min(m_first, m_decoded);
        if (m_decoded >= wanted)
            return true;
    }
    return false;
}

/// As decodeUpTo(), by the shortest way. Where decoding begins only after `wanted`, because the container led
/// too far or the key before it is damaged, it begins again further and further back.
bool VideoClip::reach(std::int64_t wanted)
{
    bool sought = seekBefore(wanted, 0);
    for (std::size_t back = 1;; back = back * 2 + 1) {
        const bool reached = decodeUpTo(wanted);
        if (!sought || m_first <= wanted)
            return reached;
        sought = seekBefore(wanted, back);
        if (!sought && !rewind())
            return false;
    }
}

Status VideoClip::send(const std::vector<std::uint32_t> &indices, Channel &channel)
{
    // What was decoded last for another call may lie behind; so may the end of the scan.
    if (auto rewound = rewind(); !rewound)
        return rewound;
    m_wanted.clear();
    for (const std::uint32_t index : indices) {
        if (index < m_container->shown.size())
            m_wanted.push_back(m_container->shown[index]);
    }
    std::size_t i = 0;
    m_signOfLife = [&] { channel.progress(double(i) / double(m_wanted.size())); };
    while (i < m_wanted.size()) {
        if (!reach(m_wanted[i]))
            break;
        // Frames between the last wanted one and this that never came are left out.
        while (i < m_wanted.size() && m_wanted[i] < m_decoded)
            ++i;
        if (i == m_wanted.size() || m_wanted[i] != m_decoded)
            continue;
        const auto rgb = m_converter.convert(*m_frame);
        if (!rgb.empty()) {
            channel.send(protocol::Type::FrameStart, pack(protocol::FrameStart{indices[i]}));
            channel.sendRows(rgb, std::size_t{m_info.width} * 3);
        }
        ++i;
    }
    channel.send(protocol::Type::FramesDone, {});
    return Done{};
}

Result<std::unique_ptr<Clip>> openClip(const SourceFile &file, const protocol::Request &request,
                                       Channel &channel)
{
    auto container = Container::open(file, request.maxPixels);
    if (!container)
        return std::move(container).error();
    auto codec = openCodec(*(*container)->stream());
    if (!codec)
        return std::move(codec).error();
    if (auto scanned = (*container)->scan(channel); !scanned)
        return std::move(scanned).error();
    return std::unique_ptr<Clip>(
        std::make_unique<VideoClip>(*std::move(container), *std::move(codec), request));
}

} // namespace

} // namespace perilune::helper

extern "C" {
extern const perilune::helper::Module perilune_media_module;
const perilune::helper::Module perilune_media_module{
    .pictures = {}, .openClip = perilune::helper::openClip, .prepare = nullptr};
}
