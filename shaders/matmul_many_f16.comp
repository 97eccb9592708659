#version 450
// y = x · Wᵀ (+ bias), W in F16, for many rows of x: shaders/include/matmul_many.glsl says how.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/weights_f16.glsl"
#include "shaders/include/matmul_many.glsl"
