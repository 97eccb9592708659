#pragma once

#include "app/tools/tool.h"

#include <cstdint>
#include <functional>

namespace perilune {

/// Date, time and day of the week, here and at other offsets from UTC.
class CurrentTime : public Tool {
public:
    /// `now` gives seconds since 1970, UTC; empty: the system's clock.
    explicit CurrentTime(std::function<std::int64_t()> now = {});

    std::string name() const override { return "current_time"; }
    std::string description() const override;
    std::string parametersJson() const override;
    Result<ToolResult> run(const JsonValue &arguments, const ToolContext &context,
                           const std::stop_token &stop) const override;

private:
    std::function<std::int64_t()> m_now;
};

} // namespace perilune
