// Parameters of gelu_erf.comp and gelu_tanh.comp; read by the shaders and by engine/kernels/gelu.cpp.
#ifndef PERILUNE_SHADERS_GELU_H
#define PERILUNE_SHADERS_GELU_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct GeluParams {
    Address x; // (rows, columns) f32
    Address y; // (rows, columns) f32, may be x
    uint columns;
};

PARAMS_END
#endif
