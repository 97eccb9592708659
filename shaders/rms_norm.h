// Parameters of rms_norm.comp; read by the shader and by engine/kernels/rms_norm.cpp.
#ifndef PERILUNE_SHADERS_RMS_NORM_H
#define PERILUNE_SHADERS_RMS_NORM_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct RmsNormParams {
    Address x;      // (rows, columns) f32
    Address weight; // (columns) f32
    Address y;      // (rows, columns) f32, may be x
    uint columns;   // elements in a row (the hidden size)
    float epsilon;  // rms_norm_eps of the model's config.json
};

PARAMS_END
#endif
