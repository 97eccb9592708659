#include "engine/session/chat_prompt.h"

#include "engine/text/chat_template.h"

namespace perilune {

namespace {

/// Lists the media of `patches`, one for each picture or chunk, and repeats the one placeholder that the
/// prompt has for each.
Status expandPlaceholders(const Tokenizer &tokenizer, const std::vector<TokenId> &ids, ChatPrompt &result)
{
    std::vector<PromptMedium> media;
    for (const std::shared_ptr<const VisionPatches> &patches : result.patches) {
        std::uint64_t total = 0;
        for (const PatchGrid &grid : patches->grids)
            total += grid.patches();
        const std::uint64_t values = total ? patches->pixelValues.size() / total : 0; // of one patch
        std::uint64_t first = 0;
        for (std::size_t i = 0; i < patches->grids.size(); ++i) {
            const PatchGrid &grid = patches->grids[i];
            const std::span<const float> all(patches->pixelValues);
            media.push_back({0, grid, all.subspan(first, grid.patches() * values),
                             patches->contentId + ':' + std::to_string(i)});
            first += grid.patches() * values;
        }
    }
    std::vector<std::uint32_t> &tokens = result.prompt.tokens;
    std::size_t next = 0;
    for (const TokenId id : ids) {
        if (id != tokenizer.control().mediaPad || next == media.size()) {
            tokens.push_back(id);
            continue;
        }
        PromptMedium &medium = media[next++];
        medium.row = static_cast<std::uint32_t>(tokens.size());
        tokens.insert(tokens.end(), medium.grid.tokens(), id);
    }
    if (next != media.size()) // a clip's chunks under a picture's one placeholder
        return Error{ErrorCode::InvalidInput, "the prompt has places for " + std::to_string(next) +
                                                  " pictures or pieces of clips, but " +
                                                  std::to_string(media.size()) + " were read"};
    result.prompt.media = std::move(media);
    return Done{};
}

} // namespace

Result<ChatPrompt> makeChatPrompt(const Tokenizer &tokenizer, const ChatRequest &request)
{
    const ChatFamily family = tokenizer.family();
    if (Status supported = checkMediaSupport(family, request.messages); !supported)
        return std::move(supported).error();
    if (request.continues && (request.messages.empty() || request.messages.back().role != Role::Assistant))
        return Error{ErrorCode::InvalidInput, "there is no answer that could be continued"};
    ChatPrompt result;
    const std::vector<const MediaPart *> media = mediaOf(request.messages);
    for (const MediaPart *part : media) {
        if (!part->patches)
            return Error{ErrorCode::InvalidInput,
                         (part->name.empty() ? part->path : part->name) + " was not read"};
        result.patches.push_back(part->patches);
    }
    PromptOptions options;
    options.continueLast = request.continues;
    if (chatFeatures(family).thinkingSwitch)
        options.thinking = request.thinking;
    Result<std::vector<PromptSegment>> segments =
        renderPrompt(family, request.messages, request.toolsJson, options);
    if (!segments)
        return std::move(segments).error();
    segments = expandMedia(*std::move(segments), media);
    if (!segments)
        return std::move(segments).error();
    if (Status expanded = expandPlaceholders(tokenizer, tokenizePrompt(tokenizer, *segments), result);
        !expanded)
        return std::move(expanded).error();
    return result;
}

} // namespace perilune
