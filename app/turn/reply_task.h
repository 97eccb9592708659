#pragma once

#include "app/concurrency/worker.h"
#include "app/turn/attachment.h"
#include "app/turn/engine_host.h"
#include "app/turn/patch_cache.h"
#include "app/turn/turn_state.h"

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <variant>
#include <vector>

namespace perilune {

/// What the engine thread has to tell of a turn: a piece of the answer, or what it is doing.
using TurnNews = std::variant<ReplyEvent, TurnState>;

/// What lives on the engine thread from turn to turn.
struct EngineSide {
    explicit EngineSide(EngineOpener opener) : host(std::move(opener)) {}

    EngineHost host;
    PatchCache patches{std::uint64_t{1} << 30};
    std::function<void(const EngineState &)>
        tell; ///< set once, before the first job; called on the engine thread

    /// Gives the media of `messages` the patches that are at hand; false where the open engine wants others.
    bool givePatches(std::vector<Message> &messages);
};

/// Opens the engine where it isn't open, telling `side.tell` of it and `progress` how far it is.
Result<ChatEngine *> openEngine(EngineSide &side, const std::function<void(Progress)> &progress,
                                const std::stop_token &stop);

/// The part of a turn that runs on the engine thread: media to patches, request to answer.
struct ReplyTask {
    std::shared_ptr<EngineSide> side;
    std::array<Worker *, 2> mediaWorkers{};
    PrepareMedia prepare;
    std::vector<Message> messages;
    bool continues = false; ///< as ChatRequest::continues
    TurnOptions options;
    std::stop_token stop;
    std::function<void(TurnNews)> tell; ///< must not block
    std::chrono::steady_clock::time_point started;

    /// Blocks until the answer has ended, in whatever way.
    ReplyOutcome run();

private:
    Result<ReplyStats> answer();
    /// Gives it those that are at hand; true where they still have to be made.
    bool lacksPatches(MediaPart &part, const Capabilities &capabilities);
    Status preparePatches(const Capabilities &capabilities);
};

/// The messages of a stored path as an engine takes them: answers without a word are left out, and every call
/// has a result.
std::vector<Message> requestMessages(const std::string &systemPrompt, const std::vector<StoredMessage> &path);

/// What to show while `progress` is being made.
TurnState stateOf(const Progress &progress);

} // namespace perilune
