#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace perilune {

/// Called after each medium with how many are done; what it answers (Cancelled, say) ends the work.
using BackupStep = std::function<Status(std::uint64_t done, std::uint64_t all)>;

/// What a backup holds, as its `manifest.json` says:
///
/// `{"format":"perilune-backup","version":1,"created_ms":n,"conversations":n,"messages":n,
///   "database":{"sha256":s,"bytes":n},"media":[{"sha256":s,"bytes":n}…]}`
struct BackupReport {
    std::uint64_t conversations = 0, messages = 0, media = 0;
    std::uint64_t bytes = 0; ///< of database and media
    /// Media that are missing or damaged, a sentence each; all else is there.
    std::vector<std::string> faults{};
};

/// Puts a backup (ConversationStore::backup) into `folder`, where no conversations may be yet; then that is a
/// store like any other. The database is checked against the manifest first: Corrupt where it is another.
/// Stopped or failed, the folder has no conversations, as before.
Result<BackupReport> restoreBackup(const std::filesystem::path &backup, const std::filesystem::path &folder,
                                   const BackupStep &step = {});

} // namespace perilune
