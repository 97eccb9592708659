#include "app/cli/chat_loop.h"
#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "app/cli/media_choices.h"
#include "app/cli/number_checks.h"
#include "app/cli/sampling_options.h"
#include "app/cli/terminal_text.h"
#include "app/cli/tool_names.h"
#include "app/places.h"
#include "app/tools/builtin_tools.h"
#include "app/turn/attachment.h"
#include "app/turn/find_in_chats.h"
#include "app/turn/recording_engine.h"
#include "engine/session/local_engine.h"
#include "engine/text/openai_json.h"
#include "engine/weights/json_file.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace perilune::cli {

namespace {

constexpr std::uint64_t kLongestFile = 256ull << 20; // of a conversation or tools

struct Options {
    CommonOptions common;
    std::vector<std::string> images, videos;
    std::string system, tools, conversation, prompt;
    std::optional<std::vector<std::string>> toolNames; ///< what `tools` names, where it names no file
    bool thinking = true, halfActivations = false, store = false;
    std::uint32_t maxTokens = 4096;
    SamplingWishes sampling;
    MediaChoice choice; ///< of every picture and clip that is named
};

std::string fileName(const std::string &path)
{
    return std::filesystem::path(path).filename().string();
}

std::vector<MediaPart> mediaOf(const Options &options)
{
    std::vector<MediaPart> media;
    media.reserve(options.images.size() + options.videos.size());
    for (const std::string &path : options.images)
        media.push_back({MediaPart::Kind::Image, path, fileName(path), nullptr, options.choice});
    for (const std::string &path : options.videos)
        media.push_back({MediaPart::Kind::Video, path, fileName(path), nullptr, options.choice});
    return media;
}

/// Reads --conversation: its media are named absolutely or relative to the file.
Status readConversation(const Options &options, ChatFamily family, ChatRequest &request)
{
    const Result<std::string> text = readJsonFile(options.conversation, kLongestFile);
    if (!text)
        return whyUnreadable(text.error(), options.conversation);
    Result<Conversation> conversation = conversationFromJson(*text, family);
    if (!conversation)
        return std::move(conversation).error().during(options.conversation);
    for (const std::string &note : conversation->notes)
        std::cerr << "perilune-cli: " << forTerminal(options.conversation + ": " + note) << '\n';
    const std::filesystem::path folder = std::filesystem::path(options.conversation).parent_path();
    for (Message &message : conversation->messages) {
        for (Part &part : message.parts) {
            auto *media = std::get_if<MediaPart>(&part);
            if (!media)
                continue;
            media->choice = options.choice;
            if (!media->path.starts_with('/'))
                media->path = (folder / media->path).string();
        }
    }
    request.messages = std::move(conversation->messages);
    request.toolsJson = std::move(conversation->toolsJson);
    return Done{};
}

/// What all turns have in common.
Result<ChatRequest> firstRequest(const Options &options, const Capabilities &capabilities, ChatFamily family)
{
    ChatRequest request;
    request.thinking = options.thinking;
    request.maxNewTokens = options.maxTokens;
    request.sampling = options.sampling.over(capabilities.suggestedSampling);
    if (!options.conversation.empty()) {
        if (Status read = readConversation(options, family, request); !read)
            return std::move(read).error();
    }
    if (!options.system.empty()) {
        Message system;
        system.role = Role::System;
        system.parts.emplace_back(TextPart{options.system});
        request.messages.insert(request.messages.begin(), std::move(system));
    }
    if (!options.tools.empty() && !options.toolNames) {
        Result<std::string> text = readJsonFile(options.tools, kLongestFile);
        if (!text)
            return whyUnreadable(std::move(text).error(), options.tools)
                .during("--tools, which names no tool but a file");
        request.toolsJson = *std::move(text);
    }
    return request;
}

ChatTools chatTools(const Options &options, const ToolRegistry &tools)
{
    ChatTools chosen;
    if (!options.toolNames)
        return chosen;
    chosen.registry = &tools;
    chosen.on = *options.toolNames;
    // Where nobody can be asked, who named the tools has approved of them.
    chosen.asks = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
    chosen.choices = std::filesystem::path(dataFolder(options.common)) / "tools.json";
    return chosen;
}

ToolRegistry knownTools(const Options &options)
{
    return builtinTools(ToolPlaces{
        .files = {.base = {}, .home = places::home(), .canBeShown = canBeShown},
        .find = findInChats(dataFolder(options.common))
    });
}

/// The demo model was trained with two tools, and calls others wrongly.
BuiltinMeans builtinWith(const std::string &modelFolder)
{
    std::error_code failed;
    const std::filesystem::path demo = places::demoModel();
    const bool same = !demo.empty() && std::filesystem::equivalent(demo, modelFolder, failed) && !failed;
    return same ? BuiltinMeans::Usual : BuiltinMeans::All;
}

/// Which tools are run; the error is one of usage.
Result<std::optional<std::vector<std::string>>> toolsToRun(const Options &options, const ToolRegistry &tools,
                                                           const std::string &modelFolder)
{
    Result<std::optional<std::vector<std::string>>> named =
        namedTools(options.tools, tools, builtinWith(modelFolder));
    if (named && *named && !options.conversation.empty())
        return Error{ErrorCode::InvalidInput,
                     "--conversation never runs a tool, so --tools can't name those that are run: the tools "
                     "that its file declares are called, and the calls are the result"};
    return named;
}

int runChat(Options options)
{
    const ToolRegistry tools = knownTools(options);
    const Result<OpenOptions> open = openOptions(options.common, options.halfActivations);
    if (!open)
        return fail(open.error());
    Result<std::optional<std::vector<std::string>>> named = toolsToRun(options, tools, open->folder);
    if (!named) {
        (void)fail(named.error());
        return kUsage;
    }
    options.toolNames = *std::move(named);
    std::optional<ChatFamily> family = chatFamilyFromName(options.common.family);
    const auto start = std::chrono::steady_clock::now();
    auto line = std::make_unique<ProgressLine>();
    const auto progress = [&](const Progress &now) { line->show(now); };
    const auto engine = LocalEngine::open(*open, family, progress, interrupted());
    line.reset();
    if (!engine)
        return fail(engine.error());
    for (const std::string &note : (*engine)->capabilities().notes)
        std::cerr << "perilune-cli: " << forTerminal(note) << '\n';
    if (!family) {
        const Result<ChatFamily> found = detectChatFamily(open->folder);
        if (!found)
            return fail(found.error());
        family = *found;
    }
    const double loadSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    Result<ChatRequest> request = firstRequest(options, (*engine)->capabilities(), *family);
    if (!request)
        return fail(request.error());
    std::unique_ptr<RecordingEngine> recorder;
    if (options.store) {
        auto store = ConversationStore::open(dataFolder(options.common));
        if (!store)
            return fail(store.error());
        recorder = std::make_unique<RecordingEngine>(**engine, *std::move(store),
                                                     [](const Error &error) { (void)fail(error); });
    }
    ChatEngine &answering = recorder ? static_cast<ChatEngine &>(*recorder) : **engine;
    if (!options.tools.empty() && !(*engine)->capabilities().tools)
        return fail({ErrorCode::Unsupported, (*engine)->capabilities().modelName + " can't call tools"});
    if (options.toolNames)
        request->toolsJson = tools.declarations(*options.toolNames);
    ChatLoop chat({.engine = &answering,
                   .recorder = recorder.get(),
                   .tools = chatTools(options, tools),
                   .json = options.common.json,
                   .loadSeconds = loadSeconds},
                  *std::move(request));
    if (!options.conversation.empty() && options.prompt.empty())
        return chat.turn();
    if (!options.prompt.empty())
        return chat.say(options.prompt, mediaOf(options));
    return chat.converse(mediaOf(options));
}

} // namespace

void addChatCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand("chat", "Answers a question, or talks turn by turn");
    addCommonOptions(*command, options->common);
    command
        ->add_option("--image", options->images,
                     "a picture that comes with the first question; may be repeated")
        ->expected(1)
        ->allow_extra_args(false) // what follows the file is the question
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        ->add_option("--video", options->videos, "a clip that comes with the first question; may be repeated")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    addMediaChoices(*command, options->choice);
    command->add_option("--system", options->system, "instructions for the whole conversation");
    command->add_option(
        "--tools", options->tools,
        "builtin: the tools that come with the program, which are run (with the demo model the two that it "
        "knows, current_time and calculator); calculator,read_file: those that are named; or a JSON file "
        "with "
        "OpenAI tool schemas to declare, whose calls are the result");
    command->add_option("--conversation", options->conversation,
                        "JSON file with messages and tools to answer");
    command
        ->add_option_function<std::string>(
            "--thinking", [o = options.get()](const std::string &value) { o->thinking = value == "on"; },
            "whether the model may think first: on or off")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_option("--max-tokens", options->maxTokens, "most tokens of an answer")
        ->check(wholeNumber())
        ->check(CLI::Range(1u, 1u << 24));
    addSamplingOptions(*command, options->sampling);
    addActivationsOption(*command, options->halfActivations);
    command->add_flag("--store", options->store, "keep the conversation, as the window does (see --data)");
    command->add_option("PROMPT", options->prompt, "the question; without it, turns are read line by line");
    command->callback([options, &run] { run = [options] { return runChat(*options); }; });
}

} // namespace perilune::cli
