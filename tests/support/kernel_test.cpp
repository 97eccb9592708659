#include "tests/support/kernel_test.h"

#include "engine/base/bfloat16.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace perilune::test {
namespace {

std::string variable(const char *name, const char *otherwise)
{
    const char *value = std::getenv(name);
    return value ? value : otherwise;
}

// Says how often a "too large to check" case may copy all memory.
constexpr std::uint64_t kLargestChecked = std::uint64_t{48} << 20;

} // namespace

KernelTest::KernelTest()
{
    const std::string validation = variable("PERILUNE_TEST_VALIDATION", "core");
    DeviceOptions options;
    options.choice = variable("PERILUNE_DEVICE", "");
    options.validation = validation != "off";
    options.gpuAssistedValidation = validation == "gpu";
    Result<std::unique_ptr<Device>> device = openDevice(options);
    if (!device && device.error().code == ErrorCode::Unsupported && validation == "core") {
        std::fprintf(stderr, "%s: going on without\n", device.error().message.c_str());
        options.validation = false;
        device = openDevice(options);
    }
    if (!device) {
        m_missing = device.error().message;
        return;
    }
    m_device = *std::move(device);
    m_checking = std::make_unique<CheckingDevice>(*m_device);
}

KernelTest::~KernelTest() = default;

ByteRange KernelTest::bytes(std::uint64_t count)
{
    auto buffer = m_checking->allocate(count, MemoryKind::Device, "a test's tensor");
    CHECK(buffer.has_value());
    m_buffers.push_back(*std::move(buffer));
    return m_buffers.back()->range();
}

ByteRange KernelTest::bytes(std::span<const std::byte> values)
{
    const ByteRange range = bytes(std::max<std::uint64_t>(values.size(), 1));
    CHECK(m_checking->upload(range.address, values).has_value());
    return {range.address, values.size()};
}

Tensor KernelTest::empty(std::size_t rows, std::size_t columns, DType type)
{
    Tensor tensor{0, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), type};
    tensor.address = bytes(tensor.bytes()).address;
    return tensor;
}

Tensor KernelTest::floats(std::size_t rows, std::size_t columns, std::span<const float> values)
{
    CHECK(values.size() == rows * columns);
    const Tensor tensor = empty(rows, columns);
    CHECK(m_checking->upload(tensor.address, std::as_bytes(values)).has_value());
    return tensor;
}

Tensor KernelTest::words(std::size_t rows, std::size_t columns, std::span<const std::uint32_t> values)
{
    CHECK(values.size() == rows * columns);
    const Tensor tensor = empty(rows, columns, DType::U32);
    CHECK(m_checking->upload(tensor.address, std::as_bytes(values)).has_value());
    return tensor;
}

WeightMatrix KernelTest::weight(std::size_t rows, std::size_t columns, std::vector<float> &values,
                                WeightFormat format)
{
    CHECK(values.size() == rows * columns);
    WeightMatrix matrix{
        format, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), {}, {}};
    if (format == WeightFormat::F32) {
        matrix.data = bytes(std::as_bytes(std::span(values)));
        return matrix;
    }
    CHECK(format == WeightFormat::F16 || format == WeightFormat::BF16);
    std::vector<std::uint16_t> stored;
    for (float &value : values) {
        stored.push_back(format == WeightFormat::F16 ? toHalf(value) : toBfloat16(value));
        value = format == WeightFormat::F16 ? fromHalf(stored.back()) : fromBfloat16(stored.back());
    }
    matrix.data = bytes(std::as_bytes(std::span(stored)));
    return matrix;
}

std::vector<float> KernelTest::read(const Tensor &tensor)
{
    std::vector<std::byte> raw(tensor.bytes());
    CHECK(m_checking->download(tensor.range(), raw).has_value());
    std::vector<float> values(tensor.elements());
    if (tensor.type == DType::F32) {
        std::memcpy(values.data(), raw.data(), raw.size());
        return values;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, raw.data() + 2 * i, 2);
        values[i] = tensor.type == DType::F16 ? fromHalf(bits) : fromBfloat16(bits);
    }
    return values;
}

std::vector<std::uint32_t> KernelTest::readWords(const Tensor &tensor)
{
    std::vector<std::uint32_t> values(tensor.elements());
    CHECK(m_checking->download(tensor.range(), std::as_writable_bytes(std::span(values))).has_value());
    return values;
}

std::string KernelTest::run(const std::function<void(Device &)> &record, bool check)
{
    CheckingDevice::Image checked;
    check = check && m_checking->bytes() <= kLargestChecked;
    if (check) {
        const CheckingDevice::Image before = m_checking->save();
        m_checking->clearReports();
        m_checking->begin();
        record(*m_checking);
        if (const Status status = m_checking->finish(); !status)
            return status.error().message;
        if (!m_checking->reports().empty())
            return m_checking->reports().front();
        checked = m_checking->save();
        m_checking->restore(before);
    }
    m_device->begin();
    record(*m_device);
    if (const Status status = m_device->finish(); !status)
        return status.error().message;
    if (check && m_checking->save() != checked)
        return "one dispatch at a time gives another result than all with barriers";
    return {};
}

std::string KernelTest::compare(std::span<const float> actual, std::span<const double> expected,
                                Tolerance tolerance)
{
    if (actual.size() != expected.size())
        return "sizes differ";
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double error = std::abs(double{actual[i]} - expected[i]);
        if (!(error <= tolerance.absolute + tolerance.relative * std::abs(expected[i])))
            return "element " + std::to_string(i) + ": " + std::to_string(actual[i]) + ", expected " +
                   std::to_string(expected[i]);
        m_worst = std::max(m_worst, error / std::max(1.0, std::abs(expected[i])));
    }
    return {};
}

std::string KernelTest::summary(const std::vector<std::string> &kernels) const
{
    std::string text;
    for (const std::string &message : validationMessages())
        text += "validation: " + message + "\n";
    for (const std::string &kernel : kernels) {
        const auto &checked = m_checking->checked();
        if (std::find(checked.begin(), checked.end(), kernel) == checked.end())
            text += "the declarations of " + kernel + " were never checked\n";
    }
    return text;
}

std::uint16_t toHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const float size = std::abs(value);
    if (std::isnan(value))
        return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (size >= 65520.0f)
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    // Adding a power of two makes the hardware round to the bits that are kept.
    const int exponent = std::max(std::ilogb(std::max(size, 1e-10f)), -14);
    const auto scaled = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    return static_cast<std::uint16_t>(sign | (scaled + (static_cast<std::uint32_t>(exponent + 14) << 10)));
}

float fromHalf(std::uint16_t bits)
{
    const float sign = bits & 0x8000u ? -1.0f : 1.0f;
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    if (exponent == 31)
        return fraction ? std::nanf("") : sign * INFINITY;
    if (exponent == 0)
        return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

} // namespace perilune::test
