#pragma once

#include "app/store/database.h"

#include <filesystem>
#include <span>
#include <string_view>

namespace perilune {

/// The steps from an empty database to the current one, oldest first: the files of migrations/.
std::span<const std::string_view> migrations();

/// The schema that this build reads and writes: how many steps there are.
int currentSchemaVersion();

/// Brings `database` to the last of `steps`, one transaction a step. A failed step leaves the database at the
/// version before it and names itself. A database from a newer build is ErrorCode::Unsupported and stays
/// untouched.
///
/// Before an older database is changed, it is copied to `copyPath` (empty: no copy), as it was.
Status migrate(Database &database, std::span<const std::string_view> steps,
               const std::filesystem::path &copyPath);

} // namespace perilune
