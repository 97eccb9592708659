// For packaging/bench/resample_bench.py: resample_timer IN WIDTH HEIGHT NEW-WIDTH NEW-HEIGHT OUT
// IN holds RGB bytes. Resizes them once for each line on standard input, prints the milliseconds that it
// took, and at the end writes what came out to OUT.
#include "media/resample.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

using namespace perilune;

int main(int count, char **values)
{
    if (count != 7) {
        std::cout << "resample_timer IN WIDTH HEIGHT NEW-WIDTH NEW-HEIGHT OUT\n";
        return 2;
    }
    const auto number = [&](int place) {
        return static_cast<std::uint32_t>(std::strtoul(values[place], nullptr, 10));
    };
    Picture picture{.width = number(2), .height = number(3), .rgb = {}};
    picture.rgb.resize(std::size_t{picture.width} * picture.height * 3);
    std::ifstream in(values[1], std::ios::binary);
    if (!in.read(reinterpret_cast<char *>(picture.rgb.data()),
                 static_cast<std::streamsize>(picture.rgb.size()))) {
        std::cout << "resample_timer: too few bytes\n";
        return 1;
    }
    Picture made;
    for (std::string line; std::getline(std::cin, line);) {
        const auto start = std::chrono::steady_clock::now();
        made = resize(picture, number(4), number(5));
        std::cout
            << std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count()
            << '\n'
            << std::flush;
    }
    std::ofstream(values[6], std::ios::binary)
        .write(reinterpret_cast<const char *>(made.rgb.data()),
               static_cast<std::streamsize>(made.rgb.size()));
    return 0;
}
