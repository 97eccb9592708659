#include "app/tools/builtin_tools.h"

#include "app/tools/calculator.h"
#include "app/tools/current_time.h"
#include "engine/base/check.h"

#include <memory>
#include <utility>

namespace perilune {

ToolRegistry builtinTools()
{
    ToolRegistry registry;
    const auto add = [&registry](std::shared_ptr<const Tool> tool) { CHECK(registry.add(std::move(tool))); };
    add(std::make_shared<CurrentTime>());
    add(std::make_shared<Calculator>());
    return registry;
}

} // namespace perilune
