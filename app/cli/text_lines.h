#pragma once

#include "app/cli/command.h"
#include "engine/text/chat_family.h"
#include "engine/text/json_value.h"
#include "engine/text/tokenizer.h"

#include <functional>
#include <optional>
#include <string>

namespace perilune::cli {

/// The family named by --family, or the one of the model folder.
Result<ChatFamily> chosenFamily(const CommonOptions &options);

/// The tokenizer of the model folder.
Result<Tokenizer> chosenTokenizer(const CommonOptions &options);

/// Reads "on" and "off" of an option; none for an empty text.
std::optional<bool> onOrOff(const std::string &word);

/// Prints one JSON value as a line of standard output and flushes it.
void printLine(const JsonValue &value);

/// {"error": what}
JsonValue errorObject(const std::string &what);

/// Answers each line of standard input, a JSON object, by a line that `answer` gives; a line that is no
/// object, or that `answer` refuses, is answered by {"error":…}. Empty lines are skipped.
int answerLines(const std::function<Result<JsonValue>(const JsonValue &line)> &answer);

/// The whole of a file, or of standard input where `path` is "-".
Result<std::string> readDocument(const std::string &path);

/// The member `key` as a flag: none where it is absent or null; InvalidInput where it is neither true nor
/// false.
Result<std::optional<bool>> flagOf(const JsonValue &object, std::string_view key);

/// The member `key`, which must be a text.
Result<std::string> textOf(const JsonValue &object, std::string_view key);

/// {"ids":[…]} and back.
JsonValue idsToJson(const std::vector<TokenId> &ids);
Result<std::vector<TokenId>> idsFromJson(const JsonValue &object);

} // namespace perilune::cli
