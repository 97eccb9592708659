#include "engine/weights/weight_loader.h"

#include "engine/base/shortened.h"
#include "engine/gpu/memory_blocks.h"
#include "engine/weights/quantize_rows.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

constexpr std::size_t kLongestName = 200; // a tensor's, in a sentence; those of the family have up to 80
// The kernels count the elements of a matrix in 32 bits.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;

std::uint64_t product(const std::vector<std::uint64_t> &shape, std::size_t first)
{
    std::uint64_t result = 1;
    for (std::size_t i = first; i < shape.size(); ++i)
        result *= shape[i];
    return result;
}

bool isPlain(StoredType type)
{
    return type == StoredType::F32 || type == StoredType::F16 || type == StoredType::BF16;
}

WeightFormat plainFormat(StoredType type)
{
    return type == StoredType::F32   ? WeightFormat::F32
           : type == StoredType::F16 ? WeightFormat::F16
                                     : WeightFormat::BF16;
}

/// Rows of the matrix that share a row of scales.
std::uint64_t rowsOfScales(WeightFormat format)
{
    return format == WeightFormat::Fp8 ? 128 : 1;
}

/// Scales are in one piece; each block of rows has its own of them.
void placeScales(WeightMatrix &matrix, ByteRange range)
{
    matrix.scales = range;
    const std::uint64_t together = rowsOfScales(matrix.format);
    const std::uint64_t ofRow = range.bytes / ((matrix.rows + together - 1) / together);
    std::uint64_t address = range.address;
    for (WeightMatrix &piece : matrix.pieces) {
        piece.scales = {address, (piece.rows + together - 1) / together * ofRow};
        address += piece.scales.bytes;
    }
}

std::string nameOf(WeightFormat format)
{
    constexpr const char *kNames[] = {"F32", "F16", "BF16", "int4", "FP8", "int8"};
    return kNames[static_cast<std::size_t>(format)];
}

} // namespace

struct WeightLoader::Group {
    std::string purpose;
    bool mayMove = false;
    std::vector<UploadPart> parts;

    std::uint64_t bytes() const
    {
        std::uint64_t sum = 0;
        for (const UploadPart &part : parts)
            sum += alignedBytes(part.bytes());
        return sum;
    }
    /// Smaller ones share blocks: without one of them nothing need be saved.
    bool isMovable() const { return mayMove && bytes() >= kOwnBlock; }
};

WeightLoader::WeightLoader(const Checkpoint &checkpoint, const QuantizeOptions &quantize,
                           std::shared_ptr<const QuantizedFile> kept)
    : m_checkpoint(checkpoint),
      m_quantize(quantize),
      m_kept(std::move(kept))
{
}

WeightLoader::~WeightLoader() = default;

void WeightLoader::group(std::string purpose)
{
    m_groups.push_back(std::make_unique<Group>());
    m_groups.back()->purpose = std::move(purpose);
}

void WeightLoader::movableGroup(std::string purpose)
{
    group(std::move(purpose));
    m_groups.back()->mayMove = true;
}

WeightLoader::Group &WeightLoader::current()
{
    if (m_groups.empty())
        group("the weights");
    return *m_groups.back();
}

std::string WeightLoader::sentence(const StoredTensor *tensor, const std::string &what) const
{
    return m_checkpoint.fileOf(*tensor) + ": " + shortened(tensor->name, kLongestName) + " " + what;
}

const StoredTensor *WeightLoader::require(const std::string &name, const std::vector<std::uint64_t> &shape)
{
    const StoredTensor *tensor = m_checkpoint.find(name);
    if (!tensor) {
        problem("tensor " + name + " is missing; config.json asks for it with the shape " + shapeText(shape));
        return nullptr;
    }
    m_used.insert(tensor);
    if (tensor->shape != shape) {
        problem(tensor, "is " + shapeText(tensor->shape) + ", but config.json makes it " + shapeText(shape));
        return nullptr;
    }
    return tensor;
}

