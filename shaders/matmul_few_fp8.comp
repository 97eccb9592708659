#version 450
// y = x · Wᵀ (+ bias), W in FP8 e4m3 (128 x 128 a scale), for a few rows of x: shaders/include/matmul_few.glsl says how.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/weights_fp8.glsl"
#include "shaders/include/matmul_few.glsl"
