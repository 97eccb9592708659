#include "app/cli/command_list.h"
#include "app/cli/terminal_text.h"
#include "app/cli/text_lines.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    bool lines = false;
};

Result<JsonValue> decoded(const Tokenizer &tokenizer, const JsonValue &object)
{
    const Result<std::vector<TokenId>> ids = idsFromJson(object);
    if (!ids)
        return ids.error();
    Result<std::string> text = tokenizer.decode(*ids);
    if (!text)
        return text.error();
    JsonValue answer = JsonValue::object();
    answer.add("text", JsonValue::string(*std::move(text)));
    return answer;
}

int detokenize(const Options &options)
{
    endAtSignal();
    const Result<Tokenizer> tokenizer = chosenTokenizer(options.common);
    if (!tokenizer)
        return fail(tokenizer.error());
    if (options.lines)
        return answerLines([&](const JsonValue &line) { return decoded(*tokenizer, line); });

    const Result<std::string> input = readStandardInput();
    if (!input)
        return fail(input.error());
    Result<JsonValue> object = parseJson(*input);
    if (!object)
        return fail(std::move(object).error().during("standard input"));
    const Result<JsonValue> answer = decoded(*tokenizer, *object);
    if (!answer)
        return fail(answer.error());
    if (options.common.json)
        printLine(*answer);
    else
        std::cout << forOutput(answer->find("text")->text) << std::flush;
    return kDone;
}

} // namespace

void addDetokenizeCommand(CLI::App &app, Run &run)
{
    const auto options = std::make_shared<Options>();
    CLI::App *command =
        app.add_subcommand("detokenize", R"(Print the text of the token ids {"ids":[…]} on standard input)");
    addCommonOptions(*command, options->common);
    command->add_flag("--lines", options->lines, R"(answer each line {"ids":[…]} by a line {"text":…})");
    command->callback([options, &run] { run = [options] { return detokenize(*options); }; });
}

} // namespace perilune::cli
