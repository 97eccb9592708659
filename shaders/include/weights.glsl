// What the weight formats share. A format's own file (weights_bf16.glsl, …) defines
//   kChunk                              columns that 16 bytes hold
//   loadChunk(row, chunk, out values)   the columns kChunk · chunk … of a row, expanded to f32 exactly
//
// Where rows start at multiples of 16 bytes, a chunk is one load; else (kAligned false) its elements
// are read one by one and are 0 beyond the row's end.
layout(constant_id = 5) const bool kAligned = true;

struct WeightRow {
    uvec2 data;   // of the row, if kAligned; else of the matrix
    uvec2 scales; // of the matrix, or of the row of blocks
    uint first;   // index of the row's first element, or of its first scale
    uint columns;
};

// Quad `quad` of a row of f32 values: x[4 · quad …].
vec4 loadQuad(uvec2 row, uint quad, uint columns)
{
    vec4 values = vec4(0.0);
    if (kAligned) {
        values = F32x4(row).v[quad];
    } else {
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            if (4u * quad + i < columns)
                values[i] = F32(row).v[4u * quad + i];
        }
    }
    return values;
}
