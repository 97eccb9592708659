#include "engine/model/inspection.h"

#include "engine/model/decoder_weights.h"
#include "engine/model/vision_weights.h"
#include "engine/weights/weight_loader.h"

#include <unordered_set>

namespace perilune {

namespace {

constexpr std::size_t kMostUnknown = 20;  // unknown tensors that are named one by one
constexpr std::size_t kMostShapes = 2000; // that are read: each is elsewhere on the disk

bool hasSuffix(const std::string &name, std::string_view suffix)
{
    return name.ends_with(suffix);
}

bool describesOthers(const std::string &name)
{
    return hasSuffix(name, ".weight_scale") || hasSuffix(name, ".weight_scale_inv") ||
           hasSuffix(name, ".weight_shape");
}

std::string formatOf(const StoredTensor &tensor, const Checkpoint &checkpoint)
{
    const std::string stem = tensor.name.substr(0, tensor.name.rfind('.'));
    if (checkpoint.find(stem + ".weight_packed"))
        return "int4";
    if (tensor.type == StoredType::F8E4M3 || hasSuffix(tensor.name, ".weight_scale_inv"))
        return "FP8";
    return std::string(nameOf(tensor.type));
}

void count(Inspection &result, const Checkpoint &checkpoint,
           const std::unordered_set<const StoredTensor *> &unused)
{
    for (const StoredTensor *tensor : checkpoint.tensors()) {
        ++result.tensors;
        result.bytes += tensor->bytes;
        FormatCount &format = result.formats[formatOf(*tensor, checkpoint)];
        ++format.tensors;
        format.bytes += tensor->bytes;
        if (!describesOthers(tensor->name) && !unused.contains(tensor))
            result.parameters += tensor->elements() * (hasSuffix(tensor->name, ".weight_packed") ? 8 : 1);
    }
}

/// Compares quantization_config with what the tensors are.
void compareQuantization(Inspection &result, const ModelConfig &config)
{
    const auto tensorsOf = [&](const char *format) {
        const auto found = result.formats.find(format);
        return found == result.formats.end() ? 0 : found->second.tensors;
    };
    struct Kind {
        const char *format, *method, *words;
    };
    for (const Kind &kind : {
             Kind{"int4", "compressed-tensors", "packed int4"},
             Kind{"FP8",  "fp8",                "block FP8"  }
    }) {
        const std::string method = config.quantization ? config.quantization->method : "";
        const std::uint64_t tensors = tensorsOf(kind.format);
        if (tensors > 0 && method.empty())
            result.problems.push_back("config.json has no quantization_config, but " +
                                      std::to_string(tensors) + " tensors are " + kind.words);
        else if (tensors > 0 && method != kind.method)
            result.problems.push_back("config.json says quant_method \"" + method + "\", but " +
                                      std::to_string(tensors) + " tensors are " + kind.words);
        else if (tensors == 0 && method == kind.method)
            result.problems.push_back("config.json says quant_method \"" + method + "\", but no tensor is " +
                                      kind.words);
    }
}

void noteUnknown(Inspection &result, const ModelConfig &config,
                 const std::vector<const StoredTensor *> &unused)
{
    std::size_t unknown = 0;
    for (const StoredTensor *tensor : unused) {
        if (reasonToIgnore(tensor->name, config).empty() && ++unknown <= kMostUnknown) {
            result.problems.push_back("tensor " + tensor->name +
                                      " is not part of this architecture; it is ignored");
        }
    }
    if (unknown > kMostUnknown)
        result.problems.push_back("and " + std::to_string(unknown - kMostUnknown) + " more unknown tensors");
}

/// "3 tensors such as X are ignored: why", for each reason that is known.
std::vector<std::string> knownReasons(const ModelConfig &config,
                                      const std::vector<const StoredTensor *> &unused)
{
    std::map<std::string, std::pair<std::string, std::uint64_t>> known; // by reason: an example and how many
    for (const StoredTensor *tensor : unused) {
        const std::string reason = reasonToIgnore(tensor->name, config);
        if (reason.empty())
            continue;
        auto &[example, times] = known[reason];
        example = times++ == 0 ? tensor->name : example;
    }
    std::vector<std::string> notes;
    for (const auto &[reason, seen] : known)
        notes.push_back(std::to_string(seen.second) + " tensors such as " + seen.first +
                        " are ignored: " + reason);
    return notes;
}

void compareWithConfig(Inspection &result, const ModelConfig &config, const Checkpoint &checkpoint,
                       const QuantizeOptions &quantize)
{
    WeightLoader loader(checkpoint, quantize);
    DecoderWeights decoder;
    VisionWeights vision;
    bindDecoderWeights(loader, config, decoder);
    if (config.vision)
        bindVisionWeights(loader, *config.vision, vision);
    result.problems.insert(result.problems.end(), loader.problems().begin(), loader.problems().end());
    const Status shapes = loader.checkShapes(kMostShapes);
    if (!shapes)
        result.problems.push_back(shapes.error().message);
    else if (loader.shapes() > kMostShapes)
        result.notes.push_back("of " + std::to_string(loader.shapes()) + " tensors .weight_shape the first " +
                               std::to_string(kMostShapes) + " were compared; loading compares all");
    result.whole = loader.problems().empty() && shapes && !checkpoint.isBroken();
    result.notes.insert(result.notes.end(), config.notes.begin(), config.notes.end());
    result.weights = loader.bytes();
    const std::vector<const StoredTensor *> unused = loader.unused();
    count(result, checkpoint, {unused.begin(), unused.end()});
    compareQuantization(result, config);
    noteUnknown(result, config, unused);
    const std::vector<std::string> known = knownReasons(config, unused);
    result.notes.insert(result.notes.end(), known.begin(), known.end());
    const std::vector<std::string> notes = loader.notes();
    result.notes.insert(result.notes.end(), notes.begin(), notes.end());
}

} // namespace

std::vector<std::string> notesOnIgnored(const ModelConfig &config,
                                        const std::vector<const StoredTensor *> &unused)
{
    std::vector<std::string> notes = knownReasons(config, unused);
    std::size_t unknown = 0;
    std::string example;
    for (const StoredTensor *tensor : unused) {
        if (reasonToIgnore(tensor->name, config).empty() && unknown++ == 0)
            example = tensor->name;
    }
    if (unknown > 0)
        notes.push_back(std::to_string(unknown) + " tensors such as " + example +
                        " are ignored: they are not part of this architecture");
    return notes;
}

Inspection inspectModel(const std::string &folder, const QuantizeOptions &quantize)
{
    Inspection result;
    Result<ModelConfig> config = readConfig(folder);
    if (config) {
        result.architecture = config->architecture;
        result.config = *std::move(config);
    } else {
        result.problems.push_back(config.error().message);
        result.unreadable = true;
    }
    Result<Checkpoint> checkpoint = Checkpoint::open(folder, &result.problems);
    if (!checkpoint) {
        result.problems.push_back(checkpoint.error().message);
        result.unreadable = true;
        return result;
    }
    result.checkpoint = *std::move(checkpoint);
    result.unreadable |= result.checkpoint->isBroken();
    if (result.config)
        compareWithConfig(result, *result.config, *result.checkpoint, quantize);
    else
        count(result, *result.checkpoint, {});
    return result;
}

} // namespace perilune
