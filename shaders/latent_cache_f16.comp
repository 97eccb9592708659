#version 450
// cache[position + t] = [ rmsNorm(kv[t, 0 … rank)) · weight | rope(kv[t, rank …)) ], the cache in F16:
// shaders/include/latent_cache.glsl says how. Source: DeepSeek-V2 report, arXiv:2405.04434, section 2.1.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/cache_f16.glsl"
#include "shaders/include/latent_cache.glsl"
