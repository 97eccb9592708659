#include "app/cli/command_list.h"
#include "app/cli/terminal_text.h"
#include "engine/gpu/device.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace perilune::cli {

namespace {

int runDevices(const CommonOptions &options)
{
    const std::vector<DeviceInfo> devices = listDevices();
    if (options.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const DeviceInfo &device : devices)
            list.push_back({
                {"index",  device.index },
                {"name",   device.name  },
                {"kind",   device.kind  },
                {"memory", device.memory},
                {"usable", device.usable},
                {"why",    device.why   }
            });
        std::cout << nlohmann::ordered_json{{"devices", list}}.dump() << '\n';
        return kDone;
    }
    if (devices.empty())
        std::cout << "No Vulkan driver is installed. Mesa's mesa-vulkan-drivers has one for the CPU too.\n";
    for (const DeviceInfo &device : devices) {
        std::cout << device.index << "  " << forTerminal(device.name) << " (" << device.kind << ", "
                  << (device.memory >> 20) << " MiB)";
        std::cout << (device.usable ? "" : ": not usable, " + forTerminal(device.why)) << '\n';
    }
    return kDone;
}

} // namespace

void addDevicesCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<CommonOptions>();
    CLI::App *command = app.add_subcommand("devices", "The compute devices and what each can do");
    addCommonOptions(*command, *options);
    command->callback([options, &run] { run = [options] { return runDevices(*options); }; });
}

} // namespace perilune::cli
