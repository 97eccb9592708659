#include "ui/viewmodel/thumbnail_provider.h"

#include "media/thumbnail.h"
#include "ui/viewmodel/filmstrip.h"

#include <QQuickImageResponse>
#include <QQuickTextureFactory>

#include <algorithm>
#include <memory>
#include <mutex>
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

std::string decoded(QStringView id)
{
    return QByteArray::fromBase64(id.toLatin1(), QByteArray::Base64UrlEncoding).toStdString();
}

} // namespace

QString ThumbnailProvider::source(const QString &path)
{
    return "image://" + providerName() + '/' + encoded(path);
}

QString ThumbnailProvider::filmSource(const QString &path)
{
    return "image://" + providerName() + '/' + kFilm + encoded(path);
}

QQuickImageResponse *ThumbnailProvider::requestImageResponse(const QString &id, const QSize &requestedSize)
{
    auto *response = new Response; // the engine deletes it
    const std::shared_ptr<Shared> shared = response->shared();
    if (id.startsWith(QLatin1String(kFilm))) {
        const int height = requestedSize.height() > 0 ? requestedSize.height() : kFilmHeight;
        m_run([shared, path = decoded(QStringView(id).mid(qstrlen(kFilm))), height] {
            answer(shared, makeFilmstrip(path, height, shared->stop.get_token()));
        });
    } else {
        const int asked = std::max(requestedSize.width(), requestedSize.height());
        m_run([shared, path = decoded(id), side = asked > 0 ? asked : kDefaultSide] {
            answer(shared, thumbnail(path, side, shared->stop.get_token()));
        });
    }
    return response;
}

} // namespace perilune::ui
