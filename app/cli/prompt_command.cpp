#include "app/cli/command_list.h"
#include "app/cli/terminal_text.h"
#include "app/cli/text_lines.h"
#include "engine/text/chat_template.h"
#include "engine/text/openai_json.h"
#include "media/prepare.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    std::string file, mode = "app", thinking;
};

/// One feature grid of the prompt: a picture, or a chunk of a clip.
struct Medium {
    PatchGrid grid;
    std::uint64_t tokens;
};

struct Prompt {
    std::string text;
    std::vector<TokenId> ids; // one media_pad for each medium
    std::vector<Medium> media;

    std::uint64_t expandedLength() const
    {
        std::uint64_t length = ids.size() - media.size();
        for (const Medium &medium : media)
            length += medium.tokens;
        return length;
    }
};

Result<Conversation> readConversation(const std::string &path, ChatFamily family)
{
    const Result<std::string> file = readDocument(path);
    if (!file)
        return file.error();
    Result<Conversation> conversation = conversationFromJson(*file, family);
    if (!conversation)
        return std::move(conversation).error().during(path);
    for (const std::string &note : conversation->notes)
        std::cerr << "perilune-cli: " << forTerminal(path + ": " + note) << '\n';
    return conversation;
}

/// Reads the files that the conversation names, relative to the conversation's own folder.
Result<std::vector<Prepared>> readMedia(const Conversation &conversation, const Options &options)
{
    const std::vector<const MediaPart *> parts = mediaOf(conversation.messages);
    std::vector<Prepared> media;
    if (parts.empty())
        return media;
    const Result<std::string> folder = modelFolder(options.common);
    if (!folder)
        return folder.error();
    const Result<MediaConfig> config = readMediaConfig(*folder + "/preprocessor_config.json");
    if (!config)
        return config.error();
    const std::filesystem::path here = std::filesystem::path(options.file).parent_path();
    for (const MediaPart *part : parts) {
        PrepareOptions prepareOptions;
        prepareOptions.mode = options.mode == "hf" ? PrepareOptions::Mode::Hf : PrepareOptions::Mode::App;
        prepareOptions.as =
            part->kind == MediaPart::Kind::Video ? PrepareOptions::As::Video : PrepareOptions::As::Image;
        Result<Prepared> prepared =
            prepare((here / part->path).string(), *config, prepareOptions, {}, interrupted());
        if (!prepared)
            return prepared.error();
        for (const std::string &note : prepared->notes)
            std::cerr << forTerminal(part->path + ": " + note) << '\n';
        media.push_back(*std::move(prepared));
    }
    return media;
}

Result<Prompt> makePrompt(const Options &options, const Tokenizer &tokenizer)
{
    const Result<Conversation> conversation = readConversation(options.file, tokenizer.family());
    if (!conversation)
        return conversation.error();
    if (const Status supported = checkMediaSupport(tokenizer.family(), conversation->messages); !supported)
        return supported.error();
    const Result<std::vector<Prepared>> media = readMedia(*conversation, options);
    if (!media)
        return media.error();

    endAtSignal(); // the helper that reads media has done its work
    Prompt prompt;
    std::vector<std::vector<std::string>> timestamps;
    for (const Prepared &medium : *media) {
        timestamps.push_back(medium.patches->timestamps);
        for (const PatchGrid &grid : medium.patches->grids)
            prompt.media.push_back({grid, grid.tokens()});
    }
    PromptOptions promptOptions;
    promptOptions.thinking = onOrOff(options.thinking);
    Result<std::vector<PromptSegment>> segments =
        renderPrompt(tokenizer.family(), conversation->messages, conversation->toolsJson, promptOptions);
    if (segments)
        segments = expandMedia(*std::move(segments), timestamps);
    if (!segments)
        return segments.error();
    prompt.text = promptText(*segments);
    prompt.ids =
        tokenizePrompt(tokenizer, *segments, options.mode == "hf" ? PromptMode::Reference : PromptMode::App);
    const std::optional<TokenId> pad = tokenizer.control().mediaPad;
    const auto places = pad ? static_cast<std::size_t>(std::ranges::count(prompt.ids, *pad)) : 0;
    if (places != prompt.media.size())
        return Error{ErrorCode::InvalidInput, options.file + ": the prompt has " + std::to_string(places) +
                                                  " places for media, but there are " +
                                                  std::to_string(prompt.media.size())};
    return prompt;
}

void printJson(const Prompt &prompt)
{
    JsonValue media = JsonValue::array();
    for (const Medium &medium : prompt.media) {
        JsonValue grid = JsonValue::array();
        for (const std::uint32_t side : {medium.grid.frames, medium.grid.rows, medium.grid.columns})
            grid.items.push_back(JsonValue::integer(side));
        JsonValue entry = JsonValue::object();
        entry.add("grid", std::move(grid));
        entry.add("tokens", JsonValue::integer(static_cast<long long>(medium.tokens)));
        media.items.push_back(std::move(entry));
    }
    JsonValue answer = JsonValue::object();
    answer.add("prompt", JsonValue::string(prompt.text));
    answer.add("ids", idsToJson(prompt.ids).members[0].second);
    answer.add("media", std::move(media));
    answer.add("expanded_len", JsonValue::integer(static_cast<long long>(prompt.expandedLength())));
    printLine(answer);
}

int runPrompt(const Options &options)
{
    const Result<Tokenizer> tokenizer = chosenTokenizer(options.common);
    if (!tokenizer)
        return fail(tokenizer.error());
    const Result<Prompt> prompt = makePrompt(options, *tokenizer);
    if (!prompt)
        return fail(prompt.error());
    if (options.common.json)
        printJson(*prompt);
    else
        std::cout << forOutput(prompt->text) << "\n\n"
                  << prompt->ids.size() << " tokens, " << prompt->expandedLength() << " with media\n";
    return kDone;
}

} // namespace

void addPromptCommand(CLI::App &app, Run &run)
{
    const auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand(
        "prompt", "Print what the engine would be given for a conversation: text, tokens, media");
    addCommonOptions(*command, options->common);
    command
        ->add_option("conversation", options->file,
                     R"(a file with {"messages":[…],"tools":[…]}, - for standard input)")
        ->required();
    command
        ->add_option("--mode", options->mode,
                     "app: only the template makes control tokens; hf: the reference, to compare")
        ->check(CLI::IsMember({"app", "hf"}));
    command->add_option("--thinking", options->thinking, "on or off; the template's own way where not given")
        ->check(CLI::IsMember({"on", "off"}));
    command->callback([options, &run] { run = [options] { return runPrompt(*options); }; });
}

} // namespace perilune::cli
