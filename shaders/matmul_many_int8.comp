#version 450
// y = x · Wᵀ (+ bias), W in int8 (32 columns a scale), for many rows of x: shaders/include/matmul_many.glsl says how.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/weights_int8.glsl"
#include "shaders/include/matmul_many.glsl"
