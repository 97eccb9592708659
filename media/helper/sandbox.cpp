#include "media/helper/sandbox.h"

#include <seccomp.h>

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <span>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace perilune::helper {

namespace {

struct ReleaseFilter {
    void operator()(void *filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, ReleaseFilter>;

/// What decoders and the C library need, whatever the arguments.
constexpr int kHarmless[] = {
    // the open file and the pipes
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(preadv), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(close), SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(fadvise64),
    // memory
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    // threads and their ends
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(getpid),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(exit), SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    // time, chance, and what kind of machine this is
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(uname), SCMP_SYS(sysinfo),
    SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getrusage),
    // the second fence
    SCMP_SYS(seccomp)};

/// What loading a library needs besides; closeFence() takes it away.
constexpr int kLookups[] = {
    SCMP_SYS(access),     SCMP_SYS(faccessat),  SCMP_SYS(faccessat2), SCMP_SYS(stat),
    SCMP_SYS(lstat),      SCMP_SYS(newfstatat), SCMP_SYS(statx),      SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getcwd),     SCMP_SYS(getdents64), SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),    SCMP_SYS(prlimit64),  SCMP_SYS(getrlimit),  SCMP_SYS(setrlimit)};

bool add(const Filter &filter, std::uint32_t action, std::span<const int> calls)
{
    bool good = true;
    for (const int call : calls) {
        const int result = seccomp_rule_add(filter.get(), action, call, 0);
        good = good && (result == 0 || result == -EDOM); // a call that this processor's kernel doesn't have
    }
    return good;
}

bool add(const Filter &filter, std::uint32_t action, int call, scmp_arg_cmp condition)
{
    return seccomp_rule_add_array(filter.get(), action, call, 1, &condition) == 0;
}

/// Condition: of argument `number`, the bits in `mask` are `value`.
scmp_arg_cmp bits(unsigned number, scmp_datum_t mask, scmp_datum_t value)
{
    return {number, SCMP_CMP_MASKED_EQ, mask, value};
}

bool addWithConditions(const Filter &filter)
{
    constexpr scmp_datum_t kChanges = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    const auto self = static_cast<scmp_datum_t>(getpid());
    bool good = add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), bits(2, kChanges, O_RDONLY));
    // A thread of ours, but no process. Of clone3 the filter can't see the flags: glibc falls back to clone.
    good &= add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), bits(0, CLONE_THREAD, CLONE_THREAD));
    good &= seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    good &= add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), {0, SCMP_CMP_EQ, self, 0}); // abort()
    good &= add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), {0, SCMP_CMP_EQ, PR_SET_NAME, 0});
    for (const int question : {F_GETFD, F_SETFD, F_GETFL})
        good &= add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl),
                    {1, SCMP_CMP_EQ, static_cast<scmp_datum_t>(question), 0});
    return good;
}

Error noFence()
{
    return {ErrorCode::Unsupported, "can't be read safely: this system has no system call filters (seccomp)"};
}

/// Puts the filter up. That there are no new privileges is settled already, and the first filter forbids to
/// ask.
bool load(const Filter &filter)
{
    return seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 0) == 0 && seccomp_load(filter.get()) == 0;
}

} // namespace

Status fenceIn()
{
    const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
    const bool good = filter && add(filter, SCMP_ACT_ALLOW, kHarmless) &&
                      add(filter, SCMP_ACT_ALLOW, kLookups) && addWithConditions(filter);
    if (!good || !load(filter))
        return noFence();
    return Done{};
}

Status closeFence()
{
    const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
    bool good = filter && add(filter, SCMP_ACT_ERRNO(EACCES), kLookups);
    constexpr int kOpen[] = {SCMP_SYS(openat)};
    good = good && add(filter, SCMP_ACT_ERRNO(EACCES), kOpen);
    for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)})
        good = good && add(filter, SCMP_ACT_ERRNO(EACCES), call, bits(2, PROT_EXEC, PROT_EXEC));
    if (!good || !load(filter))
        return noFence();
    return Done{};
}

} // namespace perilune::helper
