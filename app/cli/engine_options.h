#pragma once

#include "app/cli/command.h"
#include "engine/session/opened_model.h"

#include <functional>
#include <string>

namespace perilune::cli {

/// Adds --activations f16|f32 to `command`; `half` is set by f16.
void addActivationsOption(CLI::App &command, bool &half);

/// How to open the model that `options` name. An empty folder in `options` is the demo model.
Result<OpenOptions> openOptions(const CommonOptions &options, bool halfActivations);

/// Tells on stderr what the person should know of the loading.
void printNotes(const OpenedModel &opened);

/// Shows loading and compiling on the terminal's stderr, one line that is overwritten; silent where stderr is
/// no terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    void show(const Progress &progress);
    /// Shows how much of a picture or clip is decoded, 0 to 1.
    void showMedium(double fraction);
    /// Takes the line away, so that something else can be written.
    void clear();

private:
    bool m_terminal = false;
    bool m_shown = false;
};

} // namespace perilune::cli
