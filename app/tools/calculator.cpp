#include "app/tools/calculator.h"

#include "app/tools/expression.h"

#include <utility>

namespace perilune {

std::string Calculator::description() const
{
    return "Evaluate an arithmetic expression.";
}

std::string Calculator::parametersJson() const
{
    return R"({"type":"object","properties":{"expression":{"type":"string",)"
           R"("description":"Decimal numbers with + - * / % ^ and parentheses, for example 2+2"}},)"
           R"("required":["expression"],"additionalProperties":false})";
}

Result<ToolResult> Calculator::run(const JsonValue &arguments, const ToolContext &,
                                   const std::stop_token &) const
{
    Result<std::string> value = evaluateExpression(arguments.find("expression")->text);
    if (!value)
        return std::move(value).error();
    return ToolResult{TextPart{*std::move(value)}};
}

} // namespace perilune
