#include "engine/weights/checkpoint.h"

#include "engine/weights/shard_index.h"

#include <algorithm>
#include <filesystem>

namespace perilune {

namespace fs = std::filesystem;

namespace {

constexpr const char *kSingle = "model.safetensors";
constexpr const char *kIndex = "model.safetensors.index.json";

/// Either lists the sentence or makes it the error.
Status report(std::vector<std::string> *problems, Error error)
{
    if (!problems)
        return error;
    problems->push_back(std::move(error.message));
    return Done{};
}

/// Files that look like shards and hold tensors, but that the index doesn't name.
void nameStrayShards(const std::string &folder, const ShardIndex &index, std::vector<std::string> &problems)
{
    std::error_code ignored;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("model-") || !name.ends_with(".safetensors") ||
            std::ranges::binary_search(index.files, name))
            continue;
        const auto file = SafetensorsFile::open(entry.path().string());
        if (!file || !(*file)->tensors().empty())
            problems.push_back(name +
                               " lies in the folder, but the index names no tensor in it; it is not read");
    }
}

} // namespace

Result<Checkpoint> Checkpoint::open(const std::string &folder, std::vector<std::string> *problems)
{
    Checkpoint checkpoint;
    checkpoint.m_folder = folder;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return Error{ErrorCode::NotFound, folder + " is not a folder"};
    const std::string single = (fs::path(folder) / kSingle).string();
    const std::string indexPath = (fs::path(folder) / kIndex).string();
    if (fs::exists(single, ignored)) {
        if (Status added = checkpoint.addShard(single); !added)
            return std::move(added).error();
        if (problems && fs::exists(indexPath, ignored))
            checkpoint.compareUnread(indexPath, *problems);
        return checkpoint;
    }
    if (!fs::exists(indexPath, ignored))
        return Error{ErrorCode::NotFound,
                     folder + " has no weights: neither " + kSingle + " nor " + kIndex + " is there"};

    Result<ShardIndex> index = readShardIndex(indexPath);
    if (!index)
        return std::move(index).error();
    for (const std::string &file : index->files) {
        const std::string path = (fs::path(folder) / file).string();
        Status added = fs::exists(path, ignored)
                           ? checkpoint.addShard(path)
                           : Error{ErrorCode::NotFound, "the index names the shard " + file + ", but " +
                                                            folder + " has no such file"};
        if (!added) {
            checkpoint.m_broken = true;
            if (Status reported = report(problems, std::move(added).error()); !reported)
                return std::move(reported).error();
        }
    }
    if (Status compared = checkpoint.compare(*index, problems); !compared)
        return std::move(compared).error();
    if (problems)
        nameStrayShards(folder, *index, *problems);
    return checkpoint;
}

Status Checkpoint::addShard(const std::string &path)
{
    auto opened = SafetensorsFile::open(path);
    if (!opened)
        return std::move(opened).error();
    m_files.push_back(*std::move(opened));
    for (const StoredTensor &tensor : m_files.back()->tensors()) {
        if (!m_byName.emplace(tensor.name, Place{&tensor, m_files.size() - 1}).second)
            return Error{ErrorCode::Corrupt, "tensor " + tensor.name + " stands both in " + fileOf(tensor) +
                                                 " and in " + fs::path(path).filename().string()};
        m_tensors.push_back(&tensor);
    }
    return Done{};
}

void Checkpoint::compareUnread(const std::string &indexPath, std::vector<std::string> &problems) const
{
    const Result<ShardIndex> index = readShardIndex(indexPath);
    if (!index) {
        problems.push_back(index.error().message);
        return;
    }
    std::size_t strangers = 0;
    std::string first;
    for (const auto &[name, file] : index->fileOf) {
        if (file == kSingle && find(name))
            continue;
        if (strangers++ == 0)
            first = name + " in " + file;
    }
    if (strangers > 0)
        problems.push_back("there are both " + std::string(kSingle) +
                           ", which is read, and an index, which is not: it "
                           "places " +
                           std::to_string(strangers) + " tensors elsewhere, such as " + first);
}

Status Checkpoint::compare(const ShardIndex &index, std::vector<std::string> *problems) const
{
    std::uint64_t bytes = 0;
    for (const StoredTensor *tensor : m_tensors)
        bytes += tensor->bytes;
    for (const auto &[name, file] : index.fileOf) {
        const StoredTensor *tensor = find(name);
        std::string sentence;
        if (!tensor)
            sentence = "the index places tensor " + name + " in " + file + ", but no shard has it";
        else if (fileOf(*tensor) != file)
            sentence =
                "the index places tensor " + name + " in " + file + ", but it stands in " + fileOf(*tensor);
        if (sentence.empty())
            continue;
        if (Status reported = report(problems, {ErrorCode::Corrupt, std::move(sentence)}); !reported)
            return reported;
    }
    if (!problems)
        return Done{};
    // Harmless while loading, worth knowing when looking for a fault.
    for (const StoredTensor *tensor : m_tensors) {
        if (!index.fileOf.contains(tensor->name))
            problems->push_back("tensor " + tensor->name + " stands in " + fileOf(*tensor) +
                                ", but the index lacks it");
    }
    if (index.totalSize && *index.totalSize != bytes)
        problems->push_back("the index gives the tensors " + std::to_string(*index.totalSize) +
                            " bytes in all, but they have " + std::to_string(bytes));
    return Done{};
}

const StoredTensor *Checkpoint::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : found->second.tensor;
}

std::string Checkpoint::fileOf(const StoredTensor &tensor) const
{
    const auto found = m_byName.find(tensor.name);
    CHECK(found != m_byName.end());
    return fs::path(m_files[found->second.file]->path()).filename().string();
}

} // namespace perilune
