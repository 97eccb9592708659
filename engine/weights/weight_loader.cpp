#include "engine/weights/weight_loader.h"

#include "engine/weights/upload.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

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

std::string nameOf(WeightFormat format)
{
    constexpr const char *kNames[] = {"F32", "F16", "BF16", "int4", "FP8"};
    return kNames[static_cast<std::size_t>(format)];
}

} // namespace

struct WeightLoader::Group {
    std::string purpose;
    std::vector<UploadPart> parts;
};

WeightLoader::WeightLoader(const Checkpoint &checkpoint) : m_checkpoint(checkpoint) {}
WeightLoader::~WeightLoader() = default;

void WeightLoader::group(std::string purpose)
{
    m_groups.push_back(std::make_unique<Group>());
    m_groups.back()->purpose = std::move(purpose);
}

WeightLoader::Group &WeightLoader::current()
{
    if (m_groups.empty())
        group("the weights");
    return *m_groups.back();
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
        problem(name + " is " + shapeText(tensor->shape) + ", but config.json makes it " + shapeText(shape));
        return nullptr;
    }
    return tensor;
}

const StoredTensor *WeightLoader::requirePlain(const std::string &name,
                                               const std::vector<std::uint64_t> &shape)
{
    const StoredTensor *tensor = require(name, shape);
    if (tensor && !isPlain(tensor->type)) {
        problem(name + " is " + std::string(perilune::nameOf(tensor->type)) +
                ", but F32, F16 or BF16 is expected");
        return nullptr;
    }
    return tensor;
}

std::optional<WeightLoader::Bound> WeightLoader::bindInt4(const std::string &stem, std::uint64_t rows,
                                                          std::uint64_t columns)
{
    const std::string packed = stem + ".weight_packed";
    if (columns % 32 != 0) {
        problem(packed + ": its " + std::to_string(columns) + " columns can't be split into groups of 32");
        return {};
    }
    const StoredTensor *data = require(packed, {rows, columns / 8});
    const StoredTensor *scales = require(stem + ".weight_scale", {rows, columns / 32});
    if (const StoredTensor *shape = m_checkpoint.find(stem + ".weight_shape")) {
        m_used.insert(shape);
        const bool integers = shape->type == StoredType::I32 || shape->type == StoredType::I64;
        if (!integers || shape->elements() != 2)
            problem(shape->name + " is " + std::string(perilune::nameOf(shape->type)) + " " +
                    shapeText(shape->shape) + ", but two numbers of I32 or I64 are expected");
        else
            m_shapes.push_back({shape, rows, columns});
    } else {
        problem("tensor " + stem + ".weight_shape is missing, though " + packed + " is there");
    }
    if (!data || !scales)
        return {};
    if (data->type != StoredType::I32)
        problem(packed + " is " + std::string(perilune::nameOf(data->type)) + ", but I32 is expected");
    if (scales->type != StoredType::BF16)
        problem(scales->name + " is " + std::string(perilune::nameOf(scales->type)) +
                ", but BF16 is expected");
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
        problem(scales->name + " is " + std::string(perilune::nameOf(scales->type)) +
                ", but F32 is expected");
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

void WeightLoader::matrix(const std::string &stem, const std::vector<std::uint64_t> &shape,
                          WeightMatrix *field, Formats formats)
{
    const std::optional<Bound> bound = bindMatrix(stem, shape);
    if (!bound)
        return;
    const bool expand = formats == Formats::Plain && bound->stored.scales;
    field->format = expand ? WeightFormat::F32 : bound->format;
    field->rows = static_cast<std::uint32_t>(bound->stored.rows);
    field->columns = static_cast<std::uint32_t>(bound->stored.columns);
    std::vector<UploadPart> &parts = current().parts;
    if (expand) {
        parts.push_back(
            UploadPart::expanded(bound->stored, [field](ByteRange range) { field->data = range; }));
        return;
    }
    parts.push_back(
        UploadPart::raw(bound->stored.data->data, [field](ByteRange range) { field->data = range; }));
    if (bound->stored.scales)
        parts.push_back(
            UploadPart::raw(bound->stored.scales->data, [field](ByteRange range) { field->scales = range; }));
}

void WeightLoader::floats(const std::string &name, const std::vector<std::uint64_t> &shape, Tensor *field)
{
    const StoredTensor *tensor = requirePlain(name, shape);
    if (!tensor)
        return;
    const std::uint64_t rows = shape.size() > 1 ? shape[0] : 1;
    const std::uint64_t columns = product(shape, shape.size() > 1 ? 1 : 0);
    *field = {0, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), DType::F32};
    current().parts.push_back(UploadPart::expanded(
        {tensor, nullptr, rows, columns}, [field](ByteRange range) { field->address = range.address; }));
}

