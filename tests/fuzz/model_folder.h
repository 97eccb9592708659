#pragma once

#include "engine/text/tokenizer.h"
#include "tests/fuzz/fuzz.h"

#include <filesystem>

namespace perilune::fuzz {

/// The tokenizer of the test vocabulary, read once for each family.
inline const Tokenizer &tokenizerOf(ChatFamily family)
{
    static const std::array<Tokenizer, 6> all = [] {
        namespace fs = std::filesystem;
        const fs::path folder = fs::temp_directory_path() / ("perilune-fuzz-" + std::to_string(getpid()));
        fs::create_directories(folder);
        fs::copy_file(TEST_DATA_DIR "/text/tokenizer/vocab_a.tiktoken", folder / "tiktoken.model",
                      fs::copy_options::overwrite_existing);
        const auto load = [&](ChatFamily one) {
            Result<Tokenizer> tokenizer = Tokenizer::load(folder.string(), one);
            require(tokenizer.has_value(), "the test vocabulary can be read");
            return *std::move(tokenizer);
        };
        std::array<Tokenizer, 6> made = {load(ChatFamily::K25),    load(ChatFamily::K26),
                                         load(ChatFamily::K2),     load(ChatFamily::K2Thinking),
                                         load(ChatFamily::KimiVl), load(ChatFamily::Moonlight)};
        fs::remove_all(folder);
        return made;
    }();
    return all[static_cast<std::size_t>(family)];
}

} // namespace perilune::fuzz
