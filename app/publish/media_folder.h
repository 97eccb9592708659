#pragma once

#include "app/export/document.h"

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace perilune {

/// The folder beside a Markdown file that its pictures and clips go into, as they are. Until keep() is
/// called, destruction takes away what was put there.
class MediaFolder {
public:
    explicit MediaFolder(const std::filesystem::path &document);
    ~MediaFolder();
    MediaFolder(const MediaFolder &) = delete;
    MediaFolder &operator=(const MediaFolder &) = delete;

    /// Copies all media of the chat; gives the sentences about those that are missing.
    Result<std::vector<std::string>> copy(const ExportedChat &chat, const std::stop_token &stop);
    /// How the document names it; its name alone where its file is missing.
    std::string linkTo(const MediaPart &media) const;
    void keep() { m_made.clear(); }

private:
    Status copyOne(const MediaPart &media, const std::stop_token &stop);

    std::filesystem::path m_folder;
    std::map<std::string, std::string> m_names; ///< by the path of the store's file
    std::vector<std::filesystem::path> m_made;  ///< what is new, folders before what is in them
};

} // namespace perilune
