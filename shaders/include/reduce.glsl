// Sums and maxima over a workgroup of up to 256 invocations, whatever the subgroups are. Every
// invocation must call it, and every invocation gets the result. A tree: log2 steps, f32.
shared float reduceValues[256];

float workgroupSum(float value)
{
    const uint i = gl_LocalInvocationIndex;
    reduceValues[i] = value;
    uint live = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;
    while (live > 1u) {
        const uint upper = (live + 1u) / 2u;
        barrier();
        if (i + upper < live)
            reduceValues[i] += reduceValues[i + upper];
        live = upper;
    }
    barrier();
    const float sum = reduceValues[0];
    barrier(); // the next call may overwrite the values
    return sum;
}

float workgroupMax(float value)
{
    const uint i = gl_LocalInvocationIndex;
    reduceValues[i] = value;
    uint live = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;
    while (live > 1u) {
        const uint upper = (live + 1u) / 2u;
        barrier();
        if (i + upper < live)
            reduceValues[i] = max(reduceValues[i], reduceValues[i + upper]);
        live = upper;
    }
    barrier();
    const float largest = reduceValues[0];
    barrier();
    return largest;
}
