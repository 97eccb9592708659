#include "app/cli/command_list.h"
#include "app/cli/terminal_text.h"
#include "app/cli/text_lines.h"
#include "engine/text/chat_template.h"
#include "engine/text/openai_json.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    std::string file, thinking;
    bool noGenerationPrompt = false, lines = false;
};

Result<JsonValue> rendered(ChatFamily family, std::string_view json, const PromptOptions &options)
{
    const Result<Conversation> conversation = conversationFromJson(json, family);
    if (!conversation)
        return conversation.error();
    for (const std::string &note : conversation->notes)
        std::cerr << "perilune-cli: " << forTerminal(note) << '\n';
    const Result<std::vector<PromptSegment>> prompt =
        renderPrompt(family, conversation->messages, conversation->toolsJson, options);
    if (!prompt)
        return prompt.error();
    JsonValue answer = JsonValue::object();
    answer.add("prompt", JsonValue::string(promptText(*prompt)));
    return answer;
}

Result<JsonValue> renderedLine(ChatFamily family, const JsonValue &line, PromptOptions options)
{
    const Result<std::optional<bool>> thinking = flagOf(line, "thinking");
    const Result<std::optional<bool>> preserve = flagOf(line, "preserve_thinking");
    const Result<std::optional<bool>> generation = flagOf(line, "add_generation_prompt");
    for (const Result<std::optional<bool>> *flag : {&thinking, &preserve, &generation}) {
        if (!*flag)
            return flag->error();
    }
    if (thinking->has_value())
        options.thinking = *thinking;
    options.preserveThinking = preserve->value_or(false);
    options.addGenerationPrompt = generation->value_or(options.addGenerationPrompt);
    return rendered(family, toJson(line), options);
}

int render(const Options &options)
{
    endAtSignal();
    const Result<ChatFamily> family = chosenFamily(options.common);
    if (!family)
        return fail(family.error());
    PromptOptions prompt;
    prompt.thinking = onOrOff(options.thinking);
    prompt.addGenerationPrompt = !options.noGenerationPrompt;
    if (options.lines)
        return answerLines([&](const JsonValue &line) { return renderedLine(*family, line, prompt); });

    const Result<std::string> file = readDocument(options.file);
    if (!file)
        return fail(file.error());
    Result<JsonValue> answer = rendered(*family, *file, prompt);
    if (!answer)
        return fail(std::move(answer).error().during(options.file));
    if (options.common.json)
        printLine(*answer);
    else
        std::cout << forOutput(answer->find("prompt")->text) << '\n';
    return kDone;
}

} // namespace

void addRenderCommand(CLI::App &app, Run &run)
{
    const auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand("render", "Print the exact prompt text of a conversation");
    addCommonOptions(*command, options->common);
    auto *file = command->add_option("conversation", options->file,
                                     R"(a file with {"messages":[…],"tools":[…]}, - for standard input)");
    command->add_flag("--no-generation-prompt", options->noGenerationPrompt,
                      "leave the opening of the assistant's turn out");
    command->add_option("--thinking", options->thinking, "on or off; the template's own way where not given")
        ->check(CLI::IsMember({"on", "off"}));
    auto *lines = command->add_flag("--lines", options->lines,
                                    R"(answer each line {"messages":[…],…} by a line {"prompt":…})");
    file->excludes(lines);
    command->callback([options, lines, file, &run] {
        if (file->empty() && lines->empty())
            throw CLI::RequiredError("conversation");
        run = [options] { return render(*options); };
    });
}

} // namespace perilune::cli
