// ConversationStore: a copy of everything in another folder.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <system_error>

namespace perilune {

namespace fs = std::filesystem;

Status ConversationStore::backup(const fs::path &folder)
{
    std::error_code failed;
    if (fs::exists(folder / "conversations.db", failed))
        return Error{ErrorCode::InvalidInput,
                     "there are conversations in " + folder.string() + " already; name another folder"};
    fs::create_directories(folder, failed);
    if (failed)
        return Error{ErrorCode::Io, "making the folder " + folder.string() + ": " + failed.message()};

    // Media first: a file too many does no harm, and the database that names them comes last, whole or not at
    // all.
    const BlobFolder copies(folder / "media");
    Statement media(m_database, "SELECT sha256 FROM media");
    while (media.row()) {
        const fs::path file = m_blobs.pathOf(media.text(0));
        if (!fs::exists(file, failed))
            continue; // missing here already: the words are worth keeping all the same
        if (Result<BlobFolder::Blob> copied = copies.add(file); !copied)
            return std::move(copied).error().during("copying media to " + folder.string());
    }
    if (Status read = media.status(); !read)
        return std::move(read).error().during("copying media");

    const fs::path unfinished = folder / "conversations.db.unfinished";
    fs::remove(unfinished, failed);
    Statement copy(m_database, "VACUUM INTO ?");
    copy.bind(unfinished.string());
    if (Status copied = copy.run(); !copied)
        return std::move(copied).error().during("copying the conversations to " + folder.string());
    fs::rename(unfinished, folder / "conversations.db", failed);
    if (failed)
        return Error{ErrorCode::Io, "naming the copy in " + folder.string() + ": " + failed.message()};
    return Done{};
}

} // namespace perilune
