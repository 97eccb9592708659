// perilune-offline: the real window over a scripted engine and a store of its own, for screenshots, tests and
// work on the window without a model or a graphics device.
#include "app/turn/attachment.h"
#include "engine/session/local_engine.h"
#include "tests/offline/scenes.h"
#include "ui/window.h"

#include <CLI/CLI.hpp>
#include <QGuiApplication>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <utility>

namespace {

using namespace perilune;
using namespace perilune::test;

constexpr int kStepMs = 15;
constexpr int kPatienceMs = 60000;

struct Options {
    std::string scene = "empty", data, screenshot, theme = "system", language = "en";
    int width = 0, height = 0;
    bool list = false, demo = false;
};

/// Plays steps while the event loop runs; ends it when they are done, or when one takes too long.
class Player {
public:
    Player(Stage stage, const std::vector<Step> &steps) : m_stage(stage), m_steps(steps)
    {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { play(); });
        m_timer.start(kStepMs);
    }
    int stuckAt() const { return m_stuckAt; } ///< -1: nowhere

private:
    void play()
    {
        if (m_at == m_steps.size()) {
            QGuiApplication::exit(0);
        } else if (m_steps[m_at](m_stage)) {
            ++m_at;
            m_waited = 0;
        } else if (++m_waited * kStepMs > kPatienceMs) {
            m_stuckAt = static_cast<int>(m_at);
            QGuiApplication::exit(1);
        }
    }

    Stage m_stage;
    const std::vector<Step> &m_steps;
    QTimer m_timer;
    std::size_t m_at = 0;
    int m_waited = 0;
    int m_stuckAt = -1;
};

/// The demo model, for what is said in place of the script.
EngineOpener demoModel()
{
    return [](const std::function<void(Progress)> &progress,
              const std::stop_token &stop) -> Result<std::unique_ptr<ChatEngine>> {
        OpenOptions open;
        open.folder = SOURCE_DIR "/packaging/demo-model/model";
        auto engine = LocalEngine::open(open, std::nullopt, progress, stop);
        if (!engine)
            return std::move(engine).error();
        return std::unique_ptr<ChatEngine>(std::move(*engine));
    };
}

std::unique_ptr<Application> openApplication(const Options &options, const std::string &folder,
                                             const std::shared_ptr<Script> &script)
{
    return Application::open({.dataFolder = folder,
                              .settingsPath = folder + "/settings.json",
                              .post = ui::guiPost(),
                              .openEngine = options.demo ? demoModel() : scriptedOpener(script),
                              .prepare = prepareMedia,
                              .visionConfigPath = script->capabilities.visionConfigPath,
                              .log = [](const std::string &line) { std::cerr << line << '\n'; }});
}

Settings::Theme themeOf(const std::string &name)
{
    return name == "dark"    ? Settings::Theme::Dark
           : name == "light" ? Settings::Theme::Light
                             : Settings::Theme::System;
}

/// Opens the program, plays `steps`, keeps a screenshot if asked to. With `stay` it runs until it is closed.
int play(const Options &options, const std::string &folder, const std::shared_ptr<Script> &script,
         const std::vector<Step> &steps, bool stay)
{
    const auto application = openApplication(options, folder, script);
    ui::Window window(*application, {.theme = themeOf(options.theme)});
    QQuickWindow *view = window.quickWindow();
    if (!view)
        return 1;
    if (options.width > 0)
        view->resize(options.width, options.height);

    const Player player({*application, window.model(), *view, *script}, steps);
    QGuiApplication::exec();
    if (player.stuckAt() >= 0) {
        std::cerr << "perilune-offline: step " << player.stuckAt() << " of scene " << options.scene
                  << " did not come to an end\n";
        return 1;
    }
    if (stay && options.screenshot.empty())
        return QGuiApplication::exec();
    if (stay && !view->grabWindow().save(QString::fromStdString(options.screenshot))) {
        std::cerr << "perilune-offline: can't write " << options.screenshot << '\n';
        return 1;
    }
    return 0;
}

int playScene(const Options &options)
{
    const auto scene =
        std::ranges::find_if(scenes(), [&](const Scene &one) { return one.name == options.scene; });
    if (scene == scenes().end()) {
        std::cerr << "perilune-offline: there is no scene " << options.scene << "; --list names them\n";
        return 2;
    }
    const QTemporaryDir temporary;
    const std::string folder = options.data.empty() ? temporary.path().toStdString() : options.data;
    const auto script = std::make_shared<Script>();
    script->capabilities.modelName = "Perilune Demo";
    script->capabilities.deviceName = "llvmpipe (LLVM 15)";
    script->capabilities.visionConfigPath = SOURCE_DIR "/packaging/demo-model/model/preprocessor_config.json";
    if (scene->prepare)
        scene->prepare(*script);

    if (!scene->restart)
        return play(options, folder, script, scene->steps, true);
    if (const int failed = play(options, folder, script, scene->steps, false))
        return failed;
    return play(options, folder, script, reopened(), true);
}

int run(int argc, char **argv)
{
    Options options;
    CLI::App app("Perilune's window on a scripted engine");
    app.add_option("--scene", options.scene, "what to play");
    app.add_flag("--list", options.list, "name the scenes");
    app.add_flag("--demo", options.demo, "the demo model answers, not the script");
    app.add_option("--data", options.data, "folder of the conversations; a temporary one where not given");
    app.add_option("--screenshot", options.screenshot, "write a PNG when the scene is played, and end");
    app.add_option("--language", options.language, "of the window, such as de or ar");
    app.add_option("--theme", options.theme, "light, dark or system");
    app.add_option("--width", options.width, "of the window, in pixels")
        ->needs(app.add_option("--height", options.height));
    CLI11_PARSE(app, argc, argv);
    if (options.list) {
        for (const Scene &scene : scenes())
            std::cout << scene.name << ": " << scene.about << '\n';
        return 0;
    }

    QGuiApplication gui(argc, argv);
    QGuiApplication::setQuitOnLastWindowClosed(true);
    const QLocale locale(QString::fromStdString(options.language));
    QLocale::setDefault(locale);
    ui::installTranslation(locale);
    return playScene(options);
}

} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &fault) {
        std::fprintf(stderr, "perilune-offline: %s\n", fault.what());
        return 1;
    }
}
