#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace CLI {
class App;
}

namespace perilune::cli {

/// Exit statuses of the contract.
enum Exit : int {
    kDone = 0,
    kFailed = 1,
    kUsage = 2,
    kBadInput = 3,
    kNoResources = 4,
    kInterrupted = 130,
};

/// The options that every command takes, at any place after its name.
struct CommonOptions {
    bool json = false;
    std::string device;   ///< --device, PERILUNE_DEVICE
    std::string model;    ///< --model, PERILUNE_MODEL; the demo model where neither is given
    std::string data;     ///< --data, PERILUNE_DATA; the platform's data folder where neither is given
    std::string family;   ///< --family; empty to let config.json decide
    std::string quantize; ///< --quantize
    std::uint64_t budget = 0, hostBudget = 0; ///< bytes, 0 for none
    std::uint32_t context = 0;                ///< tokens, 0 for the model's own or what fits
};

/// Adds the options above to `command`.
void addCommonOptions(CLI::App &command, CommonOptions &options);

/// The exit status for a failure.
int exitStatus(const Error &error);

/// Prints "perilune-cli: MESSAGE" as one line to stderr and returns the exit status.
int fail(const Error &error);

/// `error` of reading the file `path`, which the person named: InvalidInput where it may not be read.
Error whyUnreadable(Error error, const std::string &path);

/// Set by Ctrl-C (SIGINT) and SIGTERM once main has installed it; commands stop cleanly and keep what they
/// have.
std::stop_token interrupted();

/// From now on such a signal ends the program at once: for commands that keep nothing and only print.
void endAtSignal();

/// Becomes readable when that happens, for poll(); nobody reads it.
int interruptDescriptor();

/// The whole of standard input; Cancelled where the person interrupts.
Result<std::string> readStandardInput();

/// The Hugging Face folder to use: as given, or the demo model beside the program or in the source tree.
Result<std::string> modelFolder(const CommonOptions &options);

/// Where conversations live: as given, or $XDG_DATA_HOME/perilune, or ~/.local/share/perilune.
std::string dataFolder(const CommonOptions &options);

/// A command adds itself to `app`; where it is called, `run` is set to what gives the exit status.
using Run = std::function<int()>;
using AddCommand = void (*)(CLI::App &app, Run &run);

} // namespace perilune::cli
