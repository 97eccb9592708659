#include "media/helper/limits.h"

#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace perilune::helper {

namespace {

// A picture of 210 million pixels takes 840 MB as RGBA, 1.7 GB with 16-bit samples, besides the file itself;
// the libraries alone map about half a gigabyte.
constexpr rlim_t kMemory = rlim_t{5} << 30;
constexpr rlim_t kPictureSeconds = 60,
                 kClipSeconds = rlim_t{4} * 3600; // of processor time, all threads together
constexpr rlim_t kHardSeconds =
    kClipSeconds + 60; // beyond the soft limit, so that its signal tells what it was
constexpr rlim_t kOpenFiles = 64;

void limit(__rlimit_resource what, rlim_t soft, rlim_t hard)
{
    const rlimit both{soft, hard};
    setrlimit(what, &both);
}

} // namespace

void applyLimits()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // never outlives the program that asks
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_FSIZE, 0, 0);
    limit(RLIMIT_NOFILE, kOpenFiles, kOpenFiles);
    limit(RLIMIT_CPU, kPictureSeconds, kHardSeconds);
#if !defined(__SANITIZE_ADDRESS__) // whose shadow is larger than any memory
    limit(RLIMIT_AS, kMemory, kMemory);
#endif
    // The libraries' complaints about broken files are not for people.
    if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
}

void allowClipTime()
{
    limit(RLIMIT_CPU, kClipSeconds, kHardSeconds);
}

} // namespace perilune::helper
