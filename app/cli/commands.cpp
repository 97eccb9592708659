#include "app/cli/commands.h"

#include "app/cli/command_list.h"
#include "app/cli/number_checks.h"
#include "app/cli/standard_input.h"
#include "app/cli/terminal_text.h"
#include "app/places.h"
#include "engine/weights/quantize.h"

#include <CLI/CLI.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace perilune::cli {

namespace {

// Each command's file defines one of these; a new command is a line here and in CMakeLists.txt.
constexpr AddCommand kCommands[] = {
    addChatCommand,       addForwardCommand, addGenerateCommand,      addClassifyCommand,
    addInspectCommand,    addDevicesCommand, addBenchCommand,         addTokenizeCommand,
    addDetokenizeCommand, addRenderCommand,  addToolsCommand,         addParseCommand,
    addPromptCommand,     addMediaCommand,   addConversationsCommand, addCompareCommand,
};

std::stop_source &interruptSource()
{
    static std::stop_source source;
    return source;
}

std::atomic<bool> &nothingToKeep()
{
    static std::atomic<bool> nothing = false;
    return nothing;
}

/// Ctrl-C and SIGTERM become a stop request: the signals are blocked everywhere and one thread waits for
/// them, since a stop_source may not be touched in a signal handler. A second Ctrl-C ends the program at
/// once.
void watchSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    interruptSource();
    interruptDescriptor();
    std::thread([signals] {
        for (int seen = 0;; ++seen) {
            int signal = 0;
            sigwait(&signals, &signal);
            if (seen > 0 || nothingToKeep())
                _exit(kInterrupted);
            interruptSource().request_stop();
            const std::uint64_t one = 1;
            [[maybe_unused]] const ssize_t written = write(interruptDescriptor(), &one, sizeof one);
        }
    }).detach();
}

/// Where a standard stream is closed, the next file that is opened takes its number, and what is printed goes
/// into that file.
void fillStandardStreams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) < 0)
            (void)::open("/dev/null",
                         stream == STDERR_FILENO ? O_WRONLY : O_RDONLY); // the lowest free number
    }
}

/// A result that did not arrive is a failure: a full disk, a closed output.
int delivered(int status)
{
    std::cout.flush();
    if (status != kDone || std::cout)
        return status;
    return fail({errno == ENOSPC ? ErrorCode::NoSpace : ErrorCode::Io,
                 "the result can't be written to the standard output"});
}

} // namespace

void addCommonOptions(CLI::App &command, CommonOptions &options)
{
    const auto notNegative = [](const std::string &bytes) { // to the library -1 is 2^64 - 1
        return std::string(bytes.find('-') == std::string::npos ? "" : bytes + " is less than nothing");
    };
    command.add_flag("--json", options.json, "print one JSON object and nothing else");
    command.add_option("--device", options.device, "compute device: a part of its name, or its index")
        ->envname("PERILUNE_DEVICE");
    command.add_option("--model", options.model, "a Hugging Face model folder")->envname("PERILUNE_MODEL");
    command.add_option("--data", options.data, "where conversations live")->envname("PERILUNE_DATA");
    command.add_option("--family", options.family, "chat family, in place of what config.json says")
        ->check(CLI::IsMember({"k25", "k26", "k2", "k2_thinking", "kimi_vl", "moonlight"}));
    command
        .add_option(
            "--quantize", options.quantize,
            "what to quantize while loading: int4 or int8, or a list such as experts=int4,attention=int8 of "
            "experts, shared, dense, attention and head")
        ->check([](const std::string &choice) {
            const Result<QuantizeOptions> read = parseQuantizeOptions(choice);
            return read ? std::string() : read.error().message;
        });
    command.add_option("--budget", options.budget, "hard limit on device memory, with K, M or G")
        ->transform(CLI::AsSizeValue(false))
        ->check(notNegative);
    command.add_option("--host-budget", options.hostBudget, "hard limit on host memory, with K, M or G")
        ->transform(CLI::AsSizeValue(false))
        ->check(notNegative);
    command.add_option("--context", options.context, "context length in tokens")->check(wholeNumber());
}

int exitStatus(const Error &error)
{
    switch (error.code) {
    case ErrorCode::Cancelled: return kInterrupted;
    case ErrorCode::InvalidInput:
    case ErrorCode::NotFound:
    case ErrorCode::Corrupt:
    case ErrorCode::Unsupported: return kBadInput;
    case ErrorCode::OutOfMemory:
    case ErrorCode::NoSpace:
    case ErrorCode::NoDevice: return kNoResources;
    case ErrorCode::DeviceLost:
    case ErrorCode::Io:
    case ErrorCode::Network: return kFailed;
    }
    return kFailed;
}

int fail(const Error &error)
{
    std::cerr << "perilune-cli: " << forTerminal(error.message) << '\n';
    return exitStatus(error);
}

Error whyUnreadable(Error error, const std::string &path)
{
    if (access(path.c_str(), R_OK) != 0 && errno == EACCES)
        return {ErrorCode::InvalidInput, path + " may not be read: there is no permission"};
    return error;
}

std::stop_token interrupted()
{
    return interruptSource().get_token();
}

void endAtSignal()
{
    nothingToKeep() = true;
    if (interrupted().stop_requested()) // it came before
        _exit(kInterrupted);
}

int interruptDescriptor()
{
    static const int descriptor = eventfd(0, EFD_CLOEXEC);
    return descriptor;
}

Result<std::string> readStandardInput()
{
    StandardInput input;
    std::string text = input.rest();
    if (interrupted().stop_requested())
        return Error{ErrorCode::Cancelled, "stopped"};
    if (Status whole = input.whole(); !whole)
        return std::move(whole).error();
    return text;
}

Result<std::string> modelFolder(const CommonOptions &options)
{
    if (!options.model.empty())
        return options.model;
    if (const std::filesystem::path demo = places::demoModel(); !demo.empty())
        return demo.string();
    return Error{ErrorCode::NotFound, "the demo model is not installed; name a model folder with --model"};
}

std::string dataFolder(const CommonOptions &options)
{
    return options.data.empty() ? places::dataFolder().string() : options.data;
}

int runCommandLine(int argc, char **argv)
{
    fillStandardStreams();
    watchSignals();
    CLI::App app{"Perilune: chat with Kimi models on your own computer, in the terminal.", "perilune-cli"};
    app.set_version_flag("--version", "perilune-cli " PERILUNE_VERSION);
    app.require_subcommand(1);

    Run run;
    for (const AddCommand add : kCommands)
        add(app, run);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        std::ostringstream said;
        const bool asked = app.exit(error, std::cout, said) == 0;
        std::cerr << terminalText(said.str()); // it quotes what was typed, which a terminal would obey
        return delivered(asked ? kDone : kUsage);
    }
    try {
        return delivered(run ? run() : kUsage);
    } catch (const std::bad_alloc &) {
        return fail({ErrorCode::OutOfMemory, "main memory is full"});
    } catch (const std::exception &error) {
        return fail({ErrorCode::Io, std::string("an internal fault: ") + error.what()});
    }
}

} // namespace perilune::cli
