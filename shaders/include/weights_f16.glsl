// F16 weights.
#define HALVES(word) unpackHalf2x16(word)
#include "shaders/include/weights_16.glsl"
