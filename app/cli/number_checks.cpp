#include "app/cli/number_checks.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace perilune::cli {

namespace {

std::optional<double> finite(const std::string &text)
{
    double number = 0;
    if (!CLI::detail::lexical_cast(text, number) || !std::isfinite(number))
        return std::nullopt;
    return number;
}

} // namespace

CLI::Validator numberFrom(double least, double most)
{
    const auto check = [least, most](const std::string &text) {
        const std::optional<double> number = finite(text);
        if (number && *number >= least && *number <= most)
            return std::string();
        std::ostringstream said;
        said << '\'' << text << "' is not a number from " << least << " to " << most;
        return said.str();
    };
    return {check, "NUMBER"};
}

CLI::Validator wholeNumber()
{
    const auto check = [](const std::string &text) {
        std::uint64_t number = 0;
        const char *end = text.data() + text.size();
        const auto [stop, fault] = std::from_chars(text.data(), end, number);
        const bool octal = text.size() > 1 && text.starts_with('0');
        return fault == std::errc() && stop == end && !octal
                   ? std::string()
                   : '\'' + text + "' is not a whole number from 0 to " +
                         std::to_string(std::numeric_limits<std::uint64_t>::max());
    };
    return {check, "NUMBER"};
}

CLI::Validator timeInClip()
{
    const auto check = [](const std::string &text) {
        const std::optional<double> seconds = finite(text);
        return seconds && *seconds >= 0 ? std::string()
                                        : '\'' + text + "' is not a number of seconds from 0 on";
    };
    return {check, "SECONDS"};
}

} // namespace perilune::cli
