#include "engine/session/smaller_model.h"

#include "engine/model/inspection.h"

#include <cstdio>

namespace perilune {

std::string quantizationThatFits(const std::string &folder, const QuantizeOptions &chosen,
                                 const MemoryWishes &wishes, const DeviceInfo &device,
                                 const MemoryPlan &refused)
{
    // int4 has four bits and a share of a scale, and nothing is stored wider than F32. What is too large even
    // so isn't looked at again: with a trillion parameters that takes seconds.
    const std::uint64_t least = refused.weights / 64 * 9;
    if (chosen.any() || least > refused.deviceLimit)
        return {};
    for (const std::string format : {"int8", "int4"}) {
        const Result<QuantizeOptions> options = parseQuantizeOptions(format);
        CHECK(options.has_value());
        const Inspection inspection = inspectModel(folder, *options);
        if (!inspection.config || !inspection.whole)
            return {};
        const MemoryPlan plan = planMemory(*inspection.config, inspection.weights, wishes, device);
        if (!plan.fits())
            continue;
        char size[32];
        std::snprintf(size, sizeof size, "%.1f MiB", static_cast<double>(plan.device()) / (1024.0 * 1024.0));
        return "; quantized while loading (--quantize " + format + ") it would need " + size;
    }
    return {};
}

} // namespace perilune
