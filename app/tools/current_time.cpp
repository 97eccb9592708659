#include "app/tools/current_time.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

namespace perilune {

namespace {

/// Minutes of "+05:30"; none where `text` is no such offset.
std::optional<int> minutesOf(std::string_view text)
{
    const auto digit = [&](std::size_t at) {
        return text[at] >= '0' && text[at] <= '9' ? text[at] - '0' : 1000;
    };
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':')
        return std::nullopt;
    const int hours = 10 * digit(1) + digit(2), minutes = 10 * digit(4) + digit(5);
    if (hours > 14 || minutes > 59)
        return std::nullopt;
    return (text[0] == '-' ? -1 : 1) * (60 * hours + minutes);
}

std::string described(std::int64_t utc, int offsetMinutes)
{
    using namespace std::chrono;
    const sys_seconds moment{seconds(utc + std::int64_t{60} * offsetMinutes)};
    const sys_days day = floor<days>(moment);
    const year_month_day date(day);
    const hh_mm_ss time(moment - day);
    static constexpr std::array<const char *, 7> names{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
    std::array<char, 96> text{};
    const int size = offsetMinutes < 0 ? -offsetMinutes : offsetMinutes;
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d UTC%c%02d:%02d, %s",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()),
                  offsetMinutes < 0 ? '-' : '+', size / 60, size % 60, names[weekday(day).c_encoding()]);
    return text.data();
}

} // namespace

CurrentTime::CurrentTime(std::function<std::int64_t()> now) : m_now(std::move(now))
{
    if (!m_now)
        m_now = [] { return static_cast<std::int64_t>(std::time(nullptr)); };
}

std::string CurrentTime::description() const
{
    return "Get the current date, time and day of the week where the person is.";
}

std::string CurrentTime::parametersJson() const
{
    return R"({"type":"object","properties":{"utc_offset":{"type":"string",)"
           R"("description":"For another place: its offset from UTC, for example +05:30"}},)"
           R"("additionalProperties":false})";
}

Result<ToolResult> CurrentTime::run(const JsonValue &arguments, const ToolContext &,
                                    const std::stop_token &) const
{
    const std::int64_t utc = m_now();
    const auto seconds = static_cast<std::time_t>(utc);
    std::tm local{};
    if (!::localtime_r(&seconds, &local))
        return Error{ErrorCode::Io, "the clock shows no time that there is"};
    auto offset = static_cast<int>(local.tm_gmtoff / 60);
    if (const JsonValue *wanted = arguments.find("utc_offset")) {
        const std::optional<int> minutes = minutesOf(wanted->text);
        if (!minutes)
            return Error{ErrorCode::InvalidInput,
                         "utc_offset is written as +HH:MM or -HH:MM, up to 14 hours, not \"" + wanted->text +
                             "\""};
        offset = *minutes;
    }
    return ToolResult{TextPart{described(utc, offset)}};
}

} // namespace perilune
