// An index is refused with a sentence, or names plain files of its own folder, each once.
#include "engine/weights/shard_index.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

using namespace perilune;
using namespace perilune::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const MemoryFile bytes(Input(data, size).rest());
    const Result<ShardIndex> index = readShardIndex(bytes.path());
    if (!index) {
        requireSentence(index.error().message);
        return 0;
    }
    require(!index->fileOf.empty() && !index->files.empty(), "an index names something");
    require(std::is_sorted(index->files.begin(), index->files.end()), "files are in order");
    require(std::adjacent_find(index->files.begin(), index->files.end()) == index->files.end(),
            "each file comes once");
    for (const auto &[tensor, file] : index->fileOf)
        require(std::binary_search(index->files.begin(), index->files.end(), file), "each file is listed");
    for (const std::string &file : index->files)
        require(!file.empty() && file != "." && file != ".." && file.find('/') == std::string::npos &&
                    file.find('\0') == std::string::npos,
                "files lie in the index's folder");
    return 0;
}
