#include "app/turn/reply_task.h"

#include "app/tools/call_tool.h"

#include <future>
#include <utility>

namespace perilune {

namespace {

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

TurnState stateOf(const Progress &progress)
{
    TurnState state;
    switch (progress.stage) {
    case Progress::Stage::Loading: state.stage = TurnState::Stage::Loading; break;
    case Progress::Stage::Compiling: state.stage = TurnState::Stage::Compiling; break;
    case Progress::Stage::Vision: state.stage = TurnState::Stage::Vision; break;
    case Progress::Stage::Prefill: state.stage = TurnState::Stage::Prefill; break;
    }
    state.done = progress.done;
    state.total = progress.total;
    return state;
}

std::vector<Message> requestMessages(const std::string &systemPrompt, const std::vector<StoredMessage> &path)
{
    std::vector<Message> messages;
    if (!systemPrompt.empty())
        messages.push_back({.role = Role::System,
                            .parts = {TextPart{systemPrompt}},
                            .name = {},
                            .toolCallId = {},
                            .roleName = {}});
    for (const StoredMessage &stored : path) {
        if (stored.message.role == Role::Assistant && stored.message.parts.empty())
            continue;
        messages.push_back(stored.message);
    }
    return withEveryResult(std::move(messages));
}

bool EngineSide::givePatches(std::vector<Message> &messages)
{
    const Result<ChatEngine *> engine = host.ensure({}, {});
    if (!engine)
        return false;
    const bool wanted = (*engine)->capabilities().wantsPatches;
    for (Message &message : messages) {
        for (Part &any : message.parts) {
            auto *part = std::get_if<MediaPart>(&any);
            if (!part || !wanted)
                continue;
            part->patches = patches.find(*part);
            if (!part->patches)
                return false;
        }
    }
    return true;
}

Result<ChatEngine *> openEngine(EngineSide &side, const std::function<void(Progress)> &progress,
                                const std::stop_token &stop)
{
    const bool wasOpen = side.host.isOpen();
    const auto report = [&side](const EngineState &state) {
        if (side.tell)
            side.tell(state);
    };
    if (!wasOpen)
        report({
            EngineState::Stage::Loading, {Progress::Stage::Loading, 0, 0},
             {},
             {}
        });
    Result<ChatEngine *> engine = side.host.ensure(
        [&](Progress step) {
            report({EngineState::Stage::Loading, step, {}, {}});
            if (progress)
                progress(step);
        },
        stop);
    if (engine && !wasOpen)
        report({EngineState::Stage::Ready, {}, (*engine)->capabilities(), {}});
    if (!engine && engine.error().code == ErrorCode::Cancelled)
        report({});
    else if (!engine)
        report({EngineState::Stage::Failed, {}, {}, engine.error()});
    return engine;
}

ReplyOutcome ReplyTask::run()
{
    Result<ReplyStats> stats = answer();
    if (!stats) {
        Error &error = stats.error();
        if (error.code == ErrorCode::DeviceLost) {
            side->host.drop(); // the next turn opens it anew
            if (side->tell)
                side->tell({EngineState::Stage::Unloaded, {}, {}, {}});
        }
        if (error.code == ErrorCode::Cancelled)
            return {MessageState::Cancelled, {}, {}};
        return {MessageState::Failed, std::move(error.message), {}};
    }
    const bool cancelled = stats->summary.finish == ReplySummary::Finish::Cancelled;
    return {cancelled ? MessageState::Cancelled : MessageState::Complete, {}, std::move(*stats)};
}

Result<ReplyStats> ReplyTask::answer()
{
    if (stop.stop_requested())
        return Error{ErrorCode::Cancelled, "stopped"};
    Result<ChatEngine *> engine =
        openEngine(*side, [this](const Progress &progress) { tell(stateOf(progress)); }, stop);
    if (!engine)
        return std::move(engine).error();
    const Capabilities capabilities = (*engine)->capabilities();
    if (Status prepared = preparePatches(capabilities); !prepared)
        return std::move(prepared).error();

    ReplyStats stats{.model = capabilities.modelName,
                     .device = capabilities.deviceName,
                     .sampling = options.sampling.over(capabilities.suggestedSampling),
                     .thinking = options.thinking,
                     .maxNewTokens = options.maxNewTokens,
                     .summary = {},
                     .firstTokenSeconds = 0};
    const ReplySink sink = [this, &stats](ReplyEvent event) {
        if (const auto *progress = std::get_if<Progress>(&event)) {
            tell(stateOf(*progress));
            return;
        }
        if (stats.firstTokenSeconds == 0)
            stats.firstTokenSeconds = secondsSince(started);
        tell(std::move(event));
    };
    const ChatRequest request{.messages = std::move(messages),
                              .toolsJson = options.toolsJson,
                              .thinking = options.thinking,
                              .sampling = stats.sampling,
                              .maxNewTokens = options.maxNewTokens,
                              .continues = continues};
    Result<ReplySummary> summary = (*engine)->reply(request, sink, stop);
    if (!summary)
        return std::move(summary).error();
    stats.summary = std::move(*summary);
    stats.sampling.seed = stats.summary.seed;
    return stats;
}

bool ReplyTask::lacksPatches(MediaPart &part, const Capabilities &capabilities)
{
    side->patches.insert(part, part.patches); // those that came with the draft
    part.patches = capabilities.wantsPatches ? side->patches.find(part) : nullptr;
    return capabilities.wantsPatches && !part.patches;
}

Status ReplyTask::preparePatches(const Capabilities &capabilities)
{
    struct Job {
        MediaPart *part;
        std::future<Result<Attachment>> result;
    };
    std::vector<Job> jobs;
    for (Message &message : messages) {
        for (Part &any : message.parts) {
            auto *part = std::get_if<MediaPart>(&any);
            if (!part || !lacksPatches(*part, capabilities))
                continue;
            if (!prepare || !mediaWorkers[0])
                return Error{ErrorCode::Unsupported, "pictures and clips can't be read here"};
            auto promise = std::make_shared<std::promise<Result<Attachment>>>();
            jobs.push_back({part, promise->get_future()});
            mediaWorkers[jobs.size() % mediaWorkers.size()]->post(
                [promise, prepare = prepare, copy = *part, config = capabilities.visionConfigPath,
                 stop = stop] { promise->set_value(prepare(copy, KindFrom::Part, config, stop, {})); });
        }
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        tell(TurnState{TurnState::Stage::Preparing, i, jobs.size(), 0});
        Result<Attachment> ready = Error{ErrorCode::Cancelled, "the program is ending"};
        try {
            ready = jobs[i].result.get();
        } catch (const std::future_error &) {
            // The pool is gone, or a decoder threw: the promise was broken.
            ready = Error{stop.stop_requested() ? ErrorCode::Cancelled : ErrorCode::Io,
                          "reading " + jobs[i].part->name + " broke off"};
        }
        if (!ready)
            return std::move(ready).error();
        jobs[i].part->patches = ready->part.patches;
        side->patches.insert(*jobs[i].part, ready->part.patches);
    }
    return Done{};
}

} // namespace perilune
