#include "app/tools/read_file.h"

#include "engine/text/utf8.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t kMostBytes = 16 << 20; // of a text; far more than a result may have

/// The picture or clip called `name` that the person attached last; null where there is none.
const MediaPart *attached(const ToolContext &context, std::string_view name)
{
    for (auto message = context.messages.rbegin(); message != context.messages.rend(); ++message) {
        for (const Part &part : message->parts) {
            const auto *media = std::get_if<MediaPart>(&part);
            if (media && message->role == Role::User && media->name == name)
                return media;
        }
    }
    return nullptr;
}

bool namedByPerson(const ToolContext &context, std::string_view path,
                   const std::function<bool(const std::string &)> &exists)
{
    for (const Message &message : context.messages) {
        for (const Part &part : message.parts) {
            const auto *words = std::get_if<TextPart>(&part);
            if (words && message.role == Role::User && namesFile(words->text, path, exists))
                return true;
        }
    }
    return false;
}

Error unreadable(const std::string &name, const std::string &why)
{
    return {ErrorCode::InvalidInput, name + ": " + why};
}

struct Descriptor {
    explicit Descriptor(int of) : value(of) {}
    ~Descriptor()
    {
        if (value >= 0)
            ::close(value);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int value;
};

/// The bytes of a regular file. Never waits: pipes and devices are refused.
Result<std::string> bytesOf(const std::filesystem::path &path, const std::string &name,
                            const std::stop_token &stop)
{
    const auto systemSays = [] { return std::error_code(errno, std::generic_category()).message(); };
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (file.value < 0)
        return unreadable(name, systemSays());
    struct stat about{};
    if (::fstat(file.value, &about) != 0)
        return unreadable(name, systemSays());
    if (!S_ISREG(about.st_mode))
        return unreadable(name, "is not a file that can be read");
    if (about.st_size > static_cast<off_t>(kMostBytes))
        return unreadable(name, "is larger than 16 MiB");
    std::string bytes;
    std::array<char, 65536> piece{};
    while (!stop.stop_requested()) {
        const ssize_t count = ::read(file.value, piece.data(), piece.size());
        if (count < 0)
            return unreadable(name, systemSays());
        if (count == 0)
            break;
        bytes.append(piece.data(), static_cast<std::size_t>(count));
        if (bytes.size() > kMostBytes) // it grew meanwhile
            return unreadable(name, "is larger than 16 MiB");
    }
    return bytes;
}

} // namespace

ReadFile::ReadFile(Places places) : m_places(std::move(places)) {}

std::string ReadFile::description() const
{
    return "Read a text file or a picture that the person named.";
}

std::string ReadFile::parametersJson() const
{
    return R"({"type":"object","properties":{"path":{"type":"string","minLength":1,"maxLength":4096,)"
           R"("description":"File path"}},)"
           R"("required":["path"],"additionalProperties":false})";
}

std::filesystem::path ReadFile::placeOf(std::string_view name) const
{
    return name.starts_with("~/") ? m_places.home / name.substr(2) : m_places.base / name;
}

Result<ToolResult> ReadFile::picture(const std::filesystem::path &path, const std::string &name,
                                     const ToolContext &context, const std::stop_token &stop) const
{
    if (!m_places.canBeShown)
        return unreadable(name, "is not a text file in UTF-8");
    if (!context.seesPictures)
        return unreadable(name, "is not a text file in UTF-8, and this model can't see pictures");
    if (const Status shown = m_places.canBeShown(path.string(), stop); !shown)
        return unreadable(name, "is neither a text file in UTF-8 nor a picture that can be read (" +
                                    shown.error().message + ")");
    return ToolResult{
        MediaPart{MediaPart::Kind::Image, path.string(), path.filename().string(), nullptr}
    };
}

Result<ToolResult> ReadFile::run(const JsonValue &arguments, const ToolContext &context,
                                 const std::stop_token &stop) const
{
    const std::string &name = arguments.find("path")->text;
    if (const MediaPart *media = attached(context, name)) {
        if (media->kind == MediaPart::Kind::Video)
            return unreadable(name, "is a clip; only text files and pictures can be read");
        if (!context.seesPictures)
            return unreadable(name, "is a picture, and this model can't see pictures");
        return ToolResult{*media};
    }
    std::error_code ignored;
    const auto exists = [&](const std::string &longer) {
        return std::filesystem::exists(placeOf(longer), ignored);
    };
    if (name.find('\0') != std::string::npos || !namedByPerson(context, name, exists))
        return unreadable(name,
                          "the person has not named this file in this conversation; only files that they "
                          "named, exactly as they wrote them, can be read");
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::absolute(placeOf(name), failed);
    if (failed)
        return unreadable(name, failed.message());
    Result<std::string> bytes = bytesOf(path, name, stop);
    if (!bytes)
        return std::move(bytes).error();
    if (bytes->find('\0') != std::string::npos || !isValidUtf8(*bytes))
        return picture(path, name, context, stop);
    return ToolResult{TextPart{*std::move(bytes)}};
}

} // namespace perilune
