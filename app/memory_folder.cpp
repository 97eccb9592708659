#include "app/memory_folder.h"

#include <cstdlib>
#include <fcntl.h>
#include <linux/magic.h>
#include <string>
#include <sys/file.h>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>

namespace perilune {

namespace fs = std::filesystem;

namespace {

constexpr const char *kPrefix = "perilune-";

bool liesInMemory(const char *folder)
{
    struct statfs about = {};
    return ::statfs(folder, &about) == 0 && (about.f_type == TMPFS_MAGIC || about.f_type == RAMFS_MAGIC);
}

/// A lock on `folder` that the kernel lets go of however the program ends; -1 where another has it.
int locked(const fs::path &folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        ::close(descriptor);
        return -1;
    }
    return descriptor;
}

/// Removes what programs left that did not come to their end.
void sweep(const fs::path &place)
{
    std::error_code failed;
    fs::directory_iterator entry(place, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        if (!entry->path().filename().string().starts_with(kPrefix))
            continue;
        const int lock = locked(entry->path());
        if (lock < 0)
            continue;
        std::error_code ignored;
        fs::remove_all(entry->path(), ignored);
        ::close(lock);
    }
}

} // namespace

MemoryFolder::MemoryFolder()
{
    // The programs never change their environment, so that reading it is safe on any thread.
    const char *runtime = std::getenv("XDG_RUNTIME_DIR"); // NOLINT(concurrency-mt-unsafe)
    for (const char *place : {runtime, "/dev/shm"}) {
        if (!place || *place != '/' || !liesInMemory(place))
            continue;
        sweep(place);
        std::string name = std::string(place) + '/' + kPrefix + "XXXXXX";
        if (!::mkdtemp(name.data())) // nobody else may look into it
            continue;
        m_lock = locked(name);
        if (std::error_code ignored; m_lock >= 0 && fs::exists(name, ignored)) { // else another swept it away
            m_path = name;
            return;
        }
    }
}

MemoryFolder::~MemoryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
    if (m_lock >= 0)
        ::close(m_lock);
}

} // namespace perilune
