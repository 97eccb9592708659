#include "app/publish/media_folder.h"

#include "app/publish/file_name.h"
#include "engine/base/output_file.h"

#include <array>
#include <fstream>
#include <ranges>
#include <system_error>
#include <unistd.h>

namespace perilune {

namespace fs = std::filesystem;

namespace {

/// "sky.png" and the file "ba7816bf…" are "sky-ba7816bf.png": so another picture of that name keeps its own.
std::string copyName(const MediaPart &media)
{
    const fs::path name = safeFileName(nameOf(media));
    const std::string sha256 = fs::path(media.path).filename().string();
    return name.stem().string() + "-" + sha256.substr(0, 8) + name.extension().string();
}

} // namespace

MediaFolder::MediaFolder(const fs::path &document)
    : m_folder(document.parent_path() / (document.stem().string() + "_media"))
{
}

MediaFolder::~MediaFolder()
{
    std::error_code ignored;
    for (const fs::path &made : m_made | std::views::reverse)
        fs::remove(made, ignored);
}

std::string MediaFolder::linkTo(const MediaPart &media) const
{
    const auto found = m_names.find(media.path);
    return found == m_names.end() ? nameOf(media) : m_folder.filename().string() + "/" + found->second;
}

Result<std::vector<std::string>> MediaFolder::copy(const ExportedChat &chat, const std::stop_token &stop)
{
    std::vector<std::string> notes;
    for (const StoredMessage &message : chat.tree) {
        for (const Part &part : message.message.parts) {
            const auto *media = std::get_if<MediaPart>(&part);
            if (!media || m_names.contains(media->path))
                continue;
            std::error_code failed;
            if (!fs::exists(media->path, failed)) {
                notes.push_back("the file of " + nameOf(*media) + " is missing");
                continue;
            }
            if (!fs::is_regular_file(media->path, failed) || ::access(media->path.c_str(), R_OK) != 0) {
                notes.push_back("the file of " + nameOf(*media) + " can't be read");
                continue;
            }
            if (Status copied = copyOne(*media, stop); !copied)
                return std::move(copied).error();
        }
    }
    return notes;
}

Status MediaFolder::copyOne(const MediaPart &media, const std::stop_token &stop)
{
    std::error_code failed;
    if (fs::create_directory(m_folder, failed))
        m_made.push_back(m_folder);
    const std::string name = copyName(media);
    const fs::path place = m_folder / name;
    const bool there = fs::exists(place, failed);
    if (!there || fs::file_size(place, failed) != fs::file_size(media.path, failed)) {
        Result<OutputFile> out = OutputFile::create(place);
        if (!out)
            return std::move(out).error();
        std::ifstream in(media.path, std::ios::binary);
        std::array<char, 1 << 16> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init)
        while (in.read(buffer.data(), buffer.size()), in.gcount() > 0) {
            if (stop.stop_requested())
                return Error{ErrorCode::Cancelled, "the export was stopped"};
            if (Status written = out->write({buffer.data(), static_cast<std::size_t>(in.gcount())}); !written)
                return written;
        }
        if (!in.eof())
            return Error{ErrorCode::Io, "the file of " + nameOf(media) + " can't be read"};
        if (Status done = out->commit(); !done)
            return done;
        if (!there)
            m_made.push_back(place);
    }
    m_names[media.path] = name;
    return Done{};
}

} // namespace perilune