const StoredTensor *WeightLoader::requirePlain(const std::string &name,
                                               const std::vector<std::uint64_t> &shape)
{
    const StoredTensor *tensor = require(name, shape);
    if (tensor && !isPlain(tensor->type)) {
        problem(tensor,
                "is " + std::string(perilune::nameOf(tensor->type)) + ", but F32, F16 or BF16 is expected");
        return nullptr;
    }
    return tensor;
}

std::optional<WeightLoader::Bound> WeightLoader::bindInt4(const std::string &stem, std::uint64_t rows,
                                                          std::uint64_t columns)
{
    const std::string packed = stem + ".weight_packed";
    if (columns % 32 != 0) {
        problem(m_checkpoint.find(packed),
                "has " + std::to_string(columns) + " columns, which can't be split into groups of 32");
        return {};
    }
    const StoredTensor *data = require(packed, {rows, columns / 8});
    const StoredTensor *scales = require(stem + ".weight_scale", {rows, columns / 32});
    if (const StoredTensor *shape = m_checkpoint.find(stem + ".weight_shape")) {
        m_used.insert(shape);
        const bool integers = shape->type == StoredType::I32 || shape->type == StoredType::I64;
        if (!integers || shape->elements() != 2)
            problem(shape, "is " + std::string(perilune::nameOf(shape->type)) + " " +
                               shapeText(shape->shape) + ", but two numbers of I32 or I64 are expected");
        else
            m_shapes.push_back({shape, rows, columns});
    } else {
        problem(m_checkpoint.find(packed), "is there, but " + stem + ".weight_shape is missing");
    }
    if (!data || !scales)
        return {};
    if (data->type != StoredType::I32)
        problem(data, "is " + std::string(perilune::nameOf(data->type)) + ", but I32 is expected");
    if (scales->type != StoredType::BF16)
        problem(scales, "is " + std::string(perilune::nameOf(scales->type)) + ", but BF16 is expected");
    return Bound{
        WeightFormat::Int4, {data, scales, rows, columns}
    };
}

std::optional<WeightLoader::Bound> WeightLoader::bindFloat8(const std::string &stem, std::uint64_t rows,
                                                            std::uint64_t columns)
{
    const StoredTensor *data = require(stem + ".weight", {rows, columns});
    const StoredTensor *scales =
        require(stem + ".weight_scale_inv", {(rows + 127) / 128, (columns + 127) / 128});
    if (!data || !scales)
        return {};
    if (scales->type != StoredType::F32) {
        problem(scales, "is " + std::string(perilune::nameOf(scales->type)) + ", but F32 is expected");
        return {};
    }
    return Bound{
        WeightFormat::Fp8, {data, scales, rows, columns}
    };
}

std::optional<WeightLoader::Bound> WeightLoader::bindMatrix(const std::string &stem,
                                                            const std::vector<std::uint64_t> &shape)
{
    const std::uint64_t rows = shape.at(0), columns = product(shape, 1);
    if (rows > kMostElements / std::max<std::uint64_t>(columns, 1)) {
        problem("config.json makes " + stem + ".weight " + shapeText(shape) + ", more than the " +
                std::to_string(kMostElements) + " elements that a matrix may have");
        return {};
    }
    const std::size_t before = m_problems.size();
    std::optional<Bound> bound;
    const StoredTensor *weight = m_checkpoint.find(stem + ".weight");
    if (m_checkpoint.find(stem + ".weight_packed")) {
        bound = bindInt4(stem, rows, columns);
    } else if (weight && weight->type == StoredType::F8E4M3) {
        bound = bindFloat8(stem, rows, columns);
    } else if (const StoredTensor *plain = requirePlain(stem + ".weight", shape)) {
        bound = Bound{
            plainFormat(plain->type), {plain, nullptr, rows, columns}
        };
    }
    return m_problems.size() == before ? bound : std::nullopt;
}

