#version 450
// context[q] = Σ_s softmax_s(scale · latent[q]·cache[s]) cache[s, 0 … rank), the cache in F16:
// shaders/include/mla_attention.glsl says how. Source: arXiv:2405.04434, section 2.1, and
// arXiv:2205.14135 for the running maximum.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/cache_f16.glsl"
#include "shaders/include/mla_attention.glsl"
