// Parameters of vit_attention.comp; read by the shader and by engine/kernels/vit_attention.cpp.
#ifndef PERILUNE_SHADERS_VIT_ATTENTION_H
#define PERILUNE_SHADERS_VIT_ATTENTION_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct VitAttentionParams {
    Address qkv; // (rows, 3 · width) f32: queries, keys, values
    Address y;   // (rows, width) f32
    uint width;  // heads · head dimension
    uint first;  // first row of the medium
    uint count;  // rows of the medium
    float scale; // head dimension^-½ · log2(e): scores are exponents of two
};

PARAMS_END
#endif
