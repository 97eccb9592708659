#pragma once

#include "engine/gpu/device.h"

namespace perilune {

/// Records y = silu(gate) ⊙ up, element by element. All (rows, columns) f32; y may be gate or up.
void swiglu(Device &device, const Tensor &gate, const Tensor &up, const Tensor &y);

} // namespace perilune
