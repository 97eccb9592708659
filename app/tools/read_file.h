#pragma once

#include "app/tools/tool.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace perilune {

/// Reads a text file or a picture that the person named in this conversation, or shows a picture again that
/// they attached. Nothing else: what the model, a result or a file names doesn't count.
class ReadFile : public Tool {
public:
    struct Places {
        std::filesystem::path base; ///< where the person's relative names begin; empty: the working folder
        std::filesystem::path home; ///< "~"; may be empty
        /// Says whether a file can be shown to a model as a picture, and if not, why. Empty: none can.
        std::function<Status(const std::string &picture, const std::stop_token &stop)> canBeShown;
    };

    explicit ReadFile(Places places);

    std::string name() const override { return "read_file"; }
    std::string description() const override;
    std::string parametersJson() const override;
    Result<ToolResult> run(const JsonValue &arguments, const ToolContext &context,
                           const std::stop_token &stop) const override;

private:
    std::filesystem::path placeOf(std::string_view name) const;
    Result<ToolResult> picture(const std::filesystem::path &path, const std::string &name,
                               const ToolContext &context, const std::stop_token &stop) const;

    Places m_places;
};

/// Whether `words` name the file `path`, to the letter and as a whole name: no letter, digit or sign that
/// names are made of stands around it. A full stop or 's may follow, and where a quotation mark stands before
/// it, one must stand after it. Letters of scripts that are written without spaces may stand beside a name
/// that ends in ASCII there, unless they make a longer name for which `exists` has a file.
bool namesFile(std::string_view words, std::string_view path,
               const std::function<bool(const std::string &name)> &exists = {});

} // namespace perilune
