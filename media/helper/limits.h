#pragma once

namespace perilune::helper {

/// Takes away what a decoder doesn't need, before the first byte of the file is read: new privileges, core
/// dumps, writing files, opening more of them, and memory and time without end.
void applyLimits();

/// Clips may take longer than pictures; called once it is known that the file is one.
void allowClipTime();

} // namespace perilune::helper
