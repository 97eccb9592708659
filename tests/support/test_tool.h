#pragma once

#include "app/tools/tool.h"

#include <functional>
#include <string>
#include <utility>

namespace perilune::test {

/// A tool that does what a test says.
class TestTool : public Tool {
public:
    using Body = std::function<Result<ToolResult>(const JsonValue &arguments, const std::stop_token &stop)>;

    explicit TestTool(Body body, std::string name = "test", std::string parameters = "{}")
        : m_body(std::move(body)),
          m_name(std::move(name)),
          m_parameters(std::move(parameters))
    {
    }
    std::string name() const override { return m_name; }
    std::string description() const override { return "A test."; }
    std::string parametersJson() const override { return m_parameters; }
    Result<ToolResult> run(const JsonValue &arguments, const ToolContext &,
                           const std::stop_token &stop) const override
    {
        return m_body(arguments, stop);
    }

private:
    Body m_body;
    std::string m_name, m_parameters;
};

/// Words of a message, one part after the other.
inline std::string wordsOf(const Message &message)
{
    std::string words;
    for (const Part &part : message.parts) {
        if (const auto *text = std::get_if<TextPart>(&part))
            words += text->text;
    }
    return words;
}

} // namespace perilune::test
