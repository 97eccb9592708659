#include "app/cli/command_list.h"
#include "app/cli/terminal_text.h"
#include "app/cli/text_lines.h"
#include "engine/text/tool_declaration.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace perilune::cli {

namespace {

struct Options {
    CommonOptions common;
    std::string file;
    bool lines = false;
};

/// `document` is an array of tools, or an object that holds one under "tools".
Result<JsonValue> declared(const JsonValue &document)
{
    const JsonValue *tools = document.is(JsonValue::Kind::Object) ? document.find("tools") : &document;
    if (!tools || !tools->is(JsonValue::Kind::Array))
        return Error{ErrorCode::InvalidInput, "there is no list of tools"};
    const Result<ToolDeclaration> declaration = declareTools(toJson(*tools));
    if (!declaration)
        return declaration.error();
    JsonValue answer = JsonValue::object();
    answer.add("declaration", JsonValue::string(declaration->text));
    answer.add("json_fallback", JsonValue::boolean_(declaration->jsonFallback));
    return answer;
}

int tools(const Options &options)
{
    endAtSignal();
    if (options.lines)
        return answerLines(declared);
    const Result<std::string> file = readDocument(options.file);
    if (!file)
        return fail(file.error());
    Result<JsonValue> document = parseJson(*file);
    if (!document)
        return fail(std::move(document).error().during(options.file));
    Result<JsonValue> answer = declared(*document);
    if (!answer)
        return fail(std::move(answer).error().during(options.file));
    if (options.common.json)
        printLine(*answer);
    else
        std::cout << forOutput(answer->find("declaration")->text) << std::flush;
    return kDone;
}

} // namespace

void addToolsCommand(CLI::App &app, Run &run)
{
    const auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand("tools", "Print how tools are declared to the model");
    addCommonOptions(*command, options->common);
    auto *file = command->add_option(
        "tools", options->file, "a file with an array of tools in OpenAI's format, - for standard input");
    auto *lines =
        command->add_flag("--lines", options->lines,
                          R"(answer each line {"tools":[…]} by {"declaration":…,"json_fallback":…})");
    file->excludes(lines);
    command->callback([options, lines, file, &run] {
        if (file->empty() && lines->empty())
            throw CLI::RequiredError("tools");
        run = [options] { return tools(*options); };
    });
}

} // namespace perilune::cli
