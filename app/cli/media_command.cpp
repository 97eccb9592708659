#include "app/cli/command.h"
#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "app/cli/media_choices.h"
#include "app/cli/terminal_text.h"
#include "engine/weights/safetensors_writer.h"
#include "media/prepare.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace perilune::cli {

namespace {

struct MediaCall {
    CommonOptions common;
    std::string as = "auto", mode = "app", config, dump;
    bool pixels = false;
    std::vector<std::string> files;
    MediaChoice choice;
};

Result<MediaConfig> configOf(const MediaCall &call)
{
    if (!call.config.empty())
        return readMediaConfig(call.config);
    const auto folder = modelFolder(call.common);
    if (!folder)
        return folder.error();
    return readMediaConfig(*folder + "/preprocessor_config.json");
}

PrepareOptions prepareOptions(const MediaCall &call)
{
    PrepareOptions options;
    if (call.as != "auto")
        options.as = call.as == "image" ? PrepareOptions::As::Image : PrepareOptions::As::Video;
    if (call.mode == "hf")
        options.mode = PrepareOptions::Mode::Hf;
    options.wantPixels = call.pixels && !call.dump.empty();
    options.wantPatches = !call.dump.empty(); // so that a long clip takes no memory for what nobody asked for
    options.choice = call.choice;
    return options;
}

nlohmann::ordered_json describe(const ClipCost &cost)
{
    return {
        {"frames", cost.frames     },
        {"tokens", cost.tokens     },
        {"from",   cost.fromSeconds},
        {"to",     cost.toSeconds  },
    };
}

/// What there is to choose from for a clip; null for a picture.
nlohmann::ordered_json describe(const std::optional<ClipChoices> &choices)
{
    if (!choices)
        return nullptr;
    nlohmann::ordered_json all{
        {"whole", describe(choices->whole)}
    };
    if (choices->thinned)
        all["thinned"] = describe(*choices->thinned);
    if (choices->trimmed)
        all["trimmed"] = describe(*choices->trimmed);
    return all;
}

/// The tokens of a choice; none where it can't be taken.
std::optional<std::uint64_t> tokensOf(const Prepared &item, const MediaChoice &choice)
{
    const auto cost = item.costOf(choice);
    return cost ? std::optional(cost->tokens) : std::nullopt;
}

MediaChoice withDetail(MediaChoice choice, std::size_t detail)
{
    choice.detail = static_cast<MediaChoice::Detail>(detail);
    return choice;
}

MediaChoice withFirstFrame(MediaChoice choice)
{
    choice.firstFrame = true;
    return choice;
}

/// What each detail would come to, in tokens.
nlohmann::ordered_json describeDetails(const Prepared &item, const MediaChoice &choice)
{
    nlohmann::ordered_json all;
    for (std::size_t i = 0; i < kDetailNames.size(); ++i) {
        if (const auto tokens = tokensOf(item, withDetail(choice, i)))
            all[kDetailNames[i]] = *tokens;
    }
    return all;
}

nlohmann::ordered_json describe(const Prepared &item, const std::string &file, const MediaChoice &choice)
{
    auto grids = nlohmann::ordered_json::array();
    for (const PatchGrid &grid : item.patches->grids)
        grids.push_back({grid.frames, grid.rows, grid.columns});
    return {
        {"kind", item.kind == VisionPatches::Kind::Image ? "image" : "video"},
        {"width", item.width},
        {"height", item.height},
        {"grids", std::move(grids)},
        {"tokens", item.tokens},
        {"frames", item.frameIndices},
        {"timestamps", item.patches->timestamps},
        {"prompt", item.prompt},
        {"file", file},
        {"content", item.patches->contentId},
        {"seconds", item.frameSeconds},
        {"resized", {item.resizedWidth, item.resizedHeight}},
        {"duration", item.durationSeconds},
        {"choices", describe(item.choices)},
        {"details", describeDetails(item, choice)},
        {"animation", item.animation},
        {"notes", item.notes},
    };
}

/// "1 token", "2 tokens".
std::string counted(std::uint64_t count, const std::string &what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void printCost(const char *what, const ClipCost &cost)
{
    std::printf("  %s: %s from %.1f to %.1f s, %s\n", what, counted(cost.frames, "frame").c_str(),
                cost.fromSeconds, cost.toSeconds, counted(cost.tokens, "token").c_str());
}

void printDetails(const Prepared &item, const MediaChoice &choice)
{
    std::string line;
    for (std::size_t i = 0; i < kDetailNames.size(); ++i) {
        if (const auto tokens = tokensOf(item, withDetail(choice, i)))
            line += (line.empty() ? "" : ", ") + std::string(kDetailNames[i]) + " " + std::to_string(*tokens);
    }
    std::printf("  tokens by detail (--detail): %s\n", line.c_str());
    if (const auto tokens = tokensOf(item, withFirstFrame(choice)); tokens && item.animation)
        std::printf("  its first frame alone (--as image): %s\n", counted(*tokens, "token").c_str());
}

void printForPeople(const Prepared &item, const std::string &path, const MediaChoice &choice)
{
    const std::string file = forTerminal(path);
    const auto &grids = item.patches->grids;
    if (item.kind == VisionPatches::Kind::Image) {
        std::printf("%s: a picture of %u x %u pixels, seen as %u x %u patches, %s\n", file.c_str(),
                    item.width, item.height, grids[0].columns, grids[0].rows,
                    counted(item.tokens, "token").c_str());
    } else {
        std::printf("%s: a clip of %.1f s, %u x %u pixels, seen as %s in %s, %s\n", file.c_str(),
                    item.durationSeconds, item.width, item.height,
                    counted(item.frameIndices.size(), "frame").c_str(),
                    counted(grids.size(), "chunk").c_str(), counted(item.tokens, "token").c_str());
        for (std::size_t i = 0, frame = 0; i < grids.size(); ++i) {
            std::printf("  %s  frames", item.patches->timestamps[i].c_str());
            for (std::uint32_t k = 0; k < grids[i].frames; ++k, ++frame)
                std::printf(" %u (%.3f s)", item.frameIndices[frame], item.frameSeconds[frame]);
            std::printf(", %s\n", counted(grids[i].tokens(), "token").c_str());
        }
    }
    if (item.choices && item.choices->thinned && item.choices->trimmed) {
        printCost("all of it", item.choices->whole);
        printCost("thinned (--fit thin)", *item.choices->thinned);
        printCost("trimmed (--fit trim)", *item.choices->trimmed);
    }
    printDetails(item, choice);
    for (const std::string &note : item.notes)
        std::printf("  note: %s\n", forTerminal(note).c_str());
}

/// Writes all files' patches one after another, their grids, and on wish the pixels of each picture or frame.
Status dump(const std::vector<Prepared> &items, OutputFile file)
{
    std::vector<float> values;
    std::vector<std::int64_t> grids;
    SafetensorsWriter writer;
    std::size_t pictures = 0;
    for (const Prepared &item : items) {
        values.insert(values.end(), item.patches->pixelValues.begin(), item.patches->pixelValues.end());
        for (const PatchGrid &grid : item.patches->grids)
            grids.insert(grids.end(), {grid.frames, grid.rows, grid.columns});
        for (const Picture &picture : item.pixels) {
            writer.add("pixels." + std::to_string(pictures++), {picture.height, picture.width, 3},
                       std::span<const std::uint8_t>(picture.rgb));
        }
    }
    writer.add("pixel_values", {values.size() / (std::size_t{3} * 14 * 14), 3, 14, 14},
               std::span<const float>(values));
    writer.add("grid_thws", {grids.size() / 3, 3}, std::span<const std::int64_t>(grids));
    return writer.write(std::move(file));
}

int runMedia(const MediaCall &call)
{
    const auto config = configOf(call);
    if (!config)
        return fail(config.error());
    std::optional<OutputFile> place;
    if (!call.dump.empty()) { // before anything is decoded, which may take long
        if (const auto good = checkIsPlaceForFile(call.dump); !good)
            return fail(good.error());
        auto made = OutputFile::create(call.dump);
        if (!made)
            return fail(made.error());
        place.emplace(*std::move(made));
    }
    std::vector<Prepared> items;
    auto list = nlohmann::ordered_json::array();
    for (const std::string &file : call.files) {
        ProgressLine line;
        auto item = prepare(
            file, *config, prepareOptions(call), [&line](double part) { line.showMedium(part); },
            interrupted());
        line.clear();
        if (!item)
            return fail(item.error());
        if (call.common.json)
            list.push_back(describe(*item, file, call.choice));
        else
            printForPeople(*item, file, call.choice);
        if (place)
            items.push_back(*std::move(item));
    }
    if (place) {
        if (const auto written = dump(items, *std::move(place)); !written)
            return fail(written.error());
    }
    if (call.common.json) {
        const nlohmann::ordered_json all{
            {"items", std::move(list)}
        };
        std::cout << all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    }
    return kDone;
}

} // namespace

void addMediaCommand(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("media", "shows what the model would see of pictures and clips");
    auto call = std::make_shared<MediaCall>();
    addCommonOptions(*command, call->common);
    command->add_option("--as", call->as, "auto takes animations as short clips, image their first frame")
        ->check(CLI::IsMember({"auto", "image", "video"}));
    command->add_option("--mode", call->mode, "app: as people see it; hf: as the published code has it")
        ->check(CLI::IsMember({"app", "hf"}));
    command->add_option("--config", call->config, "a preprocessor_config.json, in place of a model folder's");
    command->add_option("--dump", call->dump, "write pixel_values and grid_thws to this safetensors file");
    command->add_flag("--pixels", call->pixels, "add each picture, resized and padded, to the dump");
    addMediaChoices(*command, call->choice);
    command->add_option("files", call->files, "pictures and clips")->required();
    command->callback([call, &run] { run = [call] { return runMedia(*call); }; });
}

} // namespace perilune::cli
