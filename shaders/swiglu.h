// Parameters of swiglu.comp; read by the shader and by engine/kernels/swiglu.cpp.
#ifndef PERILUNE_SHADERS_SWIGLU_H
#define PERILUNE_SHADERS_SWIGLU_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct SwigluParams {
    Address gate; // (rows, columns) f32
    Address up;   // (rows, columns) f32
    Address y;    // (rows, columns) f32, may be gate or up
    uint columns;
};

PARAMS_END
#endif
