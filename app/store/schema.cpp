#include "app/store/schema.h"

#include "app/store/statement.h"

#include <system_error>

namespace perilune {

namespace {

/// VACUUM INTO beside the copy's name, then rename: a copy under its name is whole.
Status copyTo(Database &database, const std::filesystem::path &path)
{
    namespace fs = std::filesystem;
    std::error_code failed;
    if (fs::exists(path, failed))
        return Done{}; // made by an upgrade that failed later; it is the same
    const fs::path unfinished = path.string() + ".unfinished";
    fs::remove(unfinished, failed);
    Statement copy(database, "VACUUM INTO ?");
    copy.bind(unfinished.string());
    if (Status copied = copy.run(); !copied)
        return std::move(copied).error().during("copying the conversations to " + path.string() +
                                                " before the upgrade");
    fs::rename(unfinished, path, failed);
    if (failed)
        return Error{ErrorCode::Io, "naming " + path.string() + ": " + failed.message()};
    return Done{};
}

Status step(Database &database, std::string_view sql, int version)
{
    Result<Transaction> transaction = Transaction::begin(database);
    if (!transaction)
        return std::move(transaction).error();
    // Another program may have done the step while we waited for the lock.
    const Result<std::int64_t> found = database.integer("PRAGMA user_version");
    if (!found)
        return found.error();
    if (*found >= version)
        return Done{};
    if (Status ran = database.run(std::string(sql)); !ran)
        return ran;
    if (Status counted = database.run("PRAGMA user_version = " + std::to_string(version)); !counted)
        return counted;
    return transaction->commit();
}

} // namespace

int currentSchemaVersion()
{
    return static_cast<int>(migrations().size());
}

Status migrate(Database &database, std::span<const std::string_view> steps,
               const std::filesystem::path &copyPath)
{
    const Result<std::int64_t> found = database.integer("PRAGMA user_version");
    if (!found)
        return found.error();
    const auto newest = static_cast<std::int64_t>(steps.size());
    if (*found > newest)
        return Error{ErrorCode::Unsupported,
                     "the conversations were written by a newer version of Perilune (schema " +
                         std::to_string(*found) + ", this one knows " + std::to_string(newest) +
                         "), so they can only be read"};
    if (*found == newest)
        return Done{};

    if (*found > 0 && !copyPath.empty()) {
        if (Status copied = copyTo(database, copyPath); !copied)
            return copied;
    }
    for (std::int64_t next = *found; next < newest; ++next) {
        const int version = static_cast<int>(next) + 1;
        if (Status done = step(database, steps[static_cast<std::size_t>(next)], version); !done)
            return std::move(done).error().during("upgrading the conversations, step " +
                                                  std::to_string(version));
    }
    return Done{};
}

} // namespace perilune
