#include "app/cli/command_list.h"
#include "app/cli/terminal_text.h"
#include "engine/gpu/device.h"
#include "engine/model/inspection.h"
#include "engine/session/memory_plan.h"
#include "engine/session/smaller_model.h"
#include "engine/text/folder_template.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace perilune::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostProblems =
    50; // on a terminal: a wrong width makes one for each of 200,000 tensors

struct Options {
    CommonOptions common;
    std::string folder;
    bool tensors = false;
};

/// Looks at what makes prompts: the family of the folder, and whether its template is known.
std::string inspectPrompts(const Options &options, std::vector<std::string> &problems)
{
    std::optional<ChatFamily> family = chatFamilyFromName(options.common.family);
    if (!family) {
        const Result<ChatFamily> detected = detectChatFamily(options.folder);
        if (!detected)
            return {}; // what is wrong with config.json stands among the problems already
        family = *detected;
    }
    if (std::string remark = remarkOnTemplate(options.folder, *family); !remark.empty())
        problems.push_back(std::move(remark));
    return std::string(chatFamilyName(*family));
}

/// What the model would take on each device.
Json planOf(const Inspection &inspection, const QuantizeOptions &quantize, const Options &all)
{
    const CommonOptions &options = all.common;
    Json plan = Json::array();
    if (!inspection.config || !inspection.checkpoint || inspection.checkpoint->isBroken())
        return plan; // what can't be read has no size
    for (const DeviceInfo &device : listDevices()) {
        if (!device.usable)
            continue;
        const MemoryWishes wishes{
            .budget = options.budget, .hostBudget = options.hostBudget, .context = options.context};
        const MemoryPlan memory = planMemory(*inspection.config, inspection.weights, wishes, device);
        std::string why = memory.refusal(device.name);
        if (!inspection.whole)
            why = "it can't be loaded: the checkpoint is not what config.json says";
        else if (!memory.fits())
            why += quantizationThatFits(all.folder, quantize, wishes, device, memory);
        plan.push_back({
            {"device",                device.name                      },
            {"memory",                memory.deviceLimit               },
            {"weights",               memory.weights                   },
            {"context",               memory.context                   },
            {"cache_and_activations", memory.cache + memory.activations},
            {"cache",                 memory.cache                     },
            {"vision",                memory.vision                    },
            {"host",                  memory.host                      },
            {"host_weights",          memory.hostWeights               },
            {"on_disk",               memory.onDisk                    },
            {"largest_context",       memory.largestContext            },
            {"fits",                  memory.fits() && inspection.whole},
            {"why",                   why                              }
        });
    }
    return plan;
}

Json report(const Inspection &inspection, const std::string &family, const QuantizeOptions &quantize,
            const Options &options)
{
    Json formats = Json::object();
    for (const auto &[name, format] : inspection.formats)
        formats[name] = {
            {"tensors", format.tensors},
            {"bytes",   format.bytes  }
        };
    Json json = {
        {"architecture", inspection.architecture},
        {"family", family},
        {"tensors", inspection.tensors},
        {"parameters", inspection.parameters},
        {"bytes", inspection.bytes},
        {"formats", formats},
        {"plan", planOf(inspection, quantize, options)},
        {"problems", inspection.problems},
        {"notes", inspection.notes}
    };
    if (options.tensors && inspection.checkpoint) {
        Json list = Json::array();
        for (const StoredTensor *tensor : inspection.checkpoint->tensors())
            list.push_back({
                {"name",  tensor->name                          },
                {"type",  nameOf(tensor->type)                  },
                {"shape", tensor->shape                         },
                {"file",  inspection.checkpoint->fileOf(*tensor)}
            });
        json["list"] = list;
    }
    return json;
}

void printPlan(const Json &row)
{
    std::cout << "  on " << forTerminal(row["device"].get<std::string>()) << " with " << row["memory"]
              << " bytes: weights " << row["weights"] << ", cache of " << row["context"]
              << " tokens and activations " << row["cache_and_activations"] << ", looking at pictures "
              << row["vision"] << "; main memory " << row["host"] << ", of it weights " << row["host_weights"]
              << ", left on disk " << row["on_disk"] << "; the largest context is " << row["largest_context"]
              << " tokens; "
              << (row["fits"].get<bool>() ? "fits" : forTerminal(row["why"].get<std::string>())) << '\n';
}

void print(const Inspection &inspection, const Json &json)
{
    std::cout << (inspection.architecture.empty() ? "Unknown architecture"
                                                  : forTerminal(inspection.architecture))
              << ": " << inspection.parameters << " parameters in " << inspection.tensors << " tensors, "
              << inspection.bytes << " bytes\n";
    for (const auto &[name, format] : inspection.formats)
        std::cout << "  " << name << ": " << format.tensors << " tensors, " << format.bytes << " bytes\n";
    for (const Json &row : json["plan"])
        printPlan(row);
    const std::size_t shown = std::min(inspection.problems.size(), kMostProblems);
    for (std::size_t i = 0; i < shown; ++i)
        std::cout << "  problem: " << forTerminal(inspection.problems[i]) << '\n';
    if (shown < inspection.problems.size())
        std::cout << "  and " << inspection.problems.size() - shown
                  << " more problems; --json lists every one of them\n";
    for (const std::string &note : inspection.notes)
        std::cout << "  note: " << forTerminal(note) << '\n';
    if (json.contains("list")) {
        for (const Json &row : json["list"])
            std::cout << forTerminal(row["name"].get<std::string>()) << ' ' << row["type"].get<std::string>()
                      << ' ' << row["shape"].dump() << ' ' << forTerminal(row["file"].get<std::string>())
                      << '\n';
    }
}

int runInspect(Options options)
{
    endAtSignal();
    if (options.folder.empty()) {
        const Result<std::string> folder = modelFolder(options.common);
        if (!folder)
            return fail(folder.error());
        options.folder = *folder;
    }
    const Result<QuantizeOptions> quantize = parseQuantizeOptions(options.common.quantize);
    if (!quantize)
        return fail(Error(quantize.error()).during("--quantize"));
    Inspection inspection = inspectModel(options.folder, *quantize);
    const std::string family = inspectPrompts(options, inspection.problems);
    const Json json = report(inspection, family, *quantize, options);
    if (options.common.json)
        std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    else
        print(inspection, json);
    if (!inspection.unreadable)
        return kDone;
    std::cerr << "perilune-cli: " << forTerminal(inspection.problems.front()) << '\n';
    return kBadInput;
}

} // namespace

void addInspectCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command =
        app.add_subcommand("inspect", "What a model folder holds, from config and headers alone");
    addCommonOptions(*command, options->common);
    command->add_option("DIR", options->folder,
                        "a Hugging Face model folder; the default model where it is left out");
    command->add_flag("--tensors", options->tensors, "also every tensor");
    command->callback([options, &run] { run = [options] { return runInspect(*options); }; });
}

} // namespace perilune::cli
