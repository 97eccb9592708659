#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace perilune::protocol {

// What the main program and perilune-media say to each other over two pipes. One helper serves one file,
// which it gets open as descriptor kFileDescriptor. The main program trusts no byte that comes back: every
// message has a length that is checked against a bound before anything is read, and every field is checked
// while it is unpacked.
//
//   main → helper   Request
//   helper → main   Progress*, then Failure, or PictureStart and Rows until all rows are there, or ClipInfo
//   main → helper   after ClipInfo: TakeFrames, as often as wanted
//   helper → main   for each of them Progress*, FrameStart and Rows for each frame there is, and FramesDone

constexpr std::uint32_t kVersion = 1;
constexpr int kFileDescriptor = 3;
constexpr std::uint32_t kMaxPayload = 64u << 20; // bytes; the times of four million frames fit
constexpr std::uint32_t kRowsPayload = 1u << 20; // about as many bytes of rows go into one message

enum class Type : std::uint32_t {
    Request = 1,
    Failure,
    Progress,
    PictureStart,
    Rows,
    ClipInfo,
    TakeFrames,
    FrameStart,
    FramesDone,
};

struct Header {
    Type type{};
    std::uint32_t bytes = 0; ///< of the payload that follows
};

enum class As : std::uint8_t { Auto, Image, Video };

struct Request {
    std::uint32_t version = kVersion;
    As as = As::Auto;
    bool app = true;             ///< orientation, profile and transparency as people see them
    std::uint64_t maxPixels = 0; ///< of a picture or frame; more is refused
};

struct Failure {
    ErrorCode code = ErrorCode::Corrupt;
    std::string sentence; ///< goes on after the file's name: "is cut off"
};

/// The sentence of a Failure (InvalidInput) where a file is nothing that is read here.
inline constexpr std::string_view kNoMedia = "is neither a picture nor a clip that can be read";

/// (height, width, 3) bytes in Rows messages follow, each with whole rows.
struct PictureStart {
    std::uint32_t width = 0, height = 0;
    std::vector<std::string> notes;
};

struct ClipInfo {
    std::uint32_t width = 0, height = 0;               ///< of the frames as they come, upright
    std::uint32_t displayWidth = 0, displayHeight = 0; ///< with the shape of their pixels taken into account
    double fps = 0;                                    ///< average, of the container
    double endSeconds = 0;                             ///< when the last frame disappears, from the first one
    bool animation = false;                            ///< a picture format that moves
    std::vector<double>
        times; ///< when each frame is shown, in display order, from the first one; never empty
    std::vector<std::string> notes;
};

struct TakeFrames {
    std::vector<std::uint32_t> indices; ///< rising
};

/// (height, width, 3) bytes of one frame follow in Rows messages.
struct FrameStart {
    std::uint32_t index = 0;
};

/// Puts fields one after another, as they are in memory: both ends are the same build on the same machine.
class Packer {
public:
    template <typename T>
        requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void add(T value)
    {
        m_bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    void add(const std::string &text)
    {
        add(static_cast<std::uint32_t>(text.size()));
        m_bytes += text;
    }
    template <typename T>
    void add(const std::vector<T> &values)
    {
        add(static_cast<std::uint32_t>(values.size()));
        for (const T &value : values)
            add(value);
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

/// Takes fields out again. After the first that isn't there, all are zero and ok() is false.
class Unpacker {
public:
    explicit Unpacker(std::string_view bytes) : m_bytes(bytes) {}

    template <typename T>
        requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void get(T &value)
    {
        value = T{};
        if (m_bytes.size() < sizeof value) {
            m_ok = false;
            return;
        }
        m_bytes.copy(reinterpret_cast<char *>(&value), sizeof value);
        m_bytes.remove_prefix(sizeof value);
    }
    void get(bool &value)
    {
        std::uint8_t byte = 0;
        get(byte);
        value = byte != 0;
        m_ok = m_ok && byte <= 1;
    }
    void get(std::string &text)
    {
        std::uint32_t size = 0;
        get(size);
        m_ok = m_ok && size <= m_bytes.size();
        text.assign(m_bytes.substr(0, m_ok ? size : 0));
        m_bytes.remove_prefix(text.size());
    }
    template <typename T>
    void get(std::vector<T> &values)
    {
        std::uint32_t count = 0;
        get(count);
        values.clear();
        for (std::uint32_t i = 0; i < count && m_ok; ++i)
            get(values.emplace_back());
    }
    /// Whether every field was there and nothing is left.
    bool complete() const { return m_ok && m_bytes.empty(); }

private:
    std::string_view m_bytes;
    bool m_ok = true;
};

std::string pack(const Request &message);
std::string pack(const Failure &message);
std::string pack(const PictureStart &message);
std::string pack(const ClipInfo &message);
std::string pack(const TakeFrames &message);
std::string pack(const FrameStart &message);
std::string packProgress(double fraction);

// None where a field is missing, left over or out of its range.
std::optional<Request> unpackRequest(std::string_view bytes);
std::optional<Failure> unpackFailure(std::string_view bytes);
std::optional<PictureStart> unpackPictureStart(std::string_view bytes);
std::optional<ClipInfo> unpackClipInfo(std::string_view bytes);
std::optional<TakeFrames> unpackTakeFrames(std::string_view bytes);
std::optional<FrameStart> unpackFrameStart(std::string_view bytes);
std::optional<double> unpackProgress(std::string_view bytes);

} // namespace perilune::protocol
