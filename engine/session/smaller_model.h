#pragma once

#include "engine/session/memory_plan.h"
#include "engine/weights/quantize.h"

#include <string>

namespace perilune {

/// For a model that does not fit as it is: the rest of a sentence that names the first of int8 and int4 by
/// which it would, and what it then needs, "; quantized while loading (--quantize int4) it would need 9.3
/// GiB". Empty where neither helps or `chosen` quantizes already. Reads the headers anew. `refused` is the
/// plan that does not fit.
std::string quantizationThatFits(const std::string &folder, const QuantizeOptions &chosen,
                                 const MemoryWishes &wishes, const DeviceInfo &device,
                                 const MemoryPlan &refused);

} // namespace perilune
