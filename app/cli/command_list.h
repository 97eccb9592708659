#pragma once

#include "app/cli/command.h"

namespace perilune::cli {

// One for each command, in NAME_command.cpp.
void addClassifyCommand(CLI::App &app, Run &run);
void addDevicesCommand(CLI::App &app, Run &run);
void addForwardCommand(CLI::App &app, Run &run);
void addGenerateCommand(CLI::App &app, Run &run);
void addInspectCommand(CLI::App &app, Run &run);

} // namespace perilune::cli
