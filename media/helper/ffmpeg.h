#pragma once

// FFmpeg's C headers, and owners for what it allocates. Written to the interfaces of 5.1 and 7.1 alike.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <memory>

namespace perilune::helper {

struct FreeFormat {
    void operator()(AVFormatContext *context) const { avformat_close_input(&context); }
};
struct FreeIo {
    void operator()(AVIOContext *io) const
    {
        av_freep(static_cast<void *>(&io->buffer));
        avio_context_free(&io);
    }
};
struct FreeCodec {
    void operator()(AVCodecContext *context) const { avcodec_free_context(&context); }
};
struct FreeParser {
    void operator()(AVCodecParserContext *parser) const { av_parser_close(parser); }
};
struct FreePacket {
    void operator()(AVPacket *packet) const { av_packet_free(&packet); }
};
struct FreeFrame {
    void operator()(AVFrame *frame) const { av_frame_free(&frame); }
};
struct FreeScaler {
    void operator()(SwsContext *scaler) const { sws_freeContext(scaler); }
};

using Format = std::unique_ptr<AVFormatContext, FreeFormat>;
using Io = std::unique_ptr<AVIOContext, FreeIo>;
using Codec = std::unique_ptr<AVCodecContext, FreeCodec>;
using Parser = std::unique_ptr<AVCodecParserContext, FreeParser>;
using Packet = std::unique_ptr<AVPacket, FreePacket>;
using Frame = std::unique_ptr<AVFrame, FreeFrame>;
using Scaler = std::unique_ptr<SwsContext, FreeScaler>;

} // namespace perilune::helper
