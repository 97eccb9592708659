// For packaging/bench/media_bench.py: prepare_timer PREPROCESSOR_CONFIG FILE
// Turns the file into patches in memory, as the programs do, and prints how many.
#include "media/prepare.h"

#include <iostream>

using namespace perilune;

int main(int count, char **values)
{
    if (count != 3) {
        std::cout << "prepare_timer PREPROCESSOR_CONFIG FILE\n";
        return 2;
    }
    const auto config = readMediaConfig(values[1]);
    const auto prepared = config ? prepare(values[2], *config, {}) : Result<Prepared>(config.error());
    if (!prepared) {
        std::cout << prepared.error().message << '\n';
        return 1;
    }
    std::cout << prepared->patches->pixelValues.size() / 588 << '\n';
    return 0;
}
