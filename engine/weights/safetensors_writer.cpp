#include "engine/weights/safetensors_writer.h"

#include <cstdio>
#include <filesystem>
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

    // A file under its name is whole. A device or a pipe is written as it is: a rename would replace it.
    std::error_code ignored;
    const bool replaces =
        !std::filesystem::exists(path, ignored) || std::filesystem::is_regular_file(path, ignored);
    const std::string partial = replaces ? path + ".partial" : path;
    std::FILE *file = std::fopen(partial.c_str(), "wb");
    if (!file)
        return Error{ErrorCode::Io, path + " can't be written"};
    bool good = std::fwrite(&length, sizeof length, 1, file) == 1 &&
                std::fwrite(text.data(), 1, length, file) == length;
    for (const Entry &entry : m_entries)
        good = good && std::fwrite(entry.bytes.data(), 1, entry.bytes.size(), file) == entry.bytes.size();
    good = std::fclose(file) == 0 && good;
    if (!good || (replaces && std::rename(partial.c_str(), path.c_str()) != 0)) {
        if (replaces)
            std::remove(partial.c_str());
        return Error{ErrorCode::Io, path + " can't be written: the disk is full or refuses"};
    }
    return Done{};
}

} // namespace perilune
