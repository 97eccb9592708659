#include "media/media_decoder.h"

#include "engine/base/check.h"
#include "engine/base/shortened.h"
#include "engine/base/shown_name.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace perilune {

namespace {

constexpr std::size_t kLongestName = 300; // in a sentence

class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    Descriptor(Descriptor &&other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
    Descriptor &operator=(Descriptor &&) = delete;
    ~Descriptor()
    {
        if (m_number >= 0)
            close(m_number);
    }
    int number() const { return m_number; }

private:
    int m_number;
};

const char *kindSentence(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return "is a folder, not a picture or clip";
    case S_IFIFO: return "is a pipe, not a file";
    case S_IFSOCK: return "is a socket, not a file";
    case S_IFCHR:
    case S_IFBLK: return "is a device, not a file";
    default: return "is no file that can be read";
    }
}

/// Conversations from elsewhere name pictures by URL, or hold them in one.
bool isUrl(std::string_view name)
{
    return name.find("://") != name.npos || name.starts_with("data:") || name.find("/data:") != name.npos;
}

Error cannotOpen(const std::string &name)
{
    if ((errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) && isUrl(name))
        return {ErrorCode::NotFound,
                shortened(name) + " is no file of this computer, and nothing is fetched"};
    if (errno == ENOENT || errno == ENOTDIR)
        return {ErrorCode::NotFound, shortened(name, kLongestName) + " does not exist"};
    if (errno == EACCES || errno == EPERM)
        return {ErrorCode::InvalidInput, name + " may not be read: there is no permission"};
    return {ErrorCode::InvalidInput, name + " can't be opened: " + std::generic_category().message(errno)};
}

/// A plain file that isn't empty. Looked at before it is opened, for opening a device may do something; and
/// again afterwards, for the name may mean something else by then.
Result<Descriptor> openPlainFile(const std::string &path, const std::string &name)
{
    if (path.empty())
        return Error{ErrorCode::InvalidInput, "a picture or clip names no file"};
    if (path.find('\0') != path.npos) // the system would look for what stands before it
        return Error{ErrorCode::InvalidInput,
                     name + " is no name of a file: there is a zero character in it"};
    struct stat found{};
    if (stat(path.c_str(), &found) != 0)
        return cannotOpen(name);
    if (!S_ISREG(found.st_mode))
        return Error{ErrorCode::InvalidInput, name + " " + kindSentence(found.st_mode)};
    Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.number() < 0 || fstat(file.number(), &found) != 0)
        return cannotOpen(name);
    if (!S_ISREG(found.st_mode))
        return Error{ErrorCode::InvalidInput, name + " " + kindSentence(found.st_mode)};
    if (found.st_size == 0)
        return Error{ErrorCode::InvalidInput, name + " is empty"};
    return file;
}

} // namespace

Result<MediaDecoder> MediaDecoder::open(const std::string &path, const Options &options,
                                        const Progress &progress, const std::stop_token &stop)
{
    MediaDecoder decoder;
    decoder.m_name = shownName(path);
    const auto file = openPlainFile(path, decoder.m_name);
    if (!file)
        return file.error();
    const std::string program = options.helperPath.empty() ? installedHelper() : options.helperPath;
    if (program.empty())
        return Error{ErrorCode::Io, "the decoder perilune-media is not installed beside this program"};
    auto helper = HelperProcess::start(program, file->number(), decoder.m_name);
    if (!helper)
        return std::move(helper).error();
    decoder.m_helper = *std::move(helper);

    const protocol::Request request{.as = options.as, .app = options.app, .maxPixels = kMaxPixels};
    if (auto sent = decoder.m_helper->send(protocol::Type::Request, pack(request)); !sent)
        return std::move(sent).error();
    if (auto described = decoder.readDescription(progress, stop); !described)
        return std::move(described).error();
    return decoder;
}

Status MediaDecoder::readDescription(const Progress &progress, const std::stop_token &stop)
{
    for (;;) {
        const auto message = m_helper->receive(stop);
        if (!message)
            return message.error();
        if (message->type == protocol::Type::Failure)
            return failure(message->payload);
        if (message->type != protocol::Type::Progress)
            return takeDescription(*message) ? Status(Done{}) : m_helper->nonsense();
        const auto fraction = protocol::unpackProgress(message->payload);
        if (!fraction)
            return m_helper->nonsense();
        if (progress)
            progress(*fraction);
    }
}

bool MediaDecoder::takeDescription(const HelperProcess::Message &message)
{
    const auto fits = [](const auto &what) { return std::uint64_t{what.width} * what.height <= kMaxPixels; };
    if (message.type == protocol::Type::PictureStart) {
        auto start = protocol::unpackPictureStart(message.payload);
        if (!start || !fits(*start))
            return false;
        m_what = *std::move(start);
        return true;
    }
    if (message.type == protocol::Type::ClipInfo) {
        auto info = protocol::unpackClipInfo(message.payload);
        if (!info || !fits(*info))
            return false;
        m_what = *std::move(info);
        return true;
    }
    return false;
}

Error MediaDecoder::failure(std::string_view payload) const
{
    const auto failure = protocol::unpackFailure(payload);
    return failure ? Error{failure->code, m_name + " " + failure->sentence} : m_helper->nonsense();
}

Status MediaDecoder::readRows(std::uint32_t width, std::uint32_t height, const Rows &rows,
                              const std::stop_token &stop)
{
    const std::size_t rowBytes = std::size_t{width} * 3;
    std::size_t missing = rowBytes * height;
    while (missing > 0) {
        const auto message = m_helper->receive(stop);
        if (!message)
            return message.error();
        if (message->type == protocol::Type::Failure)
            return failure(message->payload);
        if (message->type == protocol::Type::Progress)
            continue;
        const std::size_t bytes = message->payload.size();
        if (message->type != protocol::Type::Rows || bytes == 0 || bytes > missing || bytes % rowBytes != 0)
            return m_helper->nonsense();
        rows({reinterpret_cast<const std::uint8_t *>(message->payload.data()), bytes});
        missing -= bytes;
    }
    return Done{};
}

Status MediaDecoder::readPicture(const Rows &rows, const std::stop_token &stop)
{
    CHECK(picture());
    return readRows(picture()->width, picture()->height, rows, stop);
}

Status MediaDecoder::readFrames(const std::vector<std::uint32_t> &indices, const FrameStarts &frameStarts,
                                const Rows &rows, const Progress &progress, const std::stop_token &stop)
{
    CHECK(clip());
    if (auto sent = m_helper->send(protocol::Type::TakeFrames, pack(protocol::TakeFrames{indices})); !sent)
        return sent;
    auto expected = indices.begin();
    for (;;) {
        const auto message = m_helper->receive(stop);
        if (!message)
            return message.error();
        if (message->type == protocol::Type::FramesDone)
            return Done{};
        if (message->type == protocol::Type::Failure)
            return failure(message->payload);
        if (message->type == protocol::Type::Progress) {
            if (const auto fraction = protocol::unpackProgress(message->payload); fraction && progress)
                progress(*fraction);
            continue;
        }
        const auto start = protocol::unpackFrameStart(message->payload);
        if (message->type != protocol::Type::FrameStart || !start)
            return m_helper->nonsense();
        while (expected != indices.end() && *expected != start->index)
            ++expected;
        if (expected == indices.end())
            return m_helper->nonsense();
        ++expected;
        frameStarts(start->index);
        if (auto read = readRows(clip()->width, clip()->height, rows, stop); !read)
            return read;
    }
}

} // namespace perilune
