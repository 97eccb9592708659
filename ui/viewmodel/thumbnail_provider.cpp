#include "ui/viewmodel/thumbnail_provider.h"

#include "media/thumbnail.h"
#include "ui/viewmodel/filmstrip.h"

#include <QCache>
#include <QQuickImageResponse>
#include <QQuickTextureFactory>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace perilune::ui {
namespace {

constexpr int kDefaultSide = 480;
constexpr int kFilmHeight = 184;
constexpr double kRounding = 0.065; ///< of a thumbnail's corners, as a part of its height
constexpr auto kFilm = "film/";

class Response;

/// What the job and the response share; either may go first.
struct Shared {
    std::mutex mutex;
    Response *response = nullptr; ///< null once it is gone
    std::stop_source stop;
};

class Response : public QQuickImageResponse {
public:
    Response() : m_shared(std::make_shared<Shared>()) { m_shared->response = this; }
    ~Response() override
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->response = nullptr;
    }
    Response(const Response &) = delete;
    Response &operator=(const Response &) = delete;

    QQuickTextureFactory *textureFactory() const override
    {
        return QQuickTextureFactory::textureFactoryForImage(m_image);
    }
    QString errorString() const override { return m_error; }
    void cancel() override { m_shared->stop.request_stop(); }

    const std::shared_ptr<Shared> &shared() const { return m_shared; }

    /// On any thread, with the mutex held.
    void answer(QImage image, QString error)
    {
        m_image = std::move(image);
        m_error = std::move(error);
        emit finished();
    }

private:
    std::shared_ptr<Shared> m_shared;
    QImage m_image;
    QString m_error;
};

Result<QImage> thumbnail(const std::string &path, int side, std::stop_token stop)
{
    const Result<Picture> picture = makeThumbnail(path, static_cast<std::uint32_t>(side), std::move(stop));
    if (!picture)
        return picture.error();
    const auto width = static_cast<int>(picture->width);
    const QImage view(picture->rgb.data(), width, static_cast<int>(picture->height), width * 3,
                      QImage::Format_RGB888);
    if (side > kDefaultSide)
        return view.convertToFormat(QImage::Format_RGB32); // a copy: the pixels of `picture` go
    return withRoundCorners(view, kRounding * view.height());
}

void answer(const std::shared_ptr<Shared> &shared, Result<QImage> image)
{
    const std::lock_guard lock(shared->mutex);
    if (!shared->response)
        return;
    if (image)
        shared->response->answer(*std::move(image), {});
    else
        shared->response->answer({}, QString::fromStdString(image.error().message));
}

// Base64, because an address would be decoded and joined in ways that a file's name does not survive.
QString encoded(const QString &path)
{
    return QString::fromLatin1(
        path.toUtf8().toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

/// A time in an address; none: "-".
QString timeText(const std::optional<double> &seconds)
{
    return seconds ? QString::number(*seconds, 'g', 17) : QStringLiteral("-");
}

std::optional<double> timeOf(const QString &text)
{
    bool good = false;
    const double seconds = text.toDouble(&good);
    return good ? std::optional(seconds) : std::nullopt;
}

std::string decoded(QStringView id)
{
    return QByteArray::fromBase64(id.toLatin1(), QByteArray::Base64UrlEncoding).toStdString();
}

} // namespace

/// The small views that were shown last, by address and size.
struct ThumbnailProvider::Shelf {
    static constexpr qsizetype kBytes = qsizetype{64} << 20;

    std::mutex mutex;
    QCache<QString, QImage> images{kBytes};

    std::optional<QImage> find(const QString &key)
    {
        const std::lock_guard lock(mutex);
        const QImage *image = images.object(key);
        return image ? std::optional(*image) : std::nullopt;
    }
    void keep(const QString &key, const QImage &image)
    {
        const std::lock_guard lock(mutex);
        images.insert(key, new QImage(image), image.sizeInBytes());
    }
};

ThumbnailProvider::ThumbnailProvider(Run run) : m_run(std::move(run)), m_shelf(std::make_shared<Shelf>()) {}

QString ThumbnailProvider::source(const QString &path)
{
    return "image://" + providerName() + '/' + encoded(path);
}

QString ThumbnailProvider::filmSource(const QString &path, const MediaChoice &choice)
{
    return "image://" + providerName() + '/' + kFilm + timeText(choice.fromSeconds) + '/' +
           timeText(choice.toSeconds) + '/' + encoded(path);
}

QQuickImageResponse *ThumbnailProvider::requestImageResponse(const QString &id, const QSize &requestedSize)
{
    auto *response = new Response; // the engine deletes it
    const std::shared_ptr<Shared> shared = response->shared();
    const bool film = id.startsWith(QLatin1String(kFilm));
    const MediaChoice part{.fromSeconds = timeOf(id.section('/', 1, 1)),
                           .toSeconds = timeOf(id.section('/', 2, 2))};
    const std::string path = decoded(id.section('/', -1));
    const int asked = film ? requestedSize.height() : std::max(requestedSize.width(), requestedSize.height());
    const int side = asked > 0 ? asked : film ? kFilmHeight : kDefaultSide;
    m_run([shared, shelf = m_shelf, key = id + '@' + QString::number(side), film, part, path, side] {
        if (std::optional<QImage> kept = shelf->find(key)) {
            answer(shared, *std::move(kept));
            return;
        }
        Result<QImage> image = film ? makeFilmstrip(path, part, side, shared->stop.get_token())
                                    : thumbnail(path, side, shared->stop.get_token());
        if (image && side <= kDefaultSide)
            shelf->keep(key, *image);
        answer(shared, std::move(image));
    });
    return response;
}

} // namespace perilune::ui
