#pragma once

#include "app/cli/command.h"

namespace perilune::cli {

// One for each command, in NAME_command.cpp.
void addChatCommand(CLI::App &app, Run &run);
void addBenchCommand(CLI::App &app, Run &run);
void addClassifyCommand(CLI::App &app, Run &run);
void addCompareCommand(CLI::App &app, Run &run);
void addConversationsCommand(CLI::App &app, Run &run);
void addDevicesCommand(CLI::App &app, Run &run);
void addForwardCommand(CLI::App &app, Run &run);
void addGenerateCommand(CLI::App &app, Run &run);
void addInspectCommand(CLI::App &app, Run &run);
void addDetokenizeCommand(CLI::App &app, Run &run);
void addMediaCommand(CLI::App &app, Run &run);
void addParseCommand(CLI::App &app, Run &run);
void addPromptCommand(CLI::App &app, Run &run);
void addRenderCommand(CLI::App &app, Run &run);
void addTokenizeCommand(CLI::App &app, Run &run);
void addToolsCommand(CLI::App &app, Run &run);

} // namespace perilune::cli
