#pragma once

#include <QImage>
#include <QQuickAsyncImageProvider>

#include <functional>

namespace perilune::ui {

/// Small and large views of stored pictures and clips for QML, decoded away from the GUI thread. The address
/// of one is source(path); Image.sourceSize says how large it must be at most.
class ThumbnailProvider : public QQuickAsyncImageProvider {
public:
    /// Runs a job on a thread that may block. Called from any thread.
    using Run = std::function<void(std::function<void()> job)>;

    explicit ThumbnailProvider(Run run) : m_run(std::move(run)) {}

    /// The name to give QQmlEngine::addImageProvider.
    static QString providerName() { return QStringLiteral("media"); }
    static QString source(const QString &path);
    /// The address of frames of a clip side by side; Image.sourceSize.height says how high they are.
    static QString filmSource(const QString &path);

    QQuickImageResponse *requestImageResponse(const QString &id, const QSize &requestedSize) override;

private:
    Run m_run;
};

} // namespace perilune::ui
