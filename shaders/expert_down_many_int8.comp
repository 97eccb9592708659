#version 450
// parts[s] = down_e · inner[s] for the slots s of expert e, experts in INT8:
// shaders/include/expert_down_many.glsl says how.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/weights_int8.glsl"
#include "shaders/include/expert_down_many.glsl"
