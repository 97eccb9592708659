#pragma once

#include "app/cli/command_list.h"
#include "app/store/conversation_store.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perilune::cli {

/// What the sub-commands of `conversations` are given.
struct ConversationOptions {
    CommonOptions common;
    ConversationId id = 0;
    MessageId message = 0;
    std::optional<ConversationId> place;
    bool deleted = false, archived = false, all = false;
    std::optional<bool> thinking, toolCalls, statistics, allBranches;
    std::vector<ConversationId> ids;
    std::vector<std::string> files;
    std::string text, format = "markdown", out, folder, tag, role, from, before;
    std::uint32_t limit = 50, days = 30;
};

using ConversationAction = int (*)(ConversationStore &store, const ConversationOptions &options);

/// A parent for sub-commands, and where they put what they read.
struct ActionTarget {
    CLI::App *parent;
    std::shared_ptr<ConversationOptions> options;
    Run *run;
};

/// Adds a sub-command that opens the store and runs `action`; its own options are added by the caller.
CLI::App *addAction(const ActionTarget &target, const char *name, const char *about,
                    ConversationAction action);
/// The same with the number of a conversation, or of a message, as its first argument.
CLI::App *addActionOnOne(const ActionTarget &target, const char *name, const char *about,
                         ConversationAction action);
CLI::App *addActionOnMessage(const ActionTarget &target, const char *name, const char *about,
                             ConversationAction action);

/// Export and import.
void addExportActions(const ActionTarget &target);
/// The folder called `name`; 0 where none was named, NotFound where there is none.
Result<FolderId> folderNamed(ConversationStore &store, const std::string &name);

/// Backup, and back.
void addBackupActions(const ActionTarget &target);

/// Names, pins, folders, tags, branches and the bin.
void addOrganiseActions(const ActionTarget &target);

void printJson(const nlohmann::ordered_json &json);

} // namespace perilune::cli
