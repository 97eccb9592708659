#pragma once

#include "app/store/conversation_store.h"

#include <filesystem>
#include <string>
#include <vector>

namespace perilune {

struct ImportedFile {
    ConversationId id = 0;
    std::string title;
    std::string note; ///< what could not be done besides (a tag, a folder), a sentence; often empty
};

/// Adds what an export as JSON wrote (app/export/json.h): all of it, or nothing. Errors name the file.
Result<ImportedFile> importFile(ConversationStore &store, const std::filesystem::path &file);

/// The files, and the JSON files of the folders, that were named.
std::vector<std::string> importableFiles(const std::vector<std::string> &named);

} // namespace perilune
