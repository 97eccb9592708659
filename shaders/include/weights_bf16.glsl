// BF16 weights.
#include "shaders/include/bf16.glsl"
#define HALVES(word) bf16Halves(word)
#include "shaders/include/weights_16.glsl"
