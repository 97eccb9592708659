#pragma once

#include "app/concurrency/post.h"
#include "app/concurrency/worker.h"
#include "app/memory_folder.h"
#include "app/settings.h"
#include "app/tools/tool_choices.h"
#include "app/tools/tool_registry.h"
#include "app/turn/store_thread.h"
#include "app/turn/turn_runner.h"
#include "engine/base/result.h"

#include <array>
#include <chrono>
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
        /// How long nobody asked anything before the model gives titles to chats; 0: it gives none.
        std::chrono::milliseconds titlesAfter{0};
    };

    /// Opens the settings, and the store on its own thread: storeOpened() follows. A store that can't be
    /// opened is an empty one that can only be read, and says why. The engine is opened by the first turn, or
    /// by turns().loadEngine().
    static std::unique_ptr<Application> open(Options options);
    ~Application();

    const Settings &settings() const { return m_settings.values(); }
    Status saveSettings(const Settings &settings) { return m_settings.save(settings); }

    const std::filesystem::path &dataFolder() const { return m_options.dataFolder; }
    StoreThread &store() { return *m_store; }
    /// Of the chats that leave no trace on the disk; it goes with the program.
    StoreThread &temporaryStore() { return *m_temporary; }
    /// Where files of such chats may lie meanwhile: in memory. Empty where there is no such place.
    const std::filesystem::path &temporaryFolder() const { return m_memoryFolder.path(); }
    StoreThread &storeOf(ConversationId conversation)
    {
        return isTemporary(conversation) ? *m_temporary : *m_store;
    }
    TurnRunner &turns() { return *m_turns; }
    const ToolRegistry &tools() const { return m_tools; }
    ToolChoices &toolChoices() { return *m_toolChoices; }
    const Post &post() const { return m_options.post; }

    /// Things to tell the person at the start (damaged settings), a sentence each.
    const std::vector<std::string> &notices() const { return m_notices; }
    /// `then` is called once the store is open, at once where it is: with why nothing can be written to it, a
    /// sentence, or with nothing where writing works. One listener.
    void whenStoreOpened(std::function<void(const std::string &readOnlyReason)> then);

    /// Prepares a file on a media thread (patches, thumbnail, size), then calls `then` on the GUI thread, and
    /// before that `progress` for each hundredth. Uses the loaded model's preprocessing, or before that
    /// Options::visionConfigPath.
    void attach(const MediaPart &part, std::stop_token stop, MediaProgress progress,
                std::function<void(Result<Attachment>)> then);
    /// Runs `job` on a media thread: for thumbnails and probes.
    void onMediaThread(std::function<void()> job);

private:
    Application(Options options, SettingsFile settings);
    void openStores();

    Options m_options;
    SettingsFile m_settings;
    std::vector<std::string> m_notices;
    /// What the store said of itself; shared with the job that brings it.
    struct StoreNews {
        std::optional<std::string> readOnlyReason;
        std::function<void(const std::string &)> then;
    };
    std::shared_ptr<StoreNews> m_storeNews = std::make_shared<StoreNews>();
    MemoryFolder m_memoryFolder;
    ToolRegistry m_tools;
    std::unique_ptr<ToolChoices> m_toolChoices;
    std::unique_ptr<StoreThread> m_store, m_temporary;
    std::array<std::unique_ptr<Worker>, 2> m_media;
    std::size_t m_nextMedia = 0;
    std::unique_ptr<Worker> m_engine;
    std::unique_ptr<TurnRunner> m_turns;
};

} // namespace perilune
