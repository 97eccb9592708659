// Parameters of the mla_query kernels; read by the shaders and by engine/kernels/mla_query.cpp.
#ifndef PERILUNE_SHADERS_MLA_QUERY_H
#define PERILUNE_SHADERS_MLA_QUERY_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct MlaQueryParams {
    Address q;      // (rows, heads · (nopeDim + ropeDim)) f32
    Address kvUp;   // (heads · (nopeDim + valueDim), rank) in the kernel's format
    Address rope;   // (positions, ropeDim) f32: cos and sin of each pair
    Address latent; // (rows, heads · (rank + ropeDim)) f32
    uint rows;
    uint heads;
    uint rank; // a multiple of 4
    uint nopeDim;
    uint ropeDim;  // even
    uint headRows; // nopeDim + valueDim
    uint position; // of row 0
};

PARAMS_END
#endif
