#pragma once

#include "app/tools/tool.h"

namespace perilune {

/// Exact decimal arithmetic: see expression.h.
class Calculator : public Tool {
public:
    std::string name() const override { return "calculator"; }
    std::string description() const override;
    std::string parametersJson() const override;
    Result<ToolResult> run(const JsonValue &arguments, const ToolContext &context,
                           const std::stop_token &stop) const override;
};

} // namespace perilune
