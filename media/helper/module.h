#pragma once

#include "media/helper/clip.h"
#include "media/helper/picture_output.h"
#include "media/helper/sniff.h"

#include <span>

namespace perilune::helper {

/// One function a kind: decodes `bytes`, the whole file, into `output`. Errors go on after the file's name.
/// Of what moves, each takes the first frame.
using ReadPicture = Status (*)(Bytes bytes, PictureOutput &output);

struct PictureReader {
    FileKind kind;
    ReadPicture read;
};

/// A part of the decoder with libraries of its own, in a shared object that lies beside the program and is
/// loaded only when a file needs it: loading all of them would take longer than decoding most pictures.
struct Module {
    std::span<const PictureReader> pictures;
    /// What FFmpeg opens as video; none where the module reads no clips. Says in words what holds only sound,
    /// or a sound's cover picture.
    Result<std::unique_ptr<Clip>> (*openClip)(const SourceFile &, const protocol::Request &, Channel &);
    /// Opens what the libraries read from the disk, such as fonts; afterwards they can't. May be none.
    void (*prepare)();
};

/// The name under which a module's shared object offers its Module.
constexpr const char *kModuleSymbol = "perilune_media_module";

/// Loads "perilune-media-NAME.so". Once loaded, it stays.
Result<const Module *> loadModule(const char *name);

} // namespace perilune::helper
