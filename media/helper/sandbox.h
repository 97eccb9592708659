#pragma once

#include "engine/base/result.h"

namespace perilune::helper {

// Two fences of system calls, by seccomp. What stands outside of one fails with a permission error: libraries
// that try, for example to read a setting, go on without.

/// From here on: memory, threads, the descriptors that are open, and reading files. No network, no other
/// program, no process, no writing of files. An error where the kernel can't do it.
Status fenceIn();

/// And from here on, when the libraries are loaded: no opening or looking up of any file, no new machine
/// code, no change of limits.
Status closeFence();

} // namespace perilune::helper
