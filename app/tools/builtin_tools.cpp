#include "app/tools/builtin_tools.h"

#include "app/tools/calculator.h"
#include "app/tools/current_time.h"
#include "engine/base/check.h"

#include <memory>
#include <utility>

namespace perilune {

ToolRegistry builtinTools(std::optional<ToolPlaces> places)
{
    ToolRegistry registry;
    const auto add = [&registry](std::shared_ptr<const Tool> tool, Usually usually = Usually::On) {
        CHECK(registry.add(std::move(tool), usually));
    };
    add(std::make_shared<CurrentTime>());
    add(std::make_shared<Calculator>());
    if (!places)
        return registry;
    registry.setPictureCheck(places->files.canBeShown);
    add(std::make_shared<ReadFile>(std::move(places->files)), Usually::Off);
    if (places->find)
        add(std::make_shared<SearchChats>(std::move(places->find)), Usually::Off);
    return registry;
}

} // namespace perilune
