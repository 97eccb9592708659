// A tile of a matrix product in registers, fed from shared memory; the including file has loaded a weight
// format.
//
// kDepth columns at a time lie in shared memory, expanded to f32 and turned, so that an invocation reads
// four outputs or four rows at once and adds kOutputQuads x kRowQuads tiles of 4 x 4. Its quads lie a
// workgroup's width or height apart, so that neighbours read neighbouring quads.
layout(constant_id = 3) const uint kOutputQuads = 1; // of an invocation
layout(constant_id = 4) const uint kRowQuads = 1;    // of an invocation

const uint kDepth = 32u;
const uint kTileOutputs = gl_WorkGroupSize.x * kOutputQuads * 4u;
const uint kTileRows = gl_WorkGroupSize.y * kRowQuads * 4u;
const uint kInvocations = gl_WorkGroupSize.x * gl_WorkGroupSize.y;
const uint kChunksDeep = kDepth / kChunk;
const uint kQuadsDeep = kDepth / 4u;

shared vec4 weightTile[kDepth * kTileOutputs / 4u]; // (column, output / 4)
shared vec4 inputTile[kDepth * kTileRows / 4u];     // (column, row / 4)

vec4 own[kRowQuads * 4u][kOutputQuads]; // of this invocation

void clearOwn()
{
    for (uint r = 0u; r < kRowQuads * 4u; ++r) {
        for (uint o = 0u; o < kOutputQuads; ++o)
            own[r][o] = vec4(0.0);
    }
}

// Chunk `chunk` (0 … kChunksDeep) of output o of the tile.
void putWeights(uint o, uint chunk, vec4 values[kChunk / 4u])
{
    [[unroll]] for (uint c = 0u; c < kChunk; ++c)
        weightTile[(chunk * kChunk + c) * (kTileOutputs / 4u) + o / 4u][o % 4u] = values[c / 4u][c % 4u];
}

// Quad `quad` (0 … kQuadsDeep) of row r of the tile.
void putInputs(uint r, uint quad, vec4 values)
{
    [[unroll]] for (uint c = 0u; c < 4u; ++c)
        inputTile[(quad * 4u + c) * (kTileRows / 4u) + r / 4u][r % 4u] = values[c];
}

// Adds what lies in shared memory; barriers before and after are the caller's.
void addTile()
{
    for (uint c = 0u; c < kDepth; ++c) {
        vec4 w[kOutputQuads];
        for (uint o = 0u; o < kOutputQuads; ++o)
            w[o] = weightTile[c * (kTileOutputs / 4u) + o * gl_WorkGroupSize.x + gl_LocalInvocationID.x];
        for (uint q = 0u; q < kRowQuads; ++q) {
            const vec4 x =
                inputTile[c * (kTileRows / 4u) + q * gl_WorkGroupSize.y + gl_LocalInvocationID.y];
            for (uint o = 0u; o < kOutputQuads; ++o) {
                [[unroll]] for (uint i = 0u; i < 4u; ++i)
                    own[q * 4u + i][o] += x[i] * w[o];
            }
        }
    }
}

// The tile's row that own[r] is of, and its output that own[][o][0] is of.
uint tileRow(uint r)
{
    return (r / 4u * gl_WorkGroupSize.y + gl_LocalInvocationID.y) * 4u + r % 4u;
}

uint tileOutput(uint o)
{
    return (o * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 4u;
}
