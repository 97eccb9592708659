#include "app/turn/attachment.h"

#include "media/prepare.h"
#include "media/protocol.h"

#include <utility>

namespace perilune {

namespace {

constexpr std::uint32_t kFramePreview = 240, kPicturePreview = 1200; // pixels on the longer side

} // namespace

Result<Attachment> prepareMedia(const MediaPart &part, KindFrom kind, const std::string &visionConfigPath,
                                const std::stop_token &stop, const MediaProgress &progress)
{
    MediaConfig config; // the family's own where the model names none
    if (!visionConfigPath.empty()) {
        Result<MediaConfig> read = readMediaConfig(visionConfigPath);
        if (!read)
            return std::move(read).error();
        config = *read;
    }
    PrepareOptions options;
    options.choice = part.choice;
    if (kind == KindFrom::Part)
        options.as =
            part.kind == MediaPart::Kind::Video ? PrepareOptions::As::Video : PrepareOptions::As::Image;
    options.thumbnailSide = 256;
    if (kind == KindFrom::File) {
        options.previewSide = kPicturePreview;
        options.framePreviewSide = kFramePreview;
    }
    Result<Prepared> prepared = prepare(part.path, config, options, progress, stop);
    if (!prepared)
        return std::move(prepared).error();

    Attachment attachment;
    attachment.part = part;
    const bool clip = prepared->kind == VisionPatches::Kind::Video;
    attachment.part.kind = clip ? MediaPart::Kind::Video : MediaPart::Kind::Image;
    attachment.part.patches = std::move(prepared->patches);
    attachment.width = prepared->width;
    attachment.height = prepared->height;
    attachment.tokens = prepared->tokens;
    attachment.durationSeconds = prepared->durationSeconds;
    attachment.frameSeconds = std::move(prepared->frameSeconds);
    attachment.notes = std::move(prepared->notes);
    attachment.choices = prepared->choices;
    attachment.animation = prepared->animation;
    attachment.costOf = std::move(prepared->costOf);
    attachment.resizedWidth = prepared->resizedWidth;
    attachment.resizedHeight = prepared->resizedHeight;
    attachment.previews = std::move(prepared->previews);
    attachment.thumbnailWidth = prepared->thumbnail.width;
    attachment.thumbnailHeight = prepared->thumbnail.height;
    attachment.thumbnail = std::move(prepared->thumbnail.rgb);
    return attachment;
}

bool isNoMedia(const Error &error)
{
    return error.code == ErrorCode::InvalidInput && error.message.ends_with(protocol::kNoMedia);
}

Status canBeShown(const std::string &file, const std::stop_token &stop)
{
    const Result<Attachment> shown =
        prepareMedia({MediaPart::Kind::Image, file, {}, nullptr, {}}, KindFrom::File, {}, stop);
    if (!shown)
        return shown.error();
    if (shown->part.kind == MediaPart::Kind::Video)
        return Error{ErrorCode::Unsupported, "it is a clip"};
    return Done{};
}

} // namespace perilune
