#include "app/publish/import_file.h"

#include "app/export/json.h"
#include "engine/base/read_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace perilune {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLongestFile = std::uint64_t{4} << 30; // bytes; it is held in memory

bool isBlank(const std::string &name)
{
    return name.find_first_not_of(" \t\r\n") == std::string::npos;
}

} // namespace

Result<ImportedFile> importFile(ConversationStore &store, const fs::path &file)
{
    Result<std::string> text = readFile(file.string(), kLongestFile);
    if (!text)
        return std::move(text).error();
    Result<ImportedConversation> read = fromJson(*text);
    if (!read)
        return std::move(read).error().during(file.string());
    text = std::string(); // as large as all media together
    for (const ImportedConversation::Media &media : read->media) {
        if (const auto kept = store.blobs().addBytes(media.bytes); !kept)
            return Error(kept.error()).during(file.string());
    }
    for (StoredMessage &message : read->tree) {
        for (Part &part : message.message.parts) {
            if (auto *media = std::get_if<MediaPart>(&part))
                media->path = store.blobs().pathOf(media->path).string();
        }
    }
    ImportedFile imported{.id = 0, .title = read->title, .note = {}};
    if (std::erase_if(read->tags, isBlank) > 0)
        imported.note = file.string() + " is imported, but for tags without a name";
    if (isBlank(read->folder))
        read->folder.clear();
    const ConversationStore::ImportPlace place{std::move(read->folder), std::move(read->tags), read->pinned,
                                               read->archived};
    const Result<ConversationId> id =
        store.import(read->title, read->systemPrompt, read->tree, read->tip, place);
    if (!id)
        return Error(id.error()).during(file.string());
    imported.id = *id;
    return imported;
}

std::vector<std::string> importableFiles(const std::vector<std::string> &named)
{
    std::vector<std::string> files;
    for (const std::string &name : named) {
        std::error_code failed;
        if (!fs::is_directory(name, failed)) {
            files.push_back(name);
            continue;
        }
        std::vector<std::string> found;
        fs::directory_iterator entry(name, failed);
        for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
            if (entry->path().extension() == ".json")
                found.push_back(entry->path().string());
        }
        if (failed)
            found.push_back(name); // reading it says why it can't be read
        std::ranges::sort(found);
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

} // namespace perilune
