#pragma once

#include "app/tools/tool.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perilune {

/// Whether a tool is on where tools are switched on and nothing else was chosen. Each tool that is declared
/// makes a prompt longer and gives the model one more way to go wrong; so not all of them are.
enum class Usually { On, Off };

/// The tools that a program has. Filled at the start; after that it is only read, from any thread.
class ToolRegistry {
public:
    struct Entry {
        std::shared_ptr<const Tool> tool;
        std::string name, description;
        JsonValue parameters;
        bool usual = true;                         ///< see Usually
        std::shared_ptr<std::atomic<int>> running; ///< calls that have not ended, those given up included
    };

    /// InvalidInput where the name isn't one or is taken, or the schema isn't a JSON object.
    Status add(std::shared_ptr<const Tool> tool, Usually usually = Usually::On);

    /// Says whether a picture can be shown to a model, and if not, why. What a tool gives back is asked about
    /// on the call's thread; without one, no picture counts.
    using PictureCheck = std::function<Status(const std::string &path, const std::stop_token &stop)>;
    void setPictureCheck(PictureCheck check) { m_pictureCheck = std::move(check); }
    const PictureCheck &pictureCheck() const { return m_pictureCheck; }

    /// Null where there is none of that name.
    const Entry *find(std::string_view name) const;
    const std::vector<Entry> &entries() const { return m_entries; }
    std::vector<std::string> names() const;
    /// Of those that are usually on.
    std::vector<std::string> usualNames() const;

    /// The tools named, in the registry's order, as a JSON array of OpenAI tool schemas: what
    /// ChatRequest::toolsJson takes. Empty where none is. Names without a tool are left out.
    std::string declarations(std::span<const std::string> names) const;

private:
    std::vector<Entry> m_entries;
    PictureCheck m_pictureCheck;
};

} // namespace perilune
