#include "tests/media/clip_maker.h"

#include <QtGlobal>

#include <algorithm>
#include <cstring>

extern "C" {
#include <libavutil/opt.h>
}

namespace perilune::test {

namespace {

using helper::Codec;
using helper::Frame;
using helper::Packet;

/// What is being written, and to where.
struct Output {
    AVFormatContext *format = nullptr;
    AVStream *stream = nullptr;
    Codec codec{};
    AVRational timeBase{1, 25};
};

void require(bool good, const std::string &what)
{
    if (!good)
        qFatal("FFmpeg can't make the test's clip: %s", what.c_str());
}

AVDictionary *dictionary(const std::vector<std::pair<std::string, std::string>> &options)
{
    AVDictionary *made = nullptr;
    for (const auto &[key, value] : options)
        av_dict_set(&made, key.c_str(), value.c_str(), 0);
    return made;
}

Codec openEncoder(const ClipPlan &plan, bool globalHeader)
{
    const AVCodec *encoder = avcodec_find_encoder_by_name(plan.encoder.c_str());
    require(encoder != nullptr, plan.encoder);
    Codec codec(avcodec_alloc_context3(encoder));
    codec->width = plan.width;
    codec->height = plan.height;
    codec->pix_fmt = plan.format;
    codec->time_base = plan.timeBase;
    codec->framerate = plan.rate;
    codec->sample_aspect_ratio = plan.shape;
    codec->gop_size = plan.keyEvery;
    codec->max_b_frames = plan.betweens;
    codec->color_primaries = plan.primaries;
    codec->color_trc = plan.transfer;
    codec->colorspace = plan.space;
    codec->color_range = AVCOL_RANGE_MPEG;
    codec->thread_count = 1;
    codec->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    if (plan.bitRate > 0)
        codec->bit_rate = plan.bitRate;
    if (plan.interlaced) {
        codec->flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
        codec->field_order = AV_FIELD_TT;
    }
    if (globalHeader)
        codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    AVDictionary *options = dictionary(plan.encoderOptions);
    require(avcodec_open2(codec.get(), encoder, &options) >= 0, "opening " + plan.encoder);
    av_dict_free(&options);
    return codec;
}

void setTurn(AVStream &stream, int degrees)
{
    const std::size_t size = 9 * sizeof(std::int32_t);
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    AVPacketSideData *data =
        av_packet_side_data_new(&stream.codecpar->coded_side_data, &stream.codecpar->nb_coded_side_data,
                                AV_PKT_DATA_DISPLAYMATRIX, size, 0);
    auto *matrix = reinterpret_cast<std::int32_t *>(data->data);
#else
    auto *matrix =
        reinterpret_cast<std::int32_t *>(av_stream_new_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, size));
#endif
    av_display_rotation_set(matrix, degrees);
}

/// Sends one frame, or the end, and writes what comes out.
void encode(Output &output, const AVFrame *frame)
{
    require(avcodec_send_frame(output.codec.get(), frame) >= 0, "encoding a frame");
    const Packet packet(av_packet_alloc());
    while (avcodec_receive_packet(output.codec.get(), packet.get()) >= 0) {
        if (packet->duration == 0)
            packet->duration = 1;
        av_packet_rescale_ts(packet.get(), output.timeBase, output.stream->time_base);
        packet->stream_index = output.stream->index;
        require(av_interleaved_write_frame(output.format, packet.get()) >= 0, "writing a frame");
    }
}

void makeGray(AVFrame &frame)
{
    const AVPixFmtDescriptor *form = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    const int gray = 1 << (form->comp[0].depth - 1);
    for (int plane = 0; plane < 3 && frame.data[plane]; ++plane) {
        const int height = plane == 0 ? frame.height : AV_CEIL_RSHIFT(frame.height, form->log2_chroma_h);
        if (form->comp[0].depth == 8) {
            std::memset(frame.data[plane], gray, static_cast<std::size_t>(frame.linesize[plane] * height));
            continue;
        }
        auto *samples = reinterpret_cast<std::uint16_t *>(frame.data[plane]);
        std::fill_n(samples, frame.linesize[plane] / 2 * height, static_cast<std::uint16_t>(gray));
    }
}

void encodeFrames(Output &output, const ClipPlan &plan)
{
    const Frame frame(av_frame_alloc());
    frame->format = plan.format;
    frame->width = plan.width;
    frame->height = plan.height;
    require(av_frame_get_buffer(frame.get(), 0) >= 0, "room for a frame");
    for (std::size_t i = 0; i < plan.ticks.size(); ++i) {
        require(av_frame_make_writable(frame.get()) >= 0, "room for a frame");
        makeGray(*frame);
        plan.draw(i, *frame);
        frame->pts = plan.ticks[i];
        if (plan.interlaced) {
#if LIBAVUTIL_VERSION_MAJOR >= 59
            frame->flags |= AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
            frame->interlaced_frame = frame->top_field_first = 1;
#endif
        }
        encode(output, frame.get());
    }
    encode(output, nullptr);
}

} // namespace

