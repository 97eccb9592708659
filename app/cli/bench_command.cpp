#include "app/cli/command_list.h"
#include "app/cli/engine_options.h"
#include "engine/session/session.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

namespace perilune::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Options {
    CommonOptions common;
    std::vector<std::uint32_t> prefill, depth;
    std::vector<std::string> images;
    std::uint32_t decode = 32, repetitions = 3;
    bool kernels = false, halfActivations = false;
};

Json spread(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    const double median = values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {
        {"min",    values.front()},
        {"median", median        },
        {"max",    values.back() }
    };
}

/// One line of the result: `n` tokens in each of `seconds`.
Json measured(const std::string &what, std::uint64_t n, const std::vector<double> &seconds,
              std::uint64_t bytesPerToken)
{
    std::vector<double> rates, bytes;
    for (const double time : seconds) {
        rates.push_back(static_cast<double>(n) / time);
        bytes.push_back(rates.back() * static_cast<double>(bytesPerToken));
    }
    Json row = {
        {"what",         what           },
        {"n",            n              },
        {"tokens_per_s", spread(rates)  },
        {"seconds",      spread(seconds)}
    };
    if (bytesPerToken > 0)
        row["bytes_per_s"] = spread(bytes);
    return row;
}

class Bench {
public:
    Bench(const Options &options, OpenedModel &opened)
        : m_options(options),
          m_opened(opened),
          m_session(*opened.device, *opened.decoder, opened.tower.get(),
                    opened.model->config().decoder.hiddenSize)
    {
    }

