#pragma once

namespace perilune::cli {

/// Parses the command line of `perilune-cli`, runs the command, and returns the exit status.
int runCommandLine(int argc, char **argv);

} // namespace perilune::cli
