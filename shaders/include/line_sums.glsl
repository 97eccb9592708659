// Adds sums over the lines of a workgroup: the invocations of one gl_LocalInvocationID.y. Each brings
// kSums values; when addLines() returns, those of the line's first invocation are the line's. The
// including file defines kSums.
shared float lineSum[gl_WorkGroupSize.x * gl_WorkGroupSize.y * kSums];

// Where the line's sums start in lineSum.
uint lineStart()
{
    return gl_LocalInvocationID.y * gl_WorkGroupSize.x * kSums;
}

void addLines(float own[kSums])
{
    const uint lane = gl_LocalInvocationID.x;
    const uint first = lineStart();
    for (uint s = 0u; s < kSums; ++s)
        lineSum[first + lane * kSums + s] = own[s];
    for (uint live = gl_WorkGroupSize.x; live > 1u;) {
        const uint upper = (live + 1u) / 2u;
        barrier();
        if (lane + upper < live) {
            for (uint s = 0u; s < kSums; ++s)
                lineSum[first + lane * kSums + s] += lineSum[first + (lane + upper) * kSums + s];
        }
        live = upper;
    }
    barrier();
}
