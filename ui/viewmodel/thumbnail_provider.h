#pragma once

#include "engine/api/media_choice.h"

#include <QImage>
#include <QQuickAsyncImageProvider>

#include <functional>
#include <memory>

namespace perilune::ui {

/// Small and large views of stored pictures and clips for QML, decoded away from the GUI thread. The address
/// of one is source(path); Image.sourceSize says how large it must be at most. Small ones are kept: a chat
/// that is opened again, or scrolled back, decodes nothing.
class ThumbnailProvider : public QQuickAsyncImageProvider {
public:
    /// Runs a job on a thread that may block. Called from any thread.
    using Run = std::function<void(std::function<void()> job)>;

    explicit ThumbnailProvider(Run run);

    /// The name to give QQmlEngine::addImageProvider.
    static QString providerName() { return QStringLiteral("media"); }
    static QString source(const QString &path);
    /// The address of frames of a clip side by side, from the part that `choice` says;
    /// Image.sourceSize.height says how high they are.
    static QString filmSource(const QString &path, const MediaChoice &choice = {});

    QQuickImageResponse *requestImageResponse(const QString &id, const QSize &requestedSize) override;

private:
    struct Shelf;

    Run m_run;
    std::shared_ptr<Shelf>
        m_shelf; ///< of small views; a file's name is its content's, so that they stay true
};

} // namespace perilune::ui
