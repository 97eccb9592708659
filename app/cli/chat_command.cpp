#include "app/cli/chat_turns.h"
#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "app/cli/sampling_options.h"
#include "app/cli/standard_input.h"
#include "app/cli/terminal_text.h"
#include "app/tools/builtin_tools.h"
#include "app/tools/call_tool.h"
#include "app/turn/recording_engine.h"
#include "engine/session/local_engine.h"
#include "engine/text/openai_json.h"
#include "engine/weights/json_file.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace perilune::cli {

namespace {

constexpr std::uint64_t kLongestFile = 256ull << 20; // of a conversation or tools
constexpr const char *kBuiltin = "builtin";          // --tools: those that come with the program
constexpr ToolLimits kToolLimits;

struct Options {
    CommonOptions common;
    std::vector<std::string> images, videos;
    std::string system, tools, conversation, prompt;
    bool thinking = true, halfActivations = false, store = false;
    std::uint32_t maxTokens = 4096;
    SamplingWishes sampling;
    MediaChoices choices;
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
        media.push_back({MediaPart::Kind::Image, path, fileName(path), nullptr});
    for (const std::string &path : options.videos)
        media.push_back({MediaPart::Kind::Video, path, fileName(path), nullptr});
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
    const std::filesystem::path folder = std::filesystem::path(options.conversation).parent_path();
    for (Message &message : conversation->messages) {
        for (Part &part : message.parts) {
            if (auto *media = std::get_if<MediaPart>(&part); media && !media->path.starts_with('/'))
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
    if (!options.tools.empty() && options.tools != kBuiltin) {
        Result<std::string> text = readJsonFile(options.tools, kLongestFile);
        if (!text)
            return whyUnreadable(std::move(text).error(), options.tools);
        request.toolsJson = *std::move(text);
    }
    return request;
}

class Chat {
public:
    /// `recorder` is null where nothing is stored; else it is the engine. `tools` is null where calls are the
    /// result and nothing is run.
    Chat(const Options &options, ChatEngine &engine, RecordingEngine *recorder, const ToolRegistry *tools,
         ChatRequest request, double loadSeconds)
        : m_options(options),
          m_engine(engine),
          m_recorder(recorder),
          m_tools(tools),
          m_request(std::move(request)),
          m_loadSeconds(loadSeconds)
    {
    }

    /// Answers what the conversation ends with; the status is kDone where there is an answer.
    int turn()
    {
        std::vector<ToolStep> steps;
        for (int round = 1;; ++round) {
            const Result<Answer> answer = reply();
            if (!answer)
                return fail(answer.error());
            m_request.messages.push_back(answer->message());
            const bool calls = m_tools && answer->summary.finish == ReplySummary::Finish::ToolCalls;
            if (calls && !answer->calls.empty() && asksAgain(round, kToolLimits)) {
                if (Status kept = answerCalls(*answer, round, steps); !kept)
                    return fail(kept.error());
                if (!interrupted().stop_requested())
                    continue;
            }
            if (m_options.common.json)
                std::cout << answer->json(m_loadSeconds,
                                          m_recorder ? std::to_string(m_recorder->conversation()) : "", steps)
                          << '\n'
                          << std::flush;
            const bool cancelled = answer->summary.finish == ReplySummary::Finish::Cancelled;
            return cancelled || interrupted().stop_requested() ? kInterrupted : kDone;
        }
    }

    int say(const std::string &text, const std::vector<MediaPart> &media)
    {
        m_request.messages.push_back(userMessage(text, media));
        return turn();
    }

    /// A line a turn, from the terminal or a pipe.
    int converse()
    {
        const bool terminal = isatty(STDIN_FILENO) == 1;
        std::vector<MediaPart> media = mediaOf(m_options);
        StandardInput input;
        std::string line;
        while (!interrupted().stop_requested()) {
            if (terminal)
                std::cerr << "> " << std::flush;
            if (!input.line(line))
                break;
            if (line.empty())
                continue;
            if (const int status = say(line, media); status != kDone)
                return status;
            media.clear();
        }
        if (terminal)
            std::cerr << '\n'; // the prompt's line ends
        return interrupted().stop_requested() ? kInterrupted : kDone;
    }

private:
    /// One answer of the model, to the messages as they are.
    Result<Answer> reply()
    {
        if (Status kept = keep(); !kept) // the words first: reading media takes time and may fail
            return std::move(kept).error();
        if (Status attached = attachMedia(m_request.messages, m_engine.capabilities(), m_options.choices);
            !attached)
            return std::move(attached).error();
        return ask(m_engine, m_request, !m_options.common.json);
    }

    Status keep() { return m_recorder ? m_recorder->keep(m_request.messages) : Status(Done{}); }

    /// Runs the tools that `answer` calls and adds what they give back.
    Status answerCalls(const Answer &answer, int round, std::vector<ToolStep> &steps)
    {
        const ToolContext context{m_request.messages};
        for (std::size_t i = 0; i < answer.calls.size(); ++i) {
            const ToolCallPart &call = answer.calls[i];
            const std::string refusal = overLimit({round, i}, kToolLimits);
            CallOutcome outcome = refusal.empty()
                                      ? callTool(*m_tools, call, context, kToolLimits, interrupted())
                                      : CallOutcome{CallOutcome::Kind::Failed, refusedCall(call, refusal)};
            if (!m_options.common.json)
                showResult(outcome);
            steps.push_back({call, textOf(outcome.result), answer.summary});
            m_request.messages.push_back(std::move(outcome.result));
        }
        return keep();
    }

    const Options &m_options;
    ChatEngine &m_engine;
    RecordingEngine *m_recorder;
    const ToolRegistry *m_tools;
    ChatRequest m_request;
    double m_loadSeconds;
};

int runChat(const Options &options)
{
    const Result<OpenOptions> open = openOptions(options.common, options.halfActivations);
    if (!open)
        return fail(open.error());
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
    const ToolRegistry tools = builtinTools();
    const bool builtin = options.tools == kBuiltin;
    if (builtin && !(*engine)->capabilities().tools)
        return fail({ErrorCode::Unsupported, (*engine)->capabilities().modelName + " can't call tools"});
    if (builtin)
        request->toolsJson = tools.declarations(tools.names());
    Chat chat(options, answering, recorder.get(), builtin ? &tools : nullptr, *std::move(request),
              loadSeconds);
    if (!options.conversation.empty() && options.prompt.empty())
        return chat.turn();
    if (!options.prompt.empty())
        return chat.say(options.prompt, mediaOf(options));
    return chat.converse();
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
    addMediaChoices(*command, options->choices);
    command->add_option("--system", options->system, "instructions for the whole conversation");
    command->add_option(
        "--tools", options->tools,
        "builtin: the tools that come with the program, which are run; or a JSON file with OpenAI tool "
        "schemas to declare, whose calls are the result");
    command->add_option("--conversation", options->conversation,
                        "JSON file with messages and tools to answer");
    command
        ->add_option_function<std::string>(
            "--thinking", [o = options.get()](const std::string &value) { o->thinking = value == "on"; },
            "whether the model may think first: on or off")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_option("--max-tokens", options->maxTokens, "most tokens of an answer")
        ->check(CLI::Range(1u, 1u << 24));
    addSamplingOptions(*command, options->sampling);
    addActivationsOption(*command, options->halfActivations);
    command->add_flag("--store", options->store, "keep the conversation, as the window does (see --data)");
    command->add_option("PROMPT", options->prompt, "the question; without it, turns are read line by line");
    command->callback([options, &run] { run = [options] { return runChat(*options); }; });
}

} // namespace perilune::cli
