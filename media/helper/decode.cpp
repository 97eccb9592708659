#include "media/helper/decode.h"

#include "media/helper/iso_boxes.h"
#include "media/helper/jxl_header.h"
#include "media/helper/limits.h"
#include "media/helper/module.h"
#include "media/helper/picture_output.h"
#include "media/helper/picture_readers.h"
#include "media/helper/sandbox.h"
#include "media/helper/sniff.h"
#include "media/helper/webp_chunks.h"

#include <exception>
#include <new>

namespace perilune::helper {

namespace {

constexpr const char *kClips = "clips", *kWebP = "webp", *kJxl = "jxl"; // modules

/// Who reads a kind of picture: this program itself, or a module of it. A kind with neither is refused by its
/// name.
struct PictureKind {
    FileKind kind;
    ReadPicture read;
    const char *module;
    std::uint32_t (*frames)(Bytes); ///< none: it never moves
    const char *clipModule;         ///< who takes it as a clip
};

constexpr PictureKind kPictureKinds[] = {
    {FileKind::Png,    nullptr,  "bitmaps", countPngFrames,  kClips },
    {FileKind::Jpeg,   readJpeg, nullptr,   nullptr,         nullptr},
    {FileKind::Gif,    readGif,  nullptr,   countGifFrames,  kClips },
    {FileKind::WebP,   nullptr,  "bitmaps", countWebPFrames, kWebP  },
    {FileKind::Bmp,    nullptr,  "bitmaps", nullptr,         nullptr},
    {FileKind::Tiff,   nullptr,  "bitmaps", nullptr,         nullptr},
    {FileKind::Avif,   nullptr,  "heif",    countIsoFrames,  kClips },
    {FileKind::Heic,   nullptr,  "heif",    nullptr,         nullptr},
    {FileKind::JpegXl, nullptr,  kJxl,      countJxlFrames,  kJxl   },
    {FileKind::Svg,    nullptr,  "svg",     nullptr,         nullptr},
    {FileKind::Pdf,    nullptr,  nullptr,   nullptr,         nullptr},
};

const PictureKind *pictureKind(FileKind kind)
{
    for (const PictureKind &known : kPictureKinds) {
        if (known.kind == kind)
            return &known;
    }
    return nullptr;
}

Status serveClip(const SourceFile &file, const protocol::Request &request, Channel &channel, const char *name)
{
    const auto module = loadModule(name);
    if (!module)
        return module.error();
    allowClipTime();
    if (auto closed = closeFence(); !closed)
        return closed;
    auto clip = (*module)->openClip(file, request, channel);
    if (!clip)
        return std::move(clip).error();
    channel.send(protocol::Type::ClipInfo, pack((*clip)->info()));
    while (const auto payload = channel.receive(protocol::Type::TakeFrames)) {
        const auto wanted = protocol::unpackTakeFrames(*payload);
        if (!wanted)
            break;
        if (auto sent = (*clip)->send(wanted->indices, channel); !sent)
            return sent;
    }
    return Done{};
}

/// The function that reads pictures of this kind, with all that it needs loaded.
Result<ReadPicture> readerOf(const PictureKind &kind, bool moves)
{
    if (kind.read)
        return kind.read;
    // OpenCV knows no WebP that moves.
    const auto module = loadModule(moves && kind.clipModule == kWebP ? kWebP : kind.module);
    if (!module)
        return module.error();
    if ((*module)->prepare)
        (*module)->prepare();
    for (const PictureReader &reader : (*module)->pictures) {
        if (reader.kind == kind.kind)
            return reader.read;
    }
    return Error{ErrorCode::Unsupported, std::string("can't be read: the part of the decoder named ") +
                                             kind.module + " is of another version"};
}

Status serveAny(const SourceFile &file, const protocol::Request &request, Channel &channel)
{
    const FileKind fileKind = sniff(file.head());
    const PictureKind *kind = pictureKind(fileKind);
    if (!kind) {
        if (request.as == protocol::As::Image)
            return Error{ErrorCode::InvalidInput, "is not a picture that can be read"};
        return serveClip(file, request, channel, kClips);
    }
    if (!kind->read && !kind->module)
        return Error{ErrorCode::Unsupported,
                     std::string("is ") + kindName(fileKind) + ", a kind that can't be read yet"};

    const auto bytes = file.all();
    if (!bytes)
        return bytes.error();
    const bool moves = kind->frames && kind->frames(*bytes) > 1;
    // A GIF or WebP of one frame can be taken as a clip of one; of the others, what doesn't move is none.
    const bool onlyPicture =
        !kind->frames || (!moves && kind->kind != FileKind::Gif && kind->kind != FileKind::WebP);
    if (request.as == protocol::As::Video && onlyPicture)
        return Error{ErrorCode::InvalidInput, std::string("is ") + kindName(fileKind) + ", not a clip"};
    if (request.as == protocol::As::Video || (request.as == protocol::As::Auto && request.app && moves))
        return serveClip(file, request, channel, kind->clipModule);
    const auto read = readerOf(*kind, moves);
    if (!read)
        return read.error();
    if (auto closed = closeFence(); !closed)
        return closed;
    PictureOutput output(channel, request);
    return (*read)(*bytes, output);
}

} // namespace

void serve(const SourceFile &file, const protocol::Request &request, Channel &channel)
{
    protocol::Failure failure;
    try {
        Status served = fenceIn();
        if (served)
            served = serveAny(file, request, channel);
        if (served)
            return;
        failure = {served.error().code, served.error().message};
    } catch (const std::bad_alloc &) {
        failure = {ErrorCode::OutOfMemory, "needs more memory than its decoder may take"};
    } catch (const std::exception &) {
        failure = {ErrorCode::Corrupt, "is damaged: its decoder gave up on it"};
    }
    channel.send(protocol::Type::Failure, pack(failure));
}

} // namespace perilune::helper
