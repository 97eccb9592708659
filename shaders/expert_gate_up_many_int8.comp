#version 450
// inner[s] = silu(gate_e · x[t]) ⊙ (up_e · x[t]) for the slots s = (t, k) of expert e, experts in INT8:
// shaders/include/expert_gate_up_many.glsl says how.
#extension GL_GOOGLE_include_directive : require
#include "shaders/include/kernel.glsl"
#include "shaders/include/weights_int8.glsl"
#include "shaders/include/expert_gate_up_many.glsl"
