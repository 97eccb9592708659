#include "engine/kernels/matmul_batch.h"

#include "engine/kernels/launch.h"
#include "shaders/matmul.h"
#include "shaders/spirv.h"

#include <algorithm>
#include <array>

namespace perilune {
namespace {

struct Kernel {
    const char *name;
    std::span<const std::uint32_t> code;
};

// By WeightFormat.
const std::array<Kernel, 6> &fewKernels()
{
    static const std::array<Kernel, 6> kernels{
        {{"matmul_few_f32", spirv::matmul_few_f32},
         {"matmul_few_f16", spirv::matmul_few_f16},
         {"matmul_few_bf16", spirv::matmul_few_bf16},
         {"matmul_few_int4", spirv::matmul_few_int4},
         {"matmul_few_fp8", spirv::matmul_few_fp8},
         {"matmul_few_int8", spirv::matmul_few_int8}}
    };
    return kernels;
}

const std::array<Kernel, 6> &manyKernels()
{
    static const std::array<Kernel, 6> kernels{
        {{"matmul_many_f32", spirv::matmul_many_f32},
         {"matmul_many_f16", spirv::matmul_many_f16},
         {"matmul_many_bf16", spirv::matmul_many_bf16},
         {"matmul_many_int4", spirv::matmul_many_int4},
         {"matmul_many_fp8", spirv::matmul_many_fp8},
         {"matmul_many_int8", spirv::matmul_many_int8}}
    };
    return kernels;
}

// Up to as many rows of x, weights are read straight from memory for all of them at once; from more
// on, it pays to expand them into shared memory first.
constexpr std::uint32_t kFewRows = 8;

std::uint32_t powerOfTwoFor(std::uint32_t rows)
{
    std::uint32_t power = 1;
    while (power < rows)
        power *= 2;
    return power;
}

// Bytes from the first to behind the last element that the products touch in rows of a tensor, from column
// `first` on.
ByteRange touched(const Tensor &tensor, std::uint32_t rows, std::uint32_t columns, std::uint32_t first = 0)
{
    const std::uint64_t elements = std::uint64_t{rows - 1} * tensor.columns + columns;
    return {tensor.address + std::uint64_t{first} * 4, elements * 4};
}

void checkCall(const MatmulBatch &call)
{
    checkWeight(call.weight);
    CHECK(call.x.type == DType::F32 && call.y.type == DType::F32);
    CHECK(call.rows > 0 && call.outputs > 0 && call.batch > 0);
    CHECK(call.rows <= call.x.rows && call.rows <= call.y.rows);
    const std::uint64_t last = call.batch - 1;
    CHECK(call.weightFirst + last * call.weightBatch + call.outputs <= call.weight.rows);
    CHECK(last * call.xBatch + call.weight.columns <= call.x.columns);
    CHECK(call.yFirst + last * call.yBatch + call.outputs <= call.y.columns);
    CHECK(!overlap(call.x.range(), call.y.range()));
    if (call.bias.address)
        CHECK(call.bias.type == DType::F32 && call.bias.elements() == call.outputs);
}

bool isAligned(const MatmulBatch &call)
{
    return call.weight.columns % chunkOf(call.weight.format) == 0 && call.weight.columns % 4 == 0 &&
           call.x.columns % 4 == 0 && call.xBatch % 4 == 0 && call.x.address % 16 == 0 &&
           call.weight.data.address % 16 == 0;
}

// The sizes for CPUs were measured on lavapipe; there, few pipelines count too, since each takes a second to
// compile, and a workgroup is never narrower than the driver's vector of 8 (see README.md).
void describeFew(const Device &device, const MatmulBatch &call, Dispatch &dispatch)
{
    const bool cpu = runsOnCpu(device);
    const std::uint32_t lanes = cpu ? 8 : 32;
    const std::uint32_t lines = 4;
    const std::uint32_t outputs = cpu ? 8 : 2;
    const std::uint32_t rows = cpu ? (call.rows == 1 ? 1 : 4) : powerOfTwoFor(std::min(call.rows, 8u));
    const Kernel &kernel = fewKernels()[static_cast<std::size_t>(call.weight.format)];
    dispatch.name = kernel.name;
    dispatch.code = kernel.code;
    dispatch.groups = {ceilDivide(call.outputs, std::uint64_t{lines} * outputs), ceilDivide(call.rows, rows),
                       call.batch};
    dispatch.constants = {lanes, lines, 1, outputs, rows, isAligned(call) ? 1u : 0u};
}

void describeMany(const Device &device, const MatmulBatch &call, Dispatch &dispatch)
{
    const bool cpu = runsOnCpu(device);
    const std::uint32_t width = cpu ? 8 : 16;
    const std::uint32_t height = cpu ? 4 : 16;
    const std::uint32_t outputQuads = cpu ? 2 : 1;
    const std::uint32_t rowQuads = cpu ? 2 : 1;
    const Kernel &kernel = manyKernels()[static_cast<std::size_t>(call.weight.format)];
    dispatch.name = kernel.name;
    dispatch.code = kernel.code;
    dispatch.groups = {ceilDivide(call.outputs, std::uint64_t{width} * outputQuads * 4),
                       ceilDivide(call.rows, std::uint64_t{height} * rowQuads * 4), call.batch};
    dispatch.constants = {width, height, 1, outputQuads, rowQuads, isAligned(call) ? 1u : 0u};
}

} // namespace

std::uint32_t chunkOf(WeightFormat format)
{
    switch (format) {
    case WeightFormat::F32: return 4;
    case WeightFormat::F16:
    case WeightFormat::BF16: return 8;
    case WeightFormat::Int4: return 32;
    case WeightFormat::Fp8:
    case WeightFormat::Int8: return 16;
    }
    CHECK(false);
    return 0;
}

void checkWeight(const WeightMatrix &weight)
{
    const std::uint64_t elements = std::uint64_t{weight.rows} * weight.columns;
    CHECK(elements > 0);
    CHECK(weight.data.address % 4 == 0);
    // Rows that aren't aligned are found by the index of their first element, which has 32 bits.
    CHECK(weight.columns % chunkOf(weight.format) == 0 || elements < (std::uint64_t{1} << 32));
    switch (weight.format) {
    case WeightFormat::F32: CHECK(weight.data.bytes == elements * 4); break;
    case WeightFormat::F16:
    case WeightFormat::BF16: CHECK(weight.data.bytes == elements * 2); break;
    case WeightFormat::Int4:
        CHECK(weight.columns % 32 == 0 && weight.data.bytes == elements / 2);
        CHECK(weight.scales.bytes == elements / 32 * 2 && weight.scales.address % 4 == 0);
        break;
    case WeightFormat::Fp8:
        CHECK(weight.data.bytes == elements);
        CHECK(weight.scales.bytes ==
              std::uint64_t{ceilDivide(weight.rows, 128)} * ceilDivide(weight.columns, 128) * 4);
        break;
    case WeightFormat::Int8:
        CHECK(weight.data.bytes == elements);
        CHECK(weight.scales.bytes == std::uint64_t{weight.rows} * ceilDivide(weight.columns, 64) * 4);
        CHECK(weight.scales.address % 4 == 0);
        break;
    }
}

void matmulBatch(Device &device, const MatmulBatch &call)
{
    checkCall(call);
    const params::MatmulParams params{.x = call.x.address,
                                      .weight = call.weight.data.address,
                                      .scales = call.weight.scales.address,
                                      .bias = call.bias.address,
                                      .y = call.y.address + std::uint64_t{call.yFirst} * 4,
                                      .rows = call.rows,
                                      .outputs = call.outputs,
                                      .columns = call.weight.columns,
                                      .xStride = call.x.columns,
                                      .yStride = call.y.columns,
                                      .xBatch = call.xBatch,
                                      .yBatch = call.yBatch,
                                      .weightFirst = call.weightFirst,
                                      .weightBatch = call.weightBatch,
                                      .accumulate = call.accumulate ? 1u : 0u};
    Dispatch dispatch;
    if (call.rows <= kFewRows)
        describeFew(device, call, dispatch);
    else
        describeMany(device, call, dispatch);
    const std::uint32_t last = call.batch - 1;
    const ByteRange y = touched(call.y, call.rows, last * call.yBatch + call.outputs, call.yFirst);
    dispatch.params = pushed(params);
    dispatch.reads = {touched(call.x, call.rows, last * call.xBatch + call.weight.columns), call.weight.data};
    if (call.weight.scales.bytes > 0)
        dispatch.reads.push_back(call.weight.scales);
    if (call.bias.address)
        dispatch.reads.push_back(call.bias.range());
    if (call.accumulate)
        dispatch.reads.push_back(y);
    dispatch.writes = {y};
    dispatch.work = double{1} * call.rows * call.outputs * call.weight.columns * call.batch;
    device.dispatch(dispatch);
}

} // namespace perilune
