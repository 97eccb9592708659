#pragma once

#include "engine/gpu/device.h"
#include "tests/support/checking_device.h"
#include "tests/support/reference.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perilune::test {

/// How far a value may be from its reference: absolute + relative · |reference|.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
};

/// What a kernel test stands on: a device, with the validation layer where it is installed
/// (PERILUNE_TEST_VALIDATION = core, gpu or off; core if unset), and tensors that live as long as
/// this object. PERILUNE_DEVICE chooses the device, as everywhere.
class KernelTest {
public:
    KernelTest();
    ~KernelTest();

    /// Why there is no device; empty where there is one.
    const std::string &missing() const { return m_missing; }
    Device &device() { return *m_checking; }
    /// The device as it is in use: nothing is checked.
    Device &plainDevice() { return *m_device; }

    /// Frees the tensors of the case before.
    void clear() { m_buffers.clear(); }
    ByteRange bytes(std::uint64_t count);
    ByteRange bytes(std::span<const std::byte> values);
    /// Guarded and filled with NaN.
    Tensor empty(std::size_t rows, std::size_t columns, DType type = DType::F32);
    Tensor floats(std::size_t rows, std::size_t columns, std::span<const float> values);
    Tensor words(std::size_t rows, std::size_t columns, std::span<const std::uint32_t> values);
    /// A weight matrix from f32 values, rounded to F16 or BF16 where `format` says so; `values`
    /// becomes what is stored.
    WeightMatrix weight(std::size_t rows, std::size_t columns, std::vector<float> &values,
                        WeightFormat format = WeightFormat::F32);
    std::vector<float> read(const Tensor &tensor);
    std::vector<std::uint32_t> readWords(const Tensor &tensor);

    /// Records and runs `record` twice, once with every declaration checked and once as in use, and
    /// compares the two. Returns the first thing that was wrong; empty where nothing.
    /// `check` off for cases too large for it.
    std::string run(const std::function<void(Device &)> &record, bool check = true);

    /// The first difference, in words; empty where there is none. Keeps the worst error.
    std::string compare(std::span<const float> actual, std::span<const double> expected, Tolerance tolerance);
    double worstError() const { return m_worst; }

    /// For the end of a test: what validation said, and which of the kernels never ran.
    std::string summary(const std::vector<std::string> &kernels) const;

private:
    std::string m_missing;
    std::unique_ptr<Device> m_device;
    std::unique_ptr<CheckingDevice> m_checking;
    std::vector<std::unique_ptr<Buffer>> m_buffers;
    double m_worst = 0;
};

/// f32 → f16 (nearest even) and back, for caches and weights.
std::uint16_t toHalf(float value);
float fromHalf(std::uint16_t bits);

} // namespace perilune::test
