// tokenizer_bench FOLDER FILE REPETITIONS: encodes FILE with the tokenizer of a model folder and prints the
// seconds of each repetition, the number of ids and a sum of them. packaging/bench/tokenizer_bench.py
// compares.
#include "engine/text/text_file.h"
#include "engine/text/tokenizer.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

/// Of this thread on a processor, so that other programs on the machine matter little.
static double seconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "tokenizer_bench FOLDER FILE REPETITIONS\n");
        return 2;
    }
    const auto tokenizer = perilune::Tokenizer::load(argv[1], perilune::ChatFamily::K25);
    const auto text = perilune::readTextFile(argv[2], std::uint64_t{1} << 30);
    if (!tokenizer || !text) {
        std::fprintf(stderr, "%s\n", (tokenizer ? text.error() : tokenizer.error()).message.c_str());
        return 1;
    }
    for (int i = std::atoi(argv[3]); i > 0; --i) {
        const double start = seconds();
        const std::vector<perilune::TokenId> ids = tokenizer->encode(*text, false);
        const double taken = seconds() - start;
        std::uint64_t sum = 0;
        for (const perilune::TokenId id : ids)
            sum = sum * 31 + id;
        std::printf("%.6f %zu %llu\n", taken, ids.size(), static_cast<unsigned long long>(sum));
    }
    return 0;
}
