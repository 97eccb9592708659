#pragma once

#include "engine/api/message.h"
#include "engine/base/result.h"
#include "media/clip_choices.h"
#include "media/picture.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

/// A picture or clip that is ready to be sent, with what is worth showing of it.
struct Attachment {
    MediaPart part; ///< with its patches, where they were asked for

    std::uint32_t width = 0, height = 0; ///< as displayed
    std::uint64_t tokens = 0;
    double durationSeconds = 0;       ///< of a clip
    std::vector<double> frameSeconds; ///< of a clip: when the frames that the model sees are shown
    std::vector<std::string> notes;   ///< for the person, a sentence each; often empty

    std::optional<ClipChoices> choices; ///< of a clip
    bool animation = false;             ///< a picture that moves; part.choice says how it is taken
    CostOf costOf;                      ///< what another choice than part.choice would come to

    std::uint32_t resizedWidth = 0, resizedHeight = 0; ///< as the model sees it, before padding
    std::vector<Picture> previews;                     ///< what the model sees: the picture, or each frame

    std::uint32_t thumbnailWidth = 0, thumbnailHeight = 0;
    std::vector<std::uint8_t> thumbnail; ///< RGB, rows from the top without gaps
};

/// Who says whether an animation is a picture or a clip: of a file that is attached, its content; of a part
/// that is in a conversation, the part, for its placeholder says so already.
enum class KindFrom { File, Part };

using MediaProgress = std::function<void(double fraction)>;

/// Turns a file into an attachment; called on a thread of the media pool. `visionConfigPath` is that of the
/// engine's capabilities; `progress`, which may be empty, hears on that thread how much is done, 0 to 1.
/// Errors name the file.
using PrepareMedia = std::function<Result<Attachment>(
    const MediaPart &part, KindFrom kind, const std::string &visionConfigPath, const std::stop_token &stop,
    const MediaProgress &progress)>;

/// Whether prepareMedia() takes `file` for a picture, and if not, why.
Status canBeShown(const std::string &file, const std::stop_token &stop);

/// The real one, by media/prepare.h.
Result<Attachment> prepareMedia(const MediaPart &part, KindFrom kind, const std::string &visionConfigPath,
                                const std::stop_token &stop, const MediaProgress &progress = {});

/// Whether `error` of prepareMedia() says that the file is neither a picture nor a clip.
bool isNoMedia(const Error &error);

} // namespace perilune
