// Parameters of merge_patches.comp; read by the shader and by engine/kernels/merge_patches.cpp.
#ifndef PERILUNE_SHADERS_MERGE_PATCHES_H
#define PERILUNE_SHADERS_MERGE_PATCHES_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct MergePatchesParams {
    Address x;   // (frames · rows · columns, width) f32
    Address y;   // (rows/2 · columns/2, 4 · width) f32
    uint width;  // of a patch
    uint frames; // of the medium
    uint rows;   // of a frame, in patches; even
    uint columns;
};

PARAMS_END
#endif
