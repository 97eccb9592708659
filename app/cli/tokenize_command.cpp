#include "app/cli/command_list.h"
#include "app/cli/text_lines.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    bool noSpecial = false, lines = false;
};

void printIds(const std::vector<TokenId> &ids, bool json)
{
    if (json) {
        printLine(idsToJson(ids));
        return;
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::cout << (i > 0 ? " " : "") << ids[i];
    std::cout << '\n';
}

int tokenize(const Options &options)
{
    endAtSignal();
    const Result<Tokenizer> tokenizer = chosenTokenizer(options.common);
    if (!tokenizer)
        return fail(tokenizer.error());
    if (!options.lines) {
        const Result<std::string> text = readStandardInput();
        if (!text)
            return fail(text.error());
        printIds(tokenizer->encode(*text, !options.noSpecial), options.common.json);
        return kDone;
    }
    return answerLines([&](const JsonValue &line) -> Result<JsonValue> {
        const Result<std::string> text = textOf(line, "text");
        if (!text)
            return text.error();
        const Result<std::optional<bool>> special = flagOf(line, "special");
        if (!special)
            return special.error();
        return idsToJson(tokenizer->encode(*text, special->value_or(!options.noSpecial)));
    });
}

} // namespace

void addTokenizeCommand(CLI::App &app, Run &run)
{
    const auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand("tokenize", "Print the token ids of the text on standard input");
    addCommonOptions(*command, options->common);
    command->add_flag("--no-special", options->noSpecial, "take the names of control tokens as plain text");
    command->add_flag("--lines", options->lines,
                      R"(answer each line {"text":…,"special":…} by a line {"ids":[…]})");
    command->callback([options, &run] { run = [options] { return tokenize(*options); }; });
}

} // namespace perilune::cli