    /// A prompt of `depth` positions, then `count` new ones, evaluated together.
    Status prefill(std::uint32_t count, std::uint32_t depth)
    {
        std::vector<double> seconds;
        for (std::uint32_t i = 0; i < m_options.repetitions; ++i) {
            if (Status past = reach(depth); !past)
                return past;
            Prompt prompt = promptOf(depth);
            for (std::uint32_t k = 0; k < count; ++k)
                prompt.tokens.push_back((k * 31 + i + 1) % m_opened.decoder->vocabulary());
            const Clock::time_point start = Clock::now();
            if (const auto synced = m_session.sync(prompt, {}, interrupted()); !synced)
                return synced.error();
            seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
        results.push_back(measured(name("prefill", depth), count, seconds, 0));
        return Done{};
    }

    Status decode(std::uint32_t count, std::uint32_t depth)
    {
        std::vector<double> seconds;
        for (std::uint32_t i = 0; i < m_options.repetitions; ++i) {
            if (Status past = reach(std::max(depth, 1u)); !past)
                return past;
            const Clock::time_point start = Clock::now();
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::span<const float> logits = m_session.logits();
                const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
                if (Status done = m_session.append(static_cast<std::uint32_t>(best), interrupted()); !done)
                    return done;
            }
            seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
        const std::uint64_t bytes =
            bytesPerToken(m_opened.model->config().decoder, m_opened.model->decoder());
        results.push_back(measured(name("decode", depth), count, seconds, bytes));
        return Done{};
    }

    /// The vision tower alone, on a picture of `size` ("640x480") pixels.
    Status image(const std::string &size)
    {
        const std::size_t cross = size.find('x');
        const auto cells = [&](const std::string &pixels) {
            return static_cast<std::uint32_t>(
                std::max(1ul, (std::strtoul(pixels.c_str(), nullptr, 10) + 27) / 28));
        };
        const std::optional<VisionConfig> &vision = m_opened.model->config().vision;
        if (!m_opened.tower || !vision)
            return Error{ErrorCode::Unsupported, "this model can't see pictures"};
        const std::uint32_t width = cells(size), height = cells(size.substr(cross + 1));
        const ModelConfig &config = m_opened.model->config();
        const PatchGrid grid{1, height * 2, width * 2};
        const std::vector<float> pixels(grid.patches() * 3 * vision->patchSize * vision->patchSize, 0.25f);
        const auto tokens = static_cast<std::uint32_t>(grid.tokens());
        auto features =
            m_opened.device->allocate(std::uint64_t{tokens} * config.decoder.hiddenSize * sizeof(float),
                                      MemoryKind::Device, "the features of a picture");
        if (!features)
            return std::move(features).error();
        std::vector<double> seconds;
        for (std::uint32_t i = 0; i < m_options.repetitions; ++i) {
            const Clock::time_point start = Clock::now();
            const Tensor out = (*features)->tensor(tokens, config.decoder.hiddenSize);
            if (Status done = m_opened.tower->encode(
                    {
                        {&grid, 1},
                        pixels
            },
                    out, {}, interrupted());
                !done)
                return done;
            seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
        results.push_back(measured("image " + size, tokens, seconds, 0));
        return Done{};
    }

    Json results = Json::array();

private:
    static std::string name(const char *what, std::uint32_t depth)
    {
        return depth ? std::string(what) + " at depth " + std::to_string(depth) : what;
    }

    Prompt promptOf(std::uint32_t length) const
    {
        Prompt prompt;
        for (std::uint32_t i = 0; i < length; ++i)
            prompt.tokens.push_back(i * 17 % m_opened.decoder->vocabulary());
        return prompt;
    }

    Status reach(std::uint32_t depth)
    {
        if (depth == 0)
            return Done{};
        const auto synced = m_session.sync(promptOf(depth), {}, interrupted());
        return synced ? Status(Done{}) : Status(synced.error());
    }

    const Options &m_options;
    OpenedModel &m_opened;
    Session m_session;
};

Status measure(const Options &options, Bench &bench)
{
    const std::vector<std::uint32_t> depths =
        options.depth.empty() ? std::vector<std::uint32_t>{0} : options.depth;
    const std::vector<std::uint32_t> prefills =
        options.prefill.empty() ? std::vector<std::uint32_t>{128} : options.prefill;
    for (const std::uint32_t depth : depths) {
        for (const std::uint32_t count : prefills) {
            if (Status done = bench.prefill(count, depth); !done)
                return done;
        }
        if (Status done = bench.decode(options.decode, depth); !done)
            return done;
    }
    for (const std::string &size : options.images) {
        if (Status done = bench.image(size); !done)
            return done;
    }
    return Done{};
}

void print(const Json &report)
{
    std::cout << report["model"].get<std::string>() << " on " << report["device"].get<std::string>() << '\n';
    for (const Json &row : report["results"]) {
        const Json &rate = row["tokens_per_s"];
        std::cout << "  " << row["what"].get<std::string>() << ", " << row["n"]
                  << " tokens: " << rate["median"].get<double>() << " tokens/s (" << rate["min"].get<double>()
                  << " to " << rate["max"].get<double>() << ")\n";
    }
    if (!report.contains("kernels"))
        return;
    for (const Json &row : report["kernels"])
        std::cout << "  " << row["name"].get<std::string>() << ": " << row["seconds"].get<double>()
                  << " s in " << row["calls"] << " calls\n";
}

int runBench(const Options &options)
{
    Result<OpenOptions> open = openOptions(options.common, options.halfActivations);
    if (!open)
        return fail(open.error());
    ProgressLine line;
    const auto progress = [&](const Progress &now) { line.show(now); };
    Result<OpenedModel> opened = openModel(*open, progress, interrupted());
    if (!opened)
        return fail(opened.error());
    line.clear();
    printNotes(*opened);
    opened->device->setTiming(options.kernels);
    Bench bench(options, *opened);
    const Status done = measure(options, bench);
    Json report = {
        {"device",  opened->device->info().name                                    },
        {"model",   std::filesystem::path(open->folder).lexically_normal().string()},
        {"results", bench.results                                                  }
    };
    if (options.kernels) {
        report["kernels"] = Json::array();
        for (const DispatchTime &time : opened->device->takeTimes())
            report["kernels"].push_back({
                {"name",    time.name   },
                {"calls",   time.calls  },
                {"seconds", time.seconds}
            });
    }
    if (options.common.json)
        std::cout << report.dump() << '\n';
    else
        print(report);
    return done ? kDone : fail(done.error());
}

} // namespace

void addBenchCommand(CLI::App &app, Run &run)
{
    auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand("bench", "How fast reading and answering are on a device");
    addCommonOptions(*command, options->common);
    command->add_option("--prefill", options->prefill, "tokens to read at once; may be repeated")
        ->check(CLI::Range(1u, 1u << 24));
    command->add_option("--decode", options->decode, "tokens to answer one by one")
        ->check(CLI::Range(1u, 1u << 24));
    command->add_option("--depth", options->depth, "tokens that are cached before; may be repeated");
    command->add_option("--image", options->images, "a picture's size, as 640x480; may be repeated")
        ->check([](const std::string &size) {
            const std::size_t cross = size.find('x');
            const bool good = cross != std::string::npos && cross > 0 && cross + 1 < size.size() &&
                              size.find_first_not_of("0123456789x") == std::string::npos;
            return good ? std::string() : "must be WIDTHxHEIGHT";
        });
    command->add_option("--reps", options->repetitions, "how often each is measured")
        ->check(CLI::Range(1u, 10000u));
    command->add_flag("--kernels", options->kernels, "also the device's time by kernel");
    addActivationsOption(*command, options->halfActivations);
    command->callback([options, &run] { run = [options] { return runBench(*options); }; });
}

} // namespace perilune::cli