std::optional<WeightFormat> WeightLoader::target(const Bound &bound, WeightPart part, bool wholeGroups)
{
    const std::optional<WeightFormat> wanted = m_quantize.of(part);
    if (!wanted)
        return {};
    if (bound.format == WeightFormat::Int4) {
        ++m_packedAlready;
        return {};
    }
    if (*wanted == WeightFormat::Int4 && !wholeGroups) {
        ++m_ragged;
        return WeightFormat::Int8;
    }
    return wanted;
}

std::vector<std::string> WeightLoader::notes() const
{
    std::vector<std::string> notes;
    if (m_ragged > 0)
        notes.push_back(
            std::to_string(m_ragged) +
            " matrices are quantized to int8 in place of int4, whose groups of 32 don't fit their columns");
    if (m_packedAlready > 0)
        notes.push_back(std::to_string(m_packedAlready) +
                        " matrices that were to be quantized are packed int4 in the checkpoint and stay so");
    return notes;
}

Status WeightLoader::damaged(const std::string &name)
{
    m_keptIsDamaged = true;
    return Error{ErrorCode::Corrupt, m_kept->path() + " is damaged: " + name + " is not what was written"};
}

UploadPart WeightLoader::keptPart(const QuantizedEntry &entry, std::uint64_t rows, UploadPart::Placed placed)
{
    const StoredTensor *tensor = m_kept->find(entry.name);
    if (!tensor || tensor->type != entry.type || tensor->shape != entry.shape)
        return UploadPart::streamed(
            entry.bytes(), rows,
            [this, name = entry.name](PartRows, const UploadPart::Take &) { return damaged(name); },
            std::move(placed));
    const auto read = [this, tensor, rows](PartRows range, const UploadPart::Take &take) -> Status {
        if (range.first == 0 && !m_kept->isWhole(*tensor))
            return damaged(tensor->name);
        Status taken = takeStored(*tensor, rows, range, take);
        return !taken && taken.error().code == ErrorCode::Corrupt ? damaged(tensor->name) : taken;
    };
    return UploadPart::streamed(entry.bytes(), rows, read, std::move(placed));
}

void WeightLoader::addQuantized(const std::string &stem, const StoredMatrix &matrix, WeightFormat target,
                                std::uint64_t rows, UploadPart::Placed data, UploadPart::Placed scales)
{
    const QuantizedBytes bytes = quantizedBytes(target, matrix.columns);
    const bool four = target == WeightFormat::Int4;
    const QuantizedEntry values{
        stem + (four ? ".weight_int4" : ".weight_int8"),
        four ? StoredType::I32 : StoredType::I8,
        {matrix.rows, four ? bytes.dataOfRow / 4 : bytes.dataOfRow}
    };
    const QuantizedEntry sizes{
        stem + ".weight_scale", StoredType::BF16, {matrix.rows, bytes.scalesOfRow / 2}
    };
    std::vector<UploadPart> &parts = current().parts;
    if (m_kept) {
        parts.push_back(keptPart(values, rows, std::move(data)));
        parts.push_back(keptPart(sizes, 1, std::move(scales)));
        return;
    }
    m_quantized.push_back(values);
    m_quantized.push_back(sizes);
    // Data comes first and is handed on as it is made; the scales, which are few, wait for its end.
    auto made = std::make_shared<std::vector<std::byte>>();
    const auto convert = [this, matrix, target, rows, made](PartRows range, const UploadPart::Take &take) {
        const PartRows all = rows == 1 ? PartRows{0, matrix.rows} : range;
        return quantizeRows(
            matrix, target, all, *m_crew,
            [this, &take](std::span<const std::byte> slice) {
                if (m_keep)
                    m_keep->append(slice);
                return take(slice);
            },
            *made);
    };
    parts.push_back(UploadPart::streamed(values.bytes(), rows, convert, std::move(data)));
    const auto handOver = [this, made] {
        if (m_keep)
            m_keep->append(*made);
        return std::exchange(*made, {});
    };
    parts.push_back(UploadPart::made(sizes.bytes(), handOver, std::move(scales)));
}

