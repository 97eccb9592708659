#version 450
// y[t] += Σ_k weights[t, k] · (down_e · inner[t, k]), e = ids[t, k], experts in INT8:
// shaders/include/expert_down_few.glsl says how.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/weights_int8.glsl"
#include "shaders/include/expert_down_few.glsl"
