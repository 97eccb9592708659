#include "ui/viewmodel/thumbnail_provider.h"

#include "media/thumbnail.h"

#include <QQuickImageResponse>
#include <QQuickTextureFactory>

#include <algorithm>
#include <memory>
#include <mutex>

namespace perilune::ui {
namespace {

constexpr int kDefaultSide = 480;

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

void decode(const std::shared_ptr<Shared> &shared, const QString &path, int side)
{
    const Result<Picture> picture =
        makeThumbnail(path.toStdString(), static_cast<std::uint32_t>(side), shared->stop.get_token());
    QImage image;
    if (picture) {
        const auto width = static_cast<int>(picture->width);
        image = QImage(picture->rgb.data(), width, static_cast<int>(picture->height), width * 3,
                       QImage::Format_RGB888)
                    .convertToFormat(QImage::Format_RGB32); // a copy: the pixels of `picture` go
    }

    const std::lock_guard lock(shared->mutex);
    if (shared->response)
        shared->response->answer(std::move(image),
                                 picture ? QString() : QString::fromStdString(picture.error().message));
}

} // namespace

QString ThumbnailProvider::source(const QString &path)
{
    // Base64, because an address would be decoded and joined in ways that a file's name does not survive.
    return "image://" + providerName() + '/' +
           QString::fromLatin1(path.toUtf8().toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

QString ThumbnailProvider::pathOf(const QString &id)
{
    return QString::fromUtf8(QByteArray::fromBase64(id.toLatin1(), QByteArray::Base64UrlEncoding));
}

QQuickImageResponse *ThumbnailProvider::requestImageResponse(const QString &id, const QSize &requestedSize)
{
    auto *response = new Response; // the engine deletes it
    const int side = std::max(requestedSize.width(), requestedSize.height());
    m_run([shared = response->shared(), path = pathOf(id), side = side > 0 ? side : kDefaultSide] {
        decode(shared, path, side);
    });
    return response;
}

} // namespace perilune::ui