void WeightLoader::addParts(const std::string &stem, const Bound &bound, WeightFormat target,
                            std::uint64_t rows, UploadPart::Placed data, UploadPart::Placed scales)
{
    std::vector<UploadPart> &parts = current().parts;
    if (target != bound.format) {
        addQuantized(stem, bound.stored, target, rows, std::move(data), std::move(scales));
        return;
    }
    parts.push_back(UploadPart::stored(*bound.stored.data, rows, std::move(data)));
    if (bound.stored.scales)
        parts.push_back(UploadPart::stored(*bound.stored.scales, 1, std::move(scales)));
}

void WeightLoader::matrix(const std::string &stem, const std::vector<std::uint64_t> &shape,
                          WeightMatrix *field, const Form &form)
{
    const std::optional<Bound> bound = bindMatrix(stem, shape);
    if (!bound)
        return;
    field->rows = static_cast<std::uint32_t>(bound->stored.rows);
    field->columns = static_cast<std::uint32_t>(bound->stored.columns);
    if (form.formats == Formats::Plain && bound->stored.scales) {
        field->format = WeightFormat::F32;
        current().parts.push_back(
            UploadPart::expanded(bound->stored, [field](ByteRange range, PartRows) { field->data = range; }));
        return;
    }
    const WeightPart part = form.formats == Formats::Plain ? WeightPart::Other : form.part;
    field->format = target(*bound, part, field->columns % 32 == 0).value_or(bound->format);
    const bool whole = form.formats == Formats::Plain;
    addParts(
        stem, *bound, field->format, whole ? 1 : bound->stored.rows,
        [field, whole](ByteRange range, PartRows rows) {
            if (whole || rows.count == field->rows)
                field->data = range;
            else
                field->pieces.push_back(
                    {field->format, static_cast<std::uint32_t>(rows.count), field->columns, range, {}});
        },
        [field](ByteRange range, PartRows) { placeScales(*field, range); });
}

void WeightLoader::floats(const std::string &name, const std::vector<std::uint64_t> &shape, Tensor *field)
{
    const StoredTensor *tensor = requirePlain(name, shape);
    if (!tensor)
        return;
    const std::uint64_t rows = shape.size() > 1 ? shape[0] : 1;
    const std::uint64_t columns = product(shape, shape.size() > 1 ? 1 : 0);
    *field = {0, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), DType::F32};
    current().parts.push_back(
        UploadPart::expanded({tensor, nullptr, rows, columns},
                             [field](ByteRange range, PartRows) { field->address = range.address; }));
}

void WeightLoader::onHost(const std::string &name, const std::vector<std::uint64_t> &shape,
                          const StoredTensor **field)
{
    *field = requirePlain(name, shape);
    m_hostBytes += *field ? (*field)->bytes : 0;
}

void WeightLoader::experts(const std::string &prefix, ExpertTable *table)
{
    // Addresses of (expert, gate | gate scales | up | up scales | down | down scales), filled in as they are
    // placed.
    auto addresses = std::make_shared<std::vector<std::uint64_t>>(std::size_t{table->experts} * 6, 0);
    std::optional<WeightFormat> format;
    const auto place = [addresses, table](std::size_t slot) {
        return [addresses, table, slot](ByteRange range, PartRows) {
            (*addresses)[slot] = range.address;
            ByteRange &all = table->weights;
            const std::uint64_t end = std::max(all.address + all.bytes, range.address + range.bytes);
            all.address = all.bytes == 0 ? range.address : std::min(all.address, range.address);
            all.bytes = end - all.address;
        };
    };
    const bool wholeGroups = table->hidden % 32 == 0 && table->intermediate % 32 == 0;
    for (std::uint32_t expert = 0; expert < table->experts; ++expert) {
        constexpr const char *kNames[] = {".gate_proj", ".up_proj", ".down_proj"};
        for (std::size_t which = 0; which < 3; ++which) {
            const std::string stem = prefix + std::to_string(expert) + kNames[which];
            const std::vector<std::uint64_t> shape =
                which == 2 ? std::vector<std::uint64_t>{table->hidden, table->intermediate}
                           : std::vector<std::uint64_t>{table->intermediate, table->hidden};
            const std::optional<Bound> bound = bindMatrix(stem, shape);
            if (!bound)
                continue;
            const WeightFormat made =
                target(*bound, WeightPart::Experts, wholeGroups).value_or(bound->format);
            if (format && *format != made) {
                problem(bound->stored.data, "is stored as " + nameOf(bound->format) +
                                                ", but the experts before it in its layer as " +
                                                nameOf(*format) + "; one layer must have one format");
                continue;
            }
            format = made;
            const std::size_t slot = std::size_t{expert} * 6 + which * 2;
            addParts(stem, *bound, made, 1, place(slot), place(slot + 1));
        }
    }
    table->format = format.value_or(WeightFormat::F32);
    current().parts.push_back(UploadPart::made(
        std::uint64_t{table->experts} * 6 * sizeof(std::uint64_t),
        [addresses] {
            const auto bytes = std::as_bytes(std::span(*addresses));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        },
        [table](ByteRange range, PartRows) { table->table = range; }));
}

