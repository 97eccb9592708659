// Parameters of vit_rope.comp; read by the shader and by engine/kernels/vit_rope.cpp.
#ifndef PERILUNE_SHADERS_VIT_ROPE_H
#define PERILUNE_SHADERS_VIT_ROPE_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct VitRopeParams {
    Address qkv;     // (rows, 3 · width) f32: queries, keys, values; the first two are turned in place
    Address cosines; // (rows, headPairs) f32
    Address sines;   // (rows, headPairs) f32
    uint width;      // heads · head dimension
    uint headPairs;  // head dimension / 2
};

PARAMS_END
#endif
