// A safetensors file is refused with a sentence, or its tensors fill the data part and can all be touched.
#include "engine/weights/safetensors.h"
#include "tests/fuzz/fuzz.h"

using namespace perilune;
using namespace perilune::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const MemoryFile bytes(Input(data, size).rest());
    const auto file = SafetensorsFile::open(bytes.path());
    if (!file) {
        requireSentence(file.error().message);
        return 0;
    }
    std::size_t touched = 0;
    unsigned sum = 0;
    for (const StoredTensor &tensor : (*file)->tensors()) {
        require((*file)->find(tensor.name) == &tensor, "each name is there once");
        require(tensor.bytes == tensor.elements() * bytesOf(tensor.type), "the bytes are the elements");
        touched += tensor.bytes;
        const auto read = bytesOf(tensor);
        require(read.has_value(), "what lies in the file can be read");
        for (const std::byte one : *read)
            sum += static_cast<unsigned>(one);
        require(!shapeText(tensor.shape).empty(), "every shape has a text");
        (void)floatsOf(tensor).has_value();
        (void)integersOf(tensor).has_value();
    }
    require(touched + 8 <= size && sum <= touched * 255, "the tensors lie in the file");
    return 0;
}
