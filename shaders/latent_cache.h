// Parameters of the latent_cache kernels; read by the shaders and by engine/kernels/latent_cache.cpp.
#ifndef PERILUNE_SHADERS_LATENT_CACHE_H
#define PERILUNE_SHADERS_LATENT_CACHE_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct LatentCacheParams {
    Address kv;     // (rows, rank + ropeDim) f32
    Address weight; // (rank) f32
    Address rope;   // (positions, ropeDim) f32: cos and sin of each pair
    Address cache;  // (capacity, rank + ropeDim) in the kernel's type
    uint rank;      // even
    uint ropeDim;   // even
    uint position;  // of row 0
    float epsilon;
};

PARAMS_END
#endif
