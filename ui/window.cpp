#include "ui/window.h"

#include "ui/single_instance.h"
#include "ui/viewmodel/formula_images.h"
#include "ui/viewmodel/thumbnail_provider.h"
#include "ui/viewmodel/window_model.h"

#include <QGuiApplication>
#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QQmlApplicationEngine>
#include <QQmlNetworkAccessManagerFactory>
#include <QQuickStyle>
#include <QQuickWindow>
#include <QTimer>
#include <QtQml/QQmlExtensionPlugin>

#include <optional>

Q_IMPORT_QML_PLUGIN(PerilunePlugin)

namespace perilune::ui {
namespace {

/// What a model writes may name remote things; fetching them would tell others that, and what, it is read.
class NoNetwork : public QNetworkAccessManager {
public:
    using QNetworkAccessManager::QNetworkAccessManager;

protected:
    QNetworkReply *createRequest(Operation operation, const QNetworkRequest &, QIODevice *data) override
    {
        // An address without a scheme fails at once, by itself.
        return QNetworkAccessManager::createRequest(operation, QNetworkRequest(), data);
    }
};

class NoNetworkFactory : public QQmlNetworkAccessManagerFactory {
public:
    QNetworkAccessManager *create(QObject *parent) override { return new NoNetwork(parent); }
};

Appearance::Scheme schemeOf(Settings::Theme theme)
{
    switch (theme) {
    case Settings::Theme::Light: return Appearance::Scheme::Light;
    case Settings::Theme::Dark: return Appearance::Scheme::Dark;
    case Settings::Theme::System: break;
    }
    return Appearance::Scheme::System;
}

} // namespace

struct Window::Impl {
    Impl(Application &application, Appearance::Scheme scheme) : model(application, scheme) {}

    NoNetworkFactory network;
    WindowModel model;
    QQmlApplicationEngine engine; // last: its items use the members above
};

Post guiPost()
{
    return [](std::function<void()> job, std::chrono::milliseconds delay) {
        QMetaObject::invokeMethod(
            qApp,
            [job = std::move(job), delay] {
                if (delay.count() == 0)
                    job();
                else
                    QTimer::singleShot(delay, qApp, job);
            },
            Qt::QueuedConnection);
    };
}

Window::Window(Application &application, const WindowOptions &options)
    : m_impl(std::make_unique<Impl>(
          application,
          schemeOf(options.theme != Settings::Theme::System ? options.theme : application.settings().theme)))
{
    QQuickStyle::setStyle(QStringLiteral("Basic")); // ours is drawn over it
    QQmlApplicationEngine &engine = m_impl->engine;
    engine.setNetworkAccessManagerFactory(&m_impl->network);
    engine.addImageProvider(
        ThumbnailProvider::providerName(),
        new ThumbnailProvider([&application](std::function<void()> job) { // the engine owns it
            application.post()([&application, job = std::move(job)] { application.onMediaThread(job); }, {});
        }));
    engine.addImageProvider(FormulaImages::providerName(), new FormulaImages);
    engine.setInitialProperties({
        {"model", QVariant::fromValue(&m_impl->model)}
    });
    engine.load(QUrl(QStringLiteral("qrc:/qt/qml/Perilune/Main.qml")));
    if (options.loadEngine)
        m_impl->model.engine()->load();
}

Window::~Window() = default;

QQuickWindow *Window::quickWindow() const
{
    const QList<QObject *> roots = m_impl->engine.rootObjects();
    return roots.isEmpty() ? nullptr : qobject_cast<QQuickWindow *>(roots.first());
}

WindowModel &Window::model()
{
    return m_impl->model;
}

bool raiseRunningWindow(const std::filesystem::path &dataFolder)
{
    return SingleInstance::raiseOther(dataFolder);
}

int runWindow(Application &application, const WindowOptions &options)
{
    const Window window(application, options);
    QQuickWindow *view = window.quickWindow();
    if (!view)
        return 1;
    std::optional<SingleInstance> asked;
    if (!options.dataFolder.empty())
        asked.emplace(options.dataFolder, [view] {
            view->setWindowStates(view->windowStates() & ~Qt::WindowMinimized);
            view->show();
            view->raise();
            view->requestActivate();
        });
    return QGuiApplication::exec();
}

} // namespace perilune::ui