std::vector<std::int64_t> steadyTicks(std::size_t count)
{
    std::vector<std::int64_t> ticks;
    for (std::size_t i = 0; i < count; ++i)
        ticks.push_back(static_cast<std::int64_t>(i));
    return ticks;
}

bool hasEncoder(const std::string &name)
{
    return avcodec_find_encoder_by_name(name.c_str()) != nullptr;
}

void writeClip(const std::string &path, const ClipPlan &plan)
{
    av_log_set_level(AV_LOG_ERROR);
    Output output;
    output.timeBase = plan.timeBase;
    require(avformat_alloc_output_context2(&output.format, nullptr, nullptr, path.c_str()) >= 0, path);
    output.codec = openEncoder(plan, (output.format->oformat->flags & AVFMT_GLOBALHEADER) != 0);
    output.stream = avformat_new_stream(output.format, nullptr);
    output.stream->time_base = plan.timeBase;
    output.stream->avg_frame_rate = plan.rate;
    output.stream->sample_aspect_ratio = plan.shape;
    require(avcodec_parameters_from_context(output.stream->codecpar, output.codec.get()) >= 0, path);
    if (plan.turnedBy != 0)
        setTurn(*output.stream, plan.turnedBy);
    require(avio_open(&output.format->pb, path.c_str(), AVIO_FLAG_WRITE) >= 0, path);
    AVDictionary *options = dictionary(plan.containerOptions);
    require(avformat_write_header(output.format, &options) >= 0, path);
    av_dict_free(&options);
    encodeFrames(output, plan);
    require(av_write_trailer(output.format) >= 0, path);
    avio_closep(&output.format->pb);
    avformat_free_context(output.format);
}

void setExactSample(AVFrame &frame, int plane, int x, int y, int value)
{
    const int depth = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format))->comp[0].depth;
    std::uint8_t *row = frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane];
    if (depth == 8)
        row[x] = static_cast<std::uint8_t>(value);
    else
        reinterpret_cast<std::uint16_t *>(row)[x] = static_cast<std::uint16_t>(value);
}

void setSample(AVFrame &frame, int plane, int x, int y, int value)
{
    const int depth = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format))->comp[0].depth;
    setExactSample(frame, plane, x, y, value << (depth - 8));
}

void drawCode(AVFrame &frame, unsigned number)
{
    for (int bit = 0; bit < kCodeBits; ++bit) {
        const bool set = (number >> (kCodeBits - 1 - bit) & 1) != 0;
        for (int y = 0; y < 2 * kCodeBlock; ++y) {
            for (int x = 0; x < kCodeBlock; ++x)
                setSample(frame, 0, bit * kCodeBlock + x, y, set == (y < kCodeBlock) ? 235 : 16);
        }
    }
}

} // namespace perilune::test
