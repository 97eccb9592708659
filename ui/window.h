#pragma once

#include "app/application.h"

#include <QLocale>

#include <filesystem>
#include <memory>

class QQuickWindow;

namespace perilune::ui {

class WindowModel;

struct WindowOptions {
    Settings::Theme theme = Settings::Theme::System;
    bool loadEngine = true; ///< open the model at once, not with the first message
    /// Where conversations live: a second program for the same folder raises this window. Empty: none does.
    std::filesystem::path dataFolder{};
};

/// The Post function of the GUI thread, for Application::Options. A QGuiApplication must exist by now, and
/// outlive every use.
Post guiPost();

/// Shows the program's words in the language of `locale` where there is a translation of them, and mirrors
/// the window where that is written from right to left. Without one it stays English. To be called once,
/// before the window is made; a QGuiApplication must exist.
void installTranslation(const QLocale &locale);

/// The window, its models and its QML engine. `application` must outlive it.
class Window {
public:
    Window(Application &application, const WindowOptions &options);
    ~Window();
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;

    /// Null where the QML could not be loaded; what was wrong went to the log.
    QQuickWindow *quickWindow() const;
    WindowModel &model();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Raises the window that another program of the same person has open for `dataFolder`; false where there is
/// none. A QGuiApplication must exist.
bool raiseRunningWindow(const std::filesystem::path &dataFolder);

/// Shows the window and runs the event loop until it is closed. Returns the exit status. A QGuiApplication
/// must exist.
int runWindow(Application &application, const WindowOptions &options = {});

} // namespace perilune::ui
