#pragma once

#include "engine/api/media_choice.h"
#include "engine/api/vision_patches.h"
#include "engine/base/result.h"
#include "media/clip_choices.h"
#include "media/media_config.h"
#include "media/picture.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

struct PrepareOptions {
    /// Auto takes animations as short videos, or as their first frame where that is chosen; Image always as
    /// their first frame.
    enum class As { Auto, Image, Video };
    /// App is for people: orientation and colour profile applied, transparency on white, frames by
    /// presentation time. Hf is what the published preprocessing code does, for comparison.
    enum class Mode { App, Hf };

    As as = As::Auto;
    Mode mode = Mode::App;
    MediaChoice choice;              ///< Hf mode knows its detail and maxFrames alone
    bool wantPatches = true;         ///< without, the patches have everything but their values
    bool wantPixels = false;         ///< fill Prepared::pixels
    std::uint32_t thumbnailSide = 0; ///< fill Prepared::thumbnail, that many pixels on its longer side
    /// Fill Prepared::previews: of a picture, and of each frame of a clip, at most so many pixels on the
    /// longer side.
    std::uint32_t previewSide = 0, framePreviewSide = 0;
    /// Of all frames together. What would be more is made to fit, and said so, in App mode and refused in Hf
    /// mode; 2^19 patches are 1.2 GB of pixel values.
    std::uint64_t maxPatches = std::uint64_t{1} << 19;
    std::string helperPath; ///< of perilune-media; empty: where it is installed beside the program
};

/// What the model will see of one file.
struct Prepared {
    std::shared_ptr<const VisionPatches> patches;

    VisionPatches::Kind kind = VisionPatches::Kind::Image;
    std::uint32_t width = 0, height = 0; ///< of the picture or clip as displayed, before resizing
    std::uint32_t resizedWidth = 0, resizedHeight = 0; ///< of it, or of each frame, before padding
    std::uint64_t tokens =
        0; ///< as the preprocessing reports them (fixed_output_tokens); else patches->tokens()

    std::vector<std::uint32_t> frameIndices; ///< of a clip: the frames taken, by display order from 0
    std::vector<double> frameSeconds;        ///< when each of them is shown
    double durationSeconds = 0;              ///< of a clip
    std::optional<ClipChoices> choices;      ///< of a clip: what taking it one way or another comes to
    bool animation = false; ///< a picture format that moves; taken as a clip or as its first frame
    CostOf costOf;          ///< what another choice would come to

    /// With wantPixels: each picture or frame resized and padded, 8-bit RGB, in the order of the patches.
    std::vector<Picture> pixels;
    Picture thumbnail; ///< with thumbnailSide
    /// With previewSide or framePreviewSide: what the model sees of the picture, or of each frame, without
    /// its padding.
    std::vector<Picture> previews;

    /// What a person should know: "an animation of 12 frames: taken as a short video". Often empty.
    std::vector<std::string> notes;

    /// What stands in the prompt for it, one media_pad for each medium. For a clip, the chunks with their
    /// times.
    std::string prompt;
};

/// Called now and then with how much is done, 0 to 1. On the calling thread.
using PrepareProgress = std::function<void(double fraction)>;

/// Turns one file into what the vision tower eats. Blocks the calling thread; any thread may call it, several
/// at once. The file is decoded by the helper program in limits of its own, so that no file can harm this
/// process. Errors name the file: Cancelled on stop (within 300 ms), InvalidInput for what is no picture or
/// clip, Corrupt for damaged ones, Unsupported for kinds that this build can't read or the model can't take.
Result<Prepared> prepare(const std::string &path, const MediaConfig &config, const PrepareOptions &options,
                         const PrepareProgress &progress = {}, std::stop_token stop = {});

/// The text that stands for one picture in a prompt, and for a clip of which the chunks start at
/// `timestamps`.
std::string picturePrompt(MediaConfig::Layout layout);
std::string clipPrompt(const std::vector<std::string> &timestamps);

} // namespace perilune
