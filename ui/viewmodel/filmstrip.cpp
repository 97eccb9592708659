#include "ui/viewmodel/filmstrip.h"

#include "media/prepare.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace perilune::ui {
namespace {

constexpr std::uint32_t kFrames = 4;
constexpr int kGap = 4; // pixels between frames

QImage imageOf(const Picture &picture)
{
    const auto width = static_cast<int>(picture.width);
    return {picture.rgb.data(), width, static_cast<int>(picture.height), width * 3, QImage::Format_RGB888};
}

} // namespace

QImage withRoundCorners(const QImage &image, double radius)
{
    QImage round(image.size(), QImage::Format_ARGB32_Premultiplied);
    round.fill(Qt::transparent);
    QPainter painter(&round);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(image));
    painter.drawRoundedRect(round.rect(), radius, radius);
    return round;
}

Result<QImage> makeFilmstrip(const std::string &path, const MediaChoice &choice, int height,
                             std::stop_token stop)
{
    MediaConfig config;
    config.framePatchLimit = 24 * 24; // 336 x 336 pixels: enough for a strip
    PrepareOptions options;
    options.as = PrepareOptions::As::Video;
    options.wantPixels = true;
    options.choice.fromSeconds = choice.fromSeconds;
    options.choice.toSeconds = choice.toSeconds;
    options.choice.maxFrames = kFrames;
    const Result<Prepared> clip = prepare(path, config, options, {}, std::move(stop));
    if (!clip)
        return clip.error();
    if (clip->pixels.empty() || clip->height == 0)
        return Error{ErrorCode::Corrupt, path + " has no frames"};

    const int width =
        static_cast<int>(std::uint64_t{clip->width} * static_cast<unsigned>(height) / clip->height);
    const int count = static_cast<int>(clip->pixels.size());
    QImage strip(count * width + (count - 1) * kGap, height, QImage::Format_ARGB32_Premultiplied);
    strip.fill(Qt::transparent);
    QPainter painter(&strip);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (int at = 0; at < count; ++at) {
        const QImage frame = imageOf(clip->pixels[static_cast<std::size_t>(at)]);
        // The frame stands at the top left of what was padded to whole patches.
        const double aspect = static_cast<double>(clip->width) / clip->height;
        const double seenWidth = std::min<double>(frame.width(), frame.height() * aspect);
        painter.drawImage(QRectF(at * (width + kGap), 0, width, height), frame,
                          QRectF(0, 0, seenWidth, seenWidth / aspect));
    }
    return withRoundCorners(strip, height * 0.08);
}

} // namespace perilune::ui
