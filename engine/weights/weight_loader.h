#pragma once

#include "engine/gpu/device.h"
#include "engine/weights/checkpoint.h"
#include "engine/weights/expand.h"
#include "engine/weights/quantized_file.h"
#include "engine/weights/upload.h"
#include "engine/weights/work_crew.h"

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

/// What the weights of a checkpoint take, by its headers.
struct WeightBytes {
    std::uint64_t device = 0; ///< uploaded, where all of it lies in the device's memory
    std::uint64_t onDisk = 0; ///< left in the files, for the host
    /// Of `device`: the groups that may lie in main memory instead, the last of them first.
    std::vector<std::uint64_t> movable;
};

/// Puts weights on the device in two steps: first every field of the model is bound to its tensor,
/// which checks name, shape and type against the headers and touches no data; then everything is
/// uploaded at once. The format of a matrix is decided by what the checkpoint has: X.weight_packed
/// is packed int4, an F8_E4M3 X.weight with X.weight_scale_inv is block FP8, else X.weight is plain.
///
/// What `quantize` names is quantized while it is uploaded, but for what the checkpoint has as packed int4,
/// or taken from a file that was kept.
///
/// Fields are filled in by upload() and must stay where they are until then; so must the checkpoint.
class WeightLoader {
public:
    /// `kept`, where given, holds all that `quantize` makes of this checkpoint.
    explicit WeightLoader(const Checkpoint &checkpoint, const QuantizeOptions &quantize = {},
                          std::shared_ptr<const QuantizedFile> kept = nullptr);
    ~WeightLoader();

    enum class Formats {
        Any,
        Plain, ///< F32, F16 or BF16 as it is; int4 and FP8 are expanded to F32 while loading
    };

    /// Starts a group whose tensors share allocations; `purpose` names it in messages of OutOfMemory.
    void group(std::string purpose);
    /// The same, of tensors of which a token needs few: where the device is full they may lie in main memory
    /// that the device reads.
    void movableGroup(std::string purpose);

    /// How a matrix may come to the device.
    struct Form {
        WeightPart part = WeightPart::Other;
        Formats formats = Formats::Any; ///< Plain ones are never quantized, nor split
    };

    /// Binds the matrix `stem`.weight. `shape` is as stored; its first dimension is the rows, the
    /// product of the others the columns.
    void matrix(const std::string &stem, const std::vector<std::uint64_t> &shape, WeightMatrix *field,
                const Form &form);

    /// Binds a plain tensor by its whole name, converted to F32 on the device: (1, n) for one
    /// dimension, else (first, product of the others).
    void floats(const std::string &name, const std::vector<std::uint64_t> &shape, Tensor *field);

    /// Binds `prefix`E.gate_proj, up_proj and down_proj of every expert; table->experts, hidden and
    /// intermediate say how many and how large.
    void experts(const std::string &prefix, ExpertTable *table);

    /// Binds a plain tensor that stays in its file, for the host to read.
    void onHost(const std::string &name, const std::vector<std::uint64_t> &shape, const StoredTensor **field);

    /// What is missing or has another shape or type than asked for: one sentence each. From the headers
    /// alone; what packed matrices store as their shape is compared by checkShapes().
    const std::vector<std::string> &problems() const { return m_problems; }
    /// Compares what the first `most` packed matrices store as their shape, which reads it; upload() compares
    /// all. Corrupt or Io.
    Status checkShapes(std::size_t most = SIZE_MAX) const;
    std::size_t shapes() const { return m_shapes.size(); }
    /// Where quantizing isn't quite what was asked for: a sentence each.
    std::vector<std::string> notes() const;
    /// What upload() will quantize, in its order; empty where a kept file is used.
    const std::vector<QuantizedEntry> &quantized() const { return m_quantized; }
    /// Tensors of the checkpoint that nothing was bound to.
    std::vector<const StoredTensor *> unused() const;
    /// What upload() will take, in bytes of whole blocks, and what stays in the files.
    WeightBytes bytes() const;

    struct UploadOptions {
        std::size_t onHost = 0; ///< so many of bytes().movable, from its start, go to main memory
        QuantizedFileWriter *keep = nullptr; ///< gets what is quantized
    };
    /// Allocates, converts and copies, in slices. `buffers` gets what owns the memory. Refuses with
    /// the first problem where there are any. Cancelled, OutOfMemory, DeviceLost; where the kept file is
    /// damaged it is Corrupt, and keptIsDamaged().
    Status upload(Device &device, std::vector<std::unique_ptr<Buffer>> &buffers, const LoadProgress &progress,
                  std::stop_token stop, const UploadOptions &options);
    Status upload(Device &device, std::vector<std::unique_ptr<Buffer>> &buffers, const LoadProgress &progress,
                  std::stop_token stop)
    {
        return upload(device, buffers, progress, std::move(stop), {});
    }
    bool keptIsDamaged() const { return m_keptIsDamaged; }

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
    std::optional<WeightFormat> target(const Bound &bound, WeightPart part, bool wholeGroups);
    void addParts(const std::string &stem, const Bound &bound, WeightFormat target, std::uint64_t rows,
                  UploadPart::Placed data, UploadPart::Placed scales);
    void addQuantized(const std::string &stem, const StoredMatrix &matrix, WeightFormat target,
                      std::uint64_t rows, UploadPart::Placed data, UploadPart::Placed scales);
    UploadPart keptPart(const QuantizedEntry &entry, std::uint64_t rows, UploadPart::Placed placed);
    Status damaged(const std::string &name);
    void problem(std::string sentence) { m_problems.push_back(std::move(sentence)); }
    /// `what` of a tensor of the checkpoint, after its file and its name.
    std::string sentence(const StoredTensor *tensor, const std::string &what) const;
    void problem(const StoredTensor *tensor, const std::string &what) { problem(sentence(tensor, what)); }
    std::uint64_t uploadBytes() const;
    Group &current();

    const Checkpoint &m_checkpoint;
    const QuantizeOptions m_quantize;
    const std::shared_ptr<const QuantizedFile> m_kept;
    std::vector<std::unique_ptr<Group>> m_groups;
    std::vector<QuantizedEntry> m_quantized;
    bool m_keptIsDamaged = false;
    std::uint64_t m_ragged = 0, m_packedAlready = 0; // matrices
    std::unique_ptr<WorkCrew> m_crew;                // while uploading
    QuantizedFileWriter *m_keep = nullptr;           // while uploading
    struct ShapeClaim {
        const StoredTensor *tensor;
        std::uint64_t rows, columns; // that it should hold
    };
    std::vector<std::string> m_problems;
    std::vector<ShapeClaim> m_shapes;
    std::unordered_set<const StoredTensor *> m_used;
    std::uint64_t m_hostBytes = 0; // that stay in the files
};

} // namespace perilune
