// The program `perilune`: chooses the engine, then opens the window.
#include "app/application.h"
#include "app/export/document.h"
#include "app/places.h"
#include "engine/session/local_engine.h"
#include "ui/window.h"

#include <CLI/CLI.hpp>
#include <QGuiApplication>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

namespace {

using namespace perilune;
namespace fs = std::filesystem;

constexpr std::chrono::seconds kTitlesAfter{4}; // who reads an answer may be about to ask

struct Options {
    std::string data, settings, model, device, family, quantize;
    std::uint32_t context = 0;
    std::uint64_t budget = 0, hostBudget = 0;
    Settings::Theme theme = Settings::Theme::System;
    bool themeGiven = false;
};

/// The model that the options name, else the one of the settings, else the demo model; empty where none is
/// there.
std::string modelFolder(const Options &options, const Settings &settings)
{
    if (!options.model.empty())
        return options.model;
    return settings.modelFolder.empty() ? places::demoModel().string() : settings.modelFolder;
}

/// Opens it, on the engine thread.
EngineOpener localEngine(const Options &options, const Settings &settings)
{
    OpenOptions open;
    open.folder = modelFolder(options, settings);
    open.device = !options.device.empty() ? options.device : settings.device;
    open.cacheFolder = places::cacheFolder().string();
    open.budget = options.budget;
    open.hostBudget = options.hostBudget;
    open.context = options.context > 0 ? options.context : settings.contextTokens;
    if (Result<QuantizeOptions> quantize = parseQuantizeOptions(options.quantize)) // checked when it was read
        open.quantize = *quantize;
    const std::optional<ChatFamily> family = chatFamilyFromName(options.family);
    return [open, family](const std::function<void(Progress)> &progress,
                          const std::stop_token &stop) -> Result<std::unique_ptr<ChatEngine>> {
        if (open.folder.empty())
            return Error{ErrorCode::NotFound,
                         "the demo model is not installed; name a model folder with --model"};
        Result<std::unique_ptr<LocalEngine>> engine = LocalEngine::open(open, family, progress, stop);
        if (!engine)
            return std::move(engine).error();
        return std::unique_ptr<ChatEngine>(std::move(*engine));
    };
}

void addOptions(CLI::App &app, Options &options)
{
    app.add_option("--data", options.data, "where conversations live")->envname("PERILUNE_DATA");
    app.add_option("--settings", options.settings, "the settings file");
    app.add_option("--model", options.model, "a Hugging Face model folder")->envname("PERILUNE_MODEL");
    app.add_option("--device", options.device, "compute device: a part of its name, or its index")
        ->envname("PERILUNE_DEVICE");
    app.add_option("--family", options.family, "chat family, in place of what config.json says")
        ->check(CLI::IsMember({"k25", "k26", "k2", "k2_thinking", "kimi_vl", "moonlight"}));
    app.add_option("--context", options.context, "context length in tokens");
    app.add_option(
           "--quantize", options.quantize,
           "what to quantize while loading: int4 or int8, or a list such as experts=int4,attention=int8")
        ->check([](const std::string &choice) {
            const Result<QuantizeOptions> read = parseQuantizeOptions(choice);
            return read ? std::string() : read.error().message;
        });
    app.add_option("--budget", options.budget, "hard limit on device memory, with K, M or G")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--host-budget", options.hostBudget, "hard limit on host memory, with K, M or G")
        ->transform(CLI::AsSizeValue(false));
    app.add_option_function<std::string>(
           "--theme",
           [&options](const std::string &name) {
               options.themeGiven = true;
               options.theme = name == "dark"    ? Settings::Theme::Dark
                               : name == "light" ? Settings::Theme::Light
                                                 : Settings::Theme::System;
           },
           "light, dark or system")
        ->check(CLI::IsMember({"light", "dark", "system"}));
}

int runProgram(const Options &options)
{
    const fs::path settingsPath =
        options.settings.empty() ? defaultSettingsPath() : fs::path(options.settings);
    SettingsFile settingsFile = SettingsFile::open(settingsPath);
    const Settings settings = settingsFile.values();
    const EngineOpener opener = localEngine(options, settings);
    const fs::path vision = fs::path(modelFolder(options, settings)) / "preprocessor_config.json";
    std::error_code ignored;
    const fs::path dataFolder = options.data.empty() ? places::dataFolder() : fs::path(options.data);
    if (ui::raiseRunningWindow(dataFolder))
        return 0;
    const auto application = Application::open({
        .dataFolder = dataFolder,
        .settingsPath = settingsPath,
        .settings = std::move(settingsFile),
        .post = ui::guiPost(),
        .openEngine = opener,
        .prepare = prepareMedia,
        .visionConfigPath = fs::exists(vision, ignored) ? vision.string() : std::string(),
        .log = [](const std::string &fault) { std::cerr << "perilune: an internal fault: " + fault + '\n'; },
        .titlesAfter = settings.titles ? kTitlesAfter : std::chrono::milliseconds(0),
    });
    ui::WindowOptions window;
    window.dataFolder = dataFolder;
    window.theme = options.themeGiven ? options.theme : application->settings().theme;
    return ui::runWindow(*application, window);
}

int run(int argc, char **argv)
{
    CLI::App cli{"Perilune: chat with Kimi models on your own computer.", "perilune"};
    cli.set_version_flag("--version", "perilune " PERILUNE_VERSION);
    Options options;
    addOptions(cli, options);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        std::ostringstream said;
        const bool asked = cli.exit(error, std::cout, said) == 0;
        std::cerr << cleanText(said.str()); // it quotes what was typed, which a terminal would obey
        return asked ? 0 : 2;
    }
    QGuiApplication::setApplicationName("Perilune");
    QGuiApplication::setDesktopFileName("perilune");
    const QGuiApplication gui(argc, argv);
    ui::installTranslation(QLocale());
    return runProgram(options);
}

} // namespace

int main(int argc, char **argv)
{
    // What throws all the way up here is the end of memory, or a fault of ours; either way a sentence beats a
    // bare abort.
    try {
        return run(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "perilune: %s\n", error.what());
        return 4;
    }
}