void WeightLoader::onHost(const std::string &name, const std::vector<std::uint64_t> &shape,
                          const StoredTensor **field)
{
    *field = requirePlain(name, shape);
    m_mappedBytes += *field ? (*field)->data.size() : 0;
}

void WeightLoader::experts(const std::string &prefix, ExpertTable *table)
{
    // Addresses of (expert, gate | gate scales | up | up scales | down | down scales), filled in as they are
    // placed.
    auto addresses = std::make_shared<std::vector<std::uint64_t>>(std::size_t{table->experts} * 6, 0);
    std::optional<WeightFormat> format;
    const auto place = [addresses, table](std::size_t slot) {
        return [addresses, table, slot](ByteRange range) {
            (*addresses)[slot] = range.address;
            ByteRange &all = table->weights;
            const std::uint64_t end = std::max(all.address + all.bytes, range.address + range.bytes);
            all.address = all.bytes == 0 ? range.address : std::min(all.address, range.address);
            all.bytes = end - all.address;
        };
    };
    std::vector<UploadPart> &parts = current().parts;
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
            if (format && *format != bound->format) {
                problem(stem + " is stored as " + nameOf(bound->format) +
                        ", but the experts before it in its layer as " + nameOf(*format) +
                        "; one layer must have one format");
                continue;
            }
            format = bound->format;
            const std::size_t slot = std::size_t{expert} * 6 + which * 2;
            parts.push_back(UploadPart::raw(bound->stored.data->data, place(slot)));
            if (bound->stored.scales)
                parts.push_back(UploadPart::raw(bound->stored.scales->data, place(slot + 1)));
        }
    }
    table->format = format.value_or(WeightFormat::F32);
    parts.push_back(UploadPart::made(
        std::uint64_t{table->experts} * 6 * sizeof(std::uint64_t),
        [addresses] { return std::as_bytes(std::span(*addresses)); },
        [table](ByteRange range) { table->table = range; }));
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

std::uint64_t WeightLoader::deviceBytes() const
{
    std::uint64_t bytes = 0;
    for (const std::unique_ptr<Group> &group : m_groups) {
        for (const UploadPart &part : group->parts)
            bytes += alignedForUpload(part.bytes());
    }
    return bytes;
}

Status WeightLoader::checkShapes() const
{
    for (const ShapeClaim &claim : m_shapes) {
        const Result<std::vector<std::int64_t>> sizes = integersOf(*claim.tensor);
        CHECK(sizes.has_value() && sizes->size() == 2);
        const std::array<std::uint64_t, 2> expected{claim.rows, claim.columns};
        const std::array<std::uint64_t, 2> found{static_cast<std::uint64_t>(sizes->front()),
                                                 static_cast<std::uint64_t>(sizes->back())};
        if (found != expected)
            return Error{ErrorCode::Corrupt, claim.tensor->name + " says " + shapeText(found) +
                                                 ", but config.json makes it " + shapeText(expected)};
    }
    return Done{};
}

Status WeightLoader::upload(Device &device, std::vector<std::unique_ptr<Buffer>> &buffers,
                            const LoadProgress &progress, std::stop_token stop)
{
    if (!m_problems.empty())
        return Error{ErrorCode::Corrupt, m_problems.front()};
    if (Status same = checkShapes(); !same)
        return same;
    Uploader uploader(device, deviceBytes(), progress, std::move(stop));
    for (const std::unique_ptr<Group> &group : m_groups) {
        if (Status done = uploader.upload(group->purpose, group->parts, buffers); !done)
            return done;
    }
    return Done{};
}

} // namespace perilune
