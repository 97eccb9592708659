#pragma once

#include <chrono>
#include <functional>

namespace perilune {

/// Runs a job on the thread that owns the caller's state (in the window: the GUI thread, by
/// QTimer::singleShot on an object that lives there; elsewhere: JobQueue). May be called from any thread;
/// returns at once; jobs of equal delay keep their order.
using Post = std::function<void(std::function<void()> job, std::chrono::milliseconds delay)>;

} // namespace perilune
