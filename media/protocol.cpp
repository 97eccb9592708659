#include "media/protocol.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace perilune::protocol {

namespace {

constexpr std::uint32_t kLongestSide = 1u << 20;
constexpr std::size_t kMostNotes = 16, kLongestText = 2000;

// The fields of each message in their order on the wire, for packing and unpacking alike.
auto fields(auto &m)
    requires requires { m.maxPixels; }
{
    return std::tie(m.version, m.as, m.app, m.maxPixels);
}
auto fields(auto &m)
    requires requires { m.sentence; }
{
    return std::tie(m.code, m.sentence);
}
auto fields(auto &m)
    requires requires { m.notes; } && (!requires { m.times; })
{
    return std::tie(m.width, m.height, m.notes);
}
auto fields(auto &m)
    requires requires { m.times; }
{
    return std::tie(m.width, m.height, m.displayWidth, m.displayHeight, m.fps, m.endSeconds, m.animation,
                    m.times, m.notes);
}
auto fields(auto &m)
    requires requires { m.indices; }
{
    return std::tie(m.indices);
}
auto fields(auto &m)
    requires requires { m.index; }
{
    return std::tie(m.index);
}

template <typename T>
std::string packed(const T &message)
{
    Packer packer;
    std::apply([&](const auto &...field) { (packer.add(field), ...); }, fields(message));
    return packer.take();
}

template <typename T>
std::optional<T> unpacked(std::string_view bytes)
{
    T message;
    Unpacker unpacker(bytes);
    std::apply([&](auto &...field) { (unpacker.get(field), ...); }, fields(message));
    if (!unpacker.complete())
        return std::nullopt;
    return message;
}

bool goodSize(std::uint32_t width, std::uint32_t height)
{
    return width > 0 && height > 0 && width <= kLongestSide && height <= kLongestSide;
}

/// Text from the helper is shown to people: bounded, and without what moves a terminal's cursor.
bool goodText(const std::string &text)
{
    return text.size() <= kLongestText &&
           std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

bool goodNotes(const std::vector<std::string> &notes)
{
    return notes.size() <= kMostNotes && std::all_of(notes.begin(), notes.end(), goodText);
}

} // namespace

std::string pack(const Request &message)
{
    return packed(message);
}
std::string pack(const Failure &message)
{
    return packed(message);
}
std::string pack(const PictureStart &message)
{
    return packed(message);
}
std::string pack(const ClipInfo &message)
{
    return packed(message);
}
std::string pack(const TakeFrames &message)
{
    return packed(message);
}
std::string pack(const FrameStart &message)
{
    return packed(message);
}

std::string packProgress(double fraction)
{
    Packer packer;
    packer.add(fraction);
    return packer.take();
}

std::optional<Request> unpackRequest(std::string_view bytes)
{
    auto message = unpacked<Request>(bytes);
    if (message && (message->version != kVersion || message->as > As::Video))
        return std::nullopt;
    return message;
}

std::optional<Failure> unpackFailure(std::string_view bytes)
{
    auto message = unpacked<Failure>(bytes);
    if (message && (message->code > ErrorCode::NoDevice || !goodText(message->sentence)))
        return std::nullopt;
    return message;
}

std::optional<PictureStart> unpackPictureStart(std::string_view bytes)
{
    auto message = unpacked<PictureStart>(bytes);
    if (message && (!goodSize(message->width, message->height) || !goodNotes(message->notes)))
        return std::nullopt;
    return message;
}

std::optional<ClipInfo> unpackClipInfo(std::string_view bytes)
{
    auto message = unpacked<ClipInfo>(bytes);
    if (!message)
        return std::nullopt;
    const auto &times = message->times;
    const bool good =
        goodSize(message->width, message->height) &&
        goodSize(message->displayWidth, message->displayHeight) && goodNotes(message->notes) &&
        std::isfinite(message->fps) && message->fps > 0 && std::isfinite(message->endSeconds) &&
        !times.empty() && times.front() >= 0 && std::is_sorted(times.begin(), times.end()) &&
        std::all_of(times.begin(), times.end(), [](double time) { return std::isfinite(time); });
    return good ? std::move(message) : std::nullopt;
}

std::optional<TakeFrames> unpackTakeFrames(std::string_view bytes)
{
    auto message = unpacked<TakeFrames>(bytes);
    if (message && !std::is_sorted(message->indices.begin(), message->indices.end()))
        return std::nullopt;
    return message;
}

std::optional<FrameStart> unpackFrameStart(std::string_view bytes)
{
    return unpacked<FrameStart>(bytes);
}

std::optional<double> unpackProgress(std::string_view bytes)
{
    Unpacker unpacker(bytes);
    double fraction = 0;
    unpacker.get(fraction);
    if (!unpacker.complete() || !(fraction >= 0 && fraction <= 1))
        return std::nullopt;
    return fraction;
}

} // namespace perilune::protocol
