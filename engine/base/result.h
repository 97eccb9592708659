#pragma once

#include "engine/base/check.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace perilune {

/// What went wrong, in the terms a caller can act on. Keep this list closed and short:
/// a new code is worth adding only when some caller would branch on it.
enum class ErrorCode {
    Cancelled,    ///< The user asked us to stop. Never shown as a failure.
    InvalidInput, ///< The caller's data is outside what we accept (bad file, bad setting).
    NotFound,     ///< A named thing (file, tensor, conversation) is absent.
    Corrupt,      ///< The thing exists, but its bytes contradict its own description.
    Unsupported,  ///< Well formed, but this build or device can't do it.
    OutOfMemory,  ///< Host or device memory ran out; a smaller request may succeed.
    DeviceLost,   ///< The GPU went away; the engine must be reopened.
    Io,           ///< The operating system refused a read or write.
    Network,      ///< A remote server couldn't be reached or answered badly.
    NoSpace,      ///< The disk is full; nothing was written.
    NoDevice,     ///< No compute device can run the engine, or none has the asked-for name.
};

struct Error {
    ErrorCode code = ErrorCode::Io;
    std::string message; ///< One sentence for a person: what, where, expected, found.

    /// Prefixes the sentence with what the caller was doing: "loading shard 3: …".
    [[nodiscard]] Error during(std::string_view what) &&
    {
        message.insert(0, std::string(what) + ": ");
        return std::move(*this);
    }
};

/// A value or the reason there is none. Member names follow std::expected, so that it can
/// take this type's place when the oldest compiler we support has it.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_value(std::move(value)) {}
    Result(Error error) : m_error(std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return m_value.has_value(); }
    explicit operator bool() const noexcept { return has_value(); }

    [[nodiscard]] T &operator*() &
    {
        CHECK(m_value.has_value());
        return *m_value;
    }
    [[nodiscard]] const T &operator*() const &
    {
        CHECK(m_value.has_value());
        return *m_value;
    }
    [[nodiscard]] T &&operator*() &&
    {
        CHECK(m_value.has_value());
        return *std::move(m_value);
    }
    [[nodiscard]] T *operator->() { return &**this; }
    [[nodiscard]] const T *operator->() const { return &**this; }

    [[nodiscard]] Error &error() &
    {
        CHECK(!has_value());
        return m_error;
    }
    [[nodiscard]] const Error &error() const &
    {
        CHECK(!has_value());
        return m_error;
    }
    [[nodiscard]] Error &&error() &&
    {
        CHECK(!has_value());
        return std::move(m_error);
    }

private:
    std::optional<T> m_value;
    Error m_error{}; // meaningful only where there is no value
};

/// For functions that return nothing on success: `return Done{};`.
struct Done {};
using Status = Result<Done>;

} // namespace perilune
