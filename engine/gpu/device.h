#pragma once

#include "engine/base/result.h"
#include "engine/gpu/tensor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// Where a buffer lives.
enum class MemoryKind {
    Device, ///< Weights, activations, caches: fastest for the device; the host reaches it by upload and
            ///< download.
    Host,   ///< Mapped for the host: what is written or read every token. Slower for the device.
};

/// Memory of a device, freed with the object. Moves, never copies.
class Buffer {
public:
    virtual ~Buffer() = default;
    virtual std::uint64_t address() const = 0;
    virtual std::uint64_t bytes() const = 0;
    /// The host's view; null for MemoryKind::Device.
    virtual std::byte *mapped() const = 0;
    ByteRange range() const { return {address(), bytes()}; }
    /// A matrix at `offset` bytes; CHECKs that it fits.
    Tensor tensor(std::uint32_t rows, std::uint32_t columns, DType type = DType::F32,
                  std::uint64_t offset = 0) const
    {
        const Tensor t{address() + offset, rows, columns, type};
        CHECK(offset + t.bytes() <= bytes());
        return t;
    }
};

/// One call of a shader, with every byte it touches. The device derives its barriers from the
/// ranges, so a wrong range is a race: the tests check the declarations themselves.
struct Dispatch {
    const char *name = "";               ///< of the shader; shown in timings and messages
    std::span<const std::uint32_t> code; ///< SPIR-V
    std::array<std::uint32_t, 3> groups{1, 1, 1};
    std::vector<std::uint32_t>
        constants;                     ///< specialisation constants 0, 1, …; 0, 1, 2 are the workgroup's size
    std::span<const std::byte> params; ///< push constants, at most 128 bytes; copied at once
    std::vector<ByteRange> reads;
    std::vector<ByteRange> writes; ///< a range that is read and written stands in both
    /// About how many multiply-adds (or elements, where it moves data) the whole dispatch takes: what
    /// measured times are scaled by. 0: one for each invocation.
    double work = 0;
};

struct DeviceInfo {
    std::uint32_t index = 0;
    std::string name;
    std::string kind;         ///< "discrete", "integrated", "cpu", "virtual", "other"
    std::uint64_t memory = 0; ///< bytes of the largest device-local heap
    std::uint64_t largestAllocation = 0;
    bool usable = false;
    std::string why; ///< where it isn't usable: what it lacks, in a sentence
};

/// Host memory that upload() and download() take at their first use where the host can't reach the device's.
constexpr std::uint64_t kStagingBytes = std::uint64_t{32} << 20;

struct DispatchTime {
    std::string name;
    std::uint64_t calls = 0;
    double seconds = 0;
};

/// A compute device with one queue. Owned and used by the engine thread alone.
///
/// Work is recorded between begin() and finish(). The recording is cut into submissions of about
/// 100 ms by the times measured before; between two of them the stop token is looked at, and
/// after a stop nothing more is submitted and finish() is ErrorCode::Cancelled. A dispatch that
/// is too long for one submission is cut into ranges of its workgroups, so a kernel must not
/// use gl_NumWorkGroups, and one of its workgroups should stay well below 100 ms.
class Device {
public:
    virtual ~Device() = default;

    virtual const DeviceInfo &info() const = 0;

    /// `purpose` names the buffer in the message of OutOfMemory ("the weights of layer 7").
    virtual Result<std::unique_ptr<Buffer>> allocate(std::uint64_t bytes, MemoryKind kind,
                                                     std::string_view purpose) = 0;

    /// A hard limit in bytes on what allocate() gives of each kind in all; 0 for none.
    virtual void setBudget(std::uint64_t deviceBytes, std::uint64_t hostBytes) = 0;
    virtual std::uint64_t allocated(MemoryKind kind) const = 0;

    virtual void begin(std::stop_token stop = {}) = 0;
    virtual void dispatch(const Dispatch &dispatch) = 0;
    /// Copies on the device, in order with the dispatches.
    virtual void copy(ByteRange source, std::uint64_t destination) = 0;
    /// Submits what is left and waits for all of it. Cancelled, DeviceLost or OutOfMemory.
    virtual Status finish() = 0;

    /// Writes to or reads from memory of either kind, outside a recording; waits.
    virtual Status upload(std::uint64_t destination, std::span<const std::byte> bytes) = 0;
    virtual Status download(ByteRange source, std::span<std::byte> bytes) = 0;

    /// Compiles the pipelines that `dispatches` need, so that the first turn doesn't. Names, code
    /// and constants are used; nothing runs. `progress` gets (done, total).
    virtual Status compile(std::span<const Dispatch> dispatches,
                           const std::function<void(std::uint64_t, std::uint64_t)> &progress,
                           std::stop_token stop) = 0;

    /// Time on the device by kernel since the last call, for benchmarks. Empty unless switched on.
    virtual void setTiming(bool on) = 0;
    virtual std::vector<DispatchTime> takeTimes() = 0;
};

struct DeviceOptions {
    std::string choice;      ///< name (a part of it, any case) or index; empty for the fastest usable
    std::string cacheFolder; ///< where compiled pipelines are kept; empty for none
    bool validation = false; ///< with the validation layer; messages go to `validationMessages`
    bool gpuAssistedValidation = true; ///< with `validation`: instruments the kernels too (slow)
};

/// All Vulkan devices of this machine, usable or not, in the driver's order. Empty without a driver.
std::vector<DeviceInfo> listDevices();

/// Opens a Vulkan device. ErrorCode::NoDevice, with a sentence, where none fits.
Result<std::unique_ptr<Device>> openDevice(const DeviceOptions &options);

/// What the validation layers have said since the start of the process (tests assert that it is empty).
std::vector<std::string> validationMessages();

} // namespace perilune
