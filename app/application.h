#pragma once

#include "app/concurrency/post.h"
#include "app/concurrency/worker.h"
#include "app/settings.h"
#include "app/tools/tool_choices.h"
#include "app/tools/tool_registry.h"
#include "app/turn/store_thread.h"
#include "app/turn/turn_runner.h"
#include "engine/base/result.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perilune {

/// Owns the services of the program, in order of use: what is destroyed first uses what is destroyed later.
/// Its functions are for the GUI thread.
class Application {
public:
    struct Options {
        std::filesystem::path dataFolder;   ///< conversations
        std::filesystem::path settingsPath; ///< settings.json
        /// The same file where it is open already: only the first to open a damaged one learns of it.
        std::optional<SettingsFile> settings = std::nullopt;
        Post post; ///< to the GUI thread
        EngineOpener openEngine;
        PrepareMedia prepare;
        std::string visionConfigPath; ///< of the model that will be loaded; may be empty
        std::vector<std::shared_ptr<const Tool>> moreTools{}; ///< besides those that come with the program
        std::function<void(const std::string &)> log;         ///< faults that nobody waits for; any thread
    };

    /// Opens settings and store. The engine is opened by the first turn, or by turns().loadEngine().
    static Result<std::unique_ptr<Application>> open(Options options);
    ~Application();

    const Settings &settings() const { return m_settings.values(); }
    Status saveSettings(const Settings &settings) { return m_settings.save(settings); }

    StoreThread &store() { return *m_store; }
    TurnRunner &turns() { return *m_turns; }
    const ToolRegistry &tools() const { return m_tools; }
    ToolChoices &toolChoices() { return *m_toolChoices; }
    const Post &post() const { return m_options.post; }

    /// Things to tell the person at the start (damaged settings, conversations that can only be read), a
    /// sentence each.
    const std::vector<std::string> &notices() const { return m_notices; }
    /// Why nothing can be written to the store; empty where writing works.
    const std::string &readOnlyReason() const { return m_readOnlyReason; }

    /// Prepares a file on a media thread (patches, thumbnail, size), then calls `then` on the GUI thread.
    /// Uses the loaded model's preprocessing, or before that Options::visionConfigPath.
    void attach(const MediaPart &part, std::stop_token stop, std::function<void(Result<Attachment>)> then);
    /// Runs `job` on a media thread: for thumbnails and probes.
    void onMediaThread(std::function<void()> job);

private:
    Application(Options options, SettingsFile settings, std::unique_ptr<ConversationStore> store);

    Options m_options;
    SettingsFile m_settings;
    std::vector<std::string> m_notices;
    std::string m_readOnlyReason;
    ToolRegistry m_tools;
    std::unique_ptr<ToolChoices> m_toolChoices;
    std::unique_ptr<StoreThread> m_store;
    std::array<std::unique_ptr<Worker>, 2> m_media;
    std::size_t m_nextMedia = 0;
    std::unique_ptr<Worker> m_engine;
    std::unique_ptr<TurnRunner> m_turns;
};

} // namespace perilune
