// Parameters of the mla_attention and mla_combine kernels; read by the shaders and by
// engine/kernels/mla_attention.cpp.
#ifndef PERILUNE_SHADERS_MLA_ATTENTION_H
#define PERILUNE_SHADERS_MLA_ATTENTION_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct MlaAttentionParams {
    Address latent;  // (rows · heads, rank + ropeDim) f32
    Address cache;   // (capacity, rank + ropeDim) in the kernel's type
    Address sums;    // (parts, rows · heads, rank) f32; with one part, the context itself
    Address weights; // (parts, rows · heads, 2) f32: largest score and sum of weights; with one part, 0
    uint queries;    // rows · heads
    uint heads;
    uint rank;     // a multiple of 4
    uint width;    // rank + ropeDim, a multiple of 4
    uint position; // of row 0
    uint partKeys; // keys of one part
    float scale;
};

struct MlaCombineParams {
    Address sums;    // (parts, queries, rank) f32
    Address weights; // (parts, queries, 2) f32
    Address context; // (queries, rank) f32
    uint queries;
    uint parts;
    uint rank;
};

PARAMS_END
#endif
