// Parameters of the expert_… kernels; read by the shaders and by engine/kernels/expert_mlp.cpp.
//
// A slot is one choice of one row: slot = row · chosen + k. Where there are many rows, the slots of an expert
// are listed one behind the other and cut into tiles.
#ifndef PERILUNE_SHADERS_EXPERT_MLP_H
#define PERILUNE_SHADERS_EXPERT_MLP_H
#include "shaders/include/types.h"
PARAMS_BEGIN

struct ExpertMlpParams {
    Address x;       // (rows, hidden) f32
    Address ids;     // (slots) u32
    Address weights; // (slots) f32
    Address table;   // (experts, 6) addresses: gate, its scales, up, its scales, down, its scales
    Address inner;   // (slots, intermediate) f32: silu(gate) ⊙ up
    Address parts;   // (slots, hidden) f32: what each slot adds, before its weight
    Address y;       // (rows, hidden) f32, added to
    Address starts;  // (experts + 1) u32: where an expert's slots start in `order`
    Address order;   // (slots) u32: slots by expert
    Address tiles;   // (tileCount, 4) u32: expert, first place in `order`, slots of the tile, 0
    uint hidden;
    uint intermediate;
    uint experts;
    uint chosen;
    uint slots;
    uint tileCount; // an upper bound of the tiles; those that aren't needed have no slots
    uint tileRows;  // slots of a full tile
};

PARAMS_END
#endif
