// Parameters of layer_norm.comp; read by the shader and by engine/kernels/layer_norm.cpp.
#ifndef PERILUNE_SHADERS_LAYER_NORM_H
#define PERILUNE_SHADERS_LAYER_NORM_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct LayerNormParams {
    Address x;      // (rows, columns) f32
    Address weight; // (columns) f32
    Address bias;   // (columns) f32
    Address y;      // (rows, columns) f32, may be x
    uint columns;   // elements in a row
    float epsilon;  // added to the variance
};

PARAMS_END
#endif
