#pragma once

#include <CLI/CLI.hpp>

namespace perilune::cli {

/// A number from `least` to `most`. CLI11's own Range lets "nan" pass, which is neither below nor above.
CLI::Validator numberFrom(double least, double most);

/// A whole number from 0 to 2^64 - 1. CLI11's own conversion takes "-1" and what is too large for 2^64 - 1,
/// and "010" for 8.
CLI::Validator wholeNumber();

/// A time in a clip, in seconds from 0 on.
CLI::Validator timeInClip();

} // namespace perilune::cli