std::vector<const StoredTensor *> WeightLoader::unused() const
{
    std::vector<const StoredTensor *> result;
    for (const StoredTensor *tensor : m_checkpoint.tensors()) {
        if (!m_used.contains(tensor))
            result.push_back(tensor);
    }
    return result;
}

WeightBytes WeightLoader::bytes() const
{
    WeightBytes result;
    std::vector<std::uint64_t> allocations;
    for (const std::unique_ptr<Group> &group : m_groups) {
        allocations.push_back(group->bytes());
        if (group->isMovable())
            result.movable.push_back(group->bytes());
    }
    std::ranges::reverse(result.movable);
    result.device = bytesOfBlocks(allocations);
    result.onDisk = m_hostBytes;
    return result;
}

std::uint64_t WeightLoader::uploadBytes() const
{
    std::uint64_t bytes = 0;
    for (const std::unique_ptr<Group> &group : m_groups)
        bytes += group->bytes();
    return bytes;
}

Status WeightLoader::checkShapes(std::size_t most) const
{
    for (const ShapeClaim &claim : std::span(m_shapes).first(std::min(most, m_shapes.size()))) {
        const Result<std::vector<std::int64_t>> sizes = integersOf(*claim.tensor);
        if (!sizes)
            return sizes.error();
        const std::array<std::uint64_t, 2> expected{claim.rows, claim.columns};
        const std::array<std::uint64_t, 2> found{static_cast<std::uint64_t>(sizes->front()),
                                                 static_cast<std::uint64_t>(sizes->back())};
        if (found != expected)
            return Error{ErrorCode::Corrupt,
                         sentence(claim.tensor, "says " + shapeText(found) + ", but config.json makes it " +
                                                    shapeText(expected))};
    }
    return Done{};
}

Status WeightLoader::upload(Device &device, std::vector<std::unique_ptr<Buffer>> &buffers,
                            const LoadProgress &progress, std::stop_token stop, const UploadOptions &options)
{
    if (!m_problems.empty())
        return Error{ErrorCode::Corrupt, m_problems.front()};
    if (Status same = checkShapes(); !same)
        return same;
    if (!m_quantized.empty())
        m_crew = std::make_unique<WorkCrew>();
    m_keep = options.keep;
    std::size_t stay = 0; // of the movable ones, which come before those that move
    for (const std::unique_ptr<Group> &group : m_groups)
        stay += group->isMovable() ? 1 : 0;
    CHECK(options.onHost <= stay);
    stay -= options.onHost;
    Uploader uploader(device, uploadBytes(), progress, std::move(stop));
    for (const std::unique_ptr<Group> &group : m_groups) {
        MemoryKind kind = MemoryKind::Device;
        if (group->isMovable() && stay > 0)
            --stay;
        else if (group->isMovable())
            kind = MemoryKind::Host;
        if (Status done = uploader.upload(group->purpose, kind, group->parts, buffers); !done)
            return done;
    }
    return Done{};
}

} // namespace perilune
