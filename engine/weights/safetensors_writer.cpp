#include "engine/weights/safetensors_writer.h"

#include <nlohmann/json.hpp>

namespace perilune {

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape, std::span<const float> values)
{
    addBytes(std::move(name), StoredType::F32, std::move(shape), std::as_bytes(values));
}

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape,
                            std::span<const std::int64_t> values)
{
    addBytes(std::move(name), StoredType::I64, std::move(shape), std::as_bytes(values));
}

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape,
                            std::span<const std::uint8_t> values)
{
    addBytes(std::move(name), StoredType::U8, std::move(shape), std::as_bytes(values));
}

void SafetensorsWriter::addBytes(std::string name, StoredType type, std::vector<std::uint64_t> shape,
                                 std::span<const std::byte> bytes)
{
    std::uint64_t expected = bytesOf(type);
    for (const std::uint64_t size : shape)
        expected *= size;
    CHECK(expected == bytes.size());
    m_entries.push_back({
        std::move(name), type, std::move(shape), {bytes.begin(), bytes.end()}
    });
}

Status SafetensorsWriter::write(const std::string &path) const
{
    auto file = OutputFile::create(path);
    if (!file)
        return std::move(file).error();
    return write(*std::move(file));
}

Status SafetensorsWriter::write(OutputFile file) const
{
    auto header = nlohmann::ordered_json::object();
    std::uint64_t offset = 0;
    for (const Entry &entry : m_entries) {
        header[entry.name] = {
            {"dtype",        nameOf(entry.type)                   },
            {"shape",        entry.shape                          },
            {"data_offsets", {offset, offset + entry.bytes.size()}}
        };
        offset += entry.bytes.size();
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' '); // so that the data starts aligned
    const std::uint64_t length = text.size();

    if (Status written = file.write({reinterpret_cast<const char *>(&length), sizeof length}); !written)
        return written;
    if (Status written = file.write(text); !written)
        return written;
    for (const Entry &entry : m_entries) {
        if (Status written =
                file.write({reinterpret_cast<const char *>(entry.bytes.data()), entry.bytes.size()});
            !written)
            return written;
    }
    return file.commit();
}

} // namespace perilune
