#pragma once

#include "engine/gpu/device.h"
#include "engine/weights/checkpoint.h"
#include "engine/weights/expand.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <vector>

namespace perilune {

/// Gets (bytes done, bytes in all).
using LoadProgress = std::function<void(std::uint64_t, std::uint64_t)>;

/// Puts weights on the device in two steps: first every field of the model is bound to its tensor,
/// which checks name, shape and type against the headers and touches no data; then everything is
/// uploaded at once. The format of a matrix is decided by what the checkpoint has: X.weight_packed
/// is packed int4, an F8_E4M3 X.weight with X.weight_scale_inv is block FP8, else X.weight is plain.
///
/// Fields are filled in by upload() and must stay where they are until then; so must the checkpoint.
class WeightLoader {
public:
    explicit WeightLoader(const Checkpoint &checkpoint);
    ~WeightLoader();

    enum class Formats {
        Any,
        Plain, ///< F32, F16 or BF16 as it is; int4 and FP8 are expanded to F32 while loading
    };

    /// Starts a group whose tensors share allocations; `purpose` names it in messages of OutOfMemory.
    void group(std::string purpose);

    /// Binds the matrix `stem`.weight. `shape` is as stored; its first dimension is the rows, the
    /// product of the others the columns.
    void matrix(const std::string &stem, const std::vector<std::uint64_t> &shape, WeightMatrix *field,
                Formats formats = Formats::Any);

    /// Binds a plain tensor by its whole name, converted to F32 on the device: (1, n) for one
    /// dimension, else (first, product of the others).
    void floats(const std::string &name, const std::vector<std::uint64_t> &shape, Tensor *field);

    /// Binds `prefix`E.gate_proj, up_proj and down_proj of every expert; table->experts, hidden and
    /// intermediate say how many and how large.
    void experts(const std::string &prefix, ExpertTable *table);

    /// Binds a plain tensor that stays in the mapping, for the host to read.
    void onHost(const std::string &name, const std::vector<std::uint64_t> &shape, const StoredTensor **field);

    /// What is missing or has another shape or type than asked for: one sentence each. From the headers
    /// alone; what packed matrices store as their shape is compared by upload().
    const std::vector<std::string> &problems() const { return m_problems; }
    /// Tensors of the checkpoint that nothing was bound to.
    std::vector<const StoredTensor *> unused() const;
    /// Bytes that upload() will allocate on the device.
    std::uint64_t deviceBytes() const;
    /// Bytes that stay in the mapping, for the host.
    std::uint64_t mappedBytes() const { return m_mappedBytes; }

    /// Allocates, converts and copies, in slices. `buffers` gets what owns the memory. Refuses with
    /// the first problem where there are any. Cancelled, OutOfMemory, DeviceLost.
    Status upload(Device &device, std::vector<std::unique_ptr<Buffer>> &buffers, const LoadProgress &progress,
                  std::stop_token stop);

private:
    struct Group;
    struct Bound {
        WeightFormat format = WeightFormat::F32;
        StoredMatrix stored;
    };

    const StoredTensor *require(const std::string &name, const std::vector<std::uint64_t> &shape);
    const StoredTensor *requirePlain(const std::string &name, const std::vector<std::uint64_t> &shape);
    std::optional<Bound> bindInt4(const std::string &stem, std::uint64_t rows, std::uint64_t columns);
    std::optional<Bound> bindFloat8(const std::string &stem, std::uint64_t rows, std::uint64_t columns);
    std::optional<Bound> bindMatrix(const std::string &stem, const std::vector<std::uint64_t> &shape);
    void problem(std::string sentence) { m_problems.push_back(std::move(sentence)); }
    Group &current();

    const Checkpoint &m_checkpoint;
    std::vector<std::unique_ptr<Group>> m_groups;
    struct ShapeClaim {
        const StoredTensor *tensor;
        std::uint64_t rows, columns; // that it should hold
    };
    Status checkShapes() const;

    std::vector<std::string> m_problems;
    std::vector<ShapeClaim> m_shapes;
    std::unordered_set<const StoredTensor *> m_used;
    std::uint64_t m_mappedBytes = 0;
};

} // namespace perilune
