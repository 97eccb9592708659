#include "engine/session/local_engine.h"

#include "engine/session/model_name.h"
#include "engine/session/sampler.h"
#include "engine/text/folder_template.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace perilune {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

LocalEngine::LocalEngine(const OpenOptions &options, Tokenizer tokenizer, GenerationConfig generation)
    : m_options(options),
      m_tokenizer(std::move(tokenizer)),
      m_generation(std::move(generation))
{
}

Result<std::unique_ptr<LocalEngine>> LocalEngine::open(const OpenOptions &options,
                                                       std::optional<ChatFamily> family,
                                                       const std::function<void(Progress)> &progress,
                                                       const std::stop_token &stop)
{
    Result<Tokenizer> tokenizer = Tokenizer::load(options.folder, family);
    if (!tokenizer)
        return std::move(tokenizer).error();
    Result<GenerationConfig> generation = readGenerationConfig(options.folder);
    if (!generation)
        return std::move(generation).error();
    std::unique_ptr<LocalEngine> engine(
        new LocalEngine(options, *std::move(tokenizer), *std::move(generation)));
    if (Status opened = engine->ensureOpen(progress, stop); !opened)
        return std::move(opened).error();
    return engine;
}

Status LocalEngine::ensureOpen(const std::function<void(Progress)> &progress, const std::stop_token &stop)
{
    if (m_session)
        return Done{};
    {
        // Not by assigning: that would close the device before what lies on it.
        const OpenedModel closed = std::move(m_opened);
    }
    const Result<ModelConfig> read = readConfig(m_options.folder);
    if (!read)
        return read.error();
    if (read->numLabels > 0)
        return Error{ErrorCode::Unsupported, m_options.folder + " is a " + read->architecture +
                                                 ", which sorts texts into classes and can't answer"};
    Result<OpenedModel> opened = openModel(m_options, progress, stop);
    if (!opened)
        return std::move(opened).error();
    m_opened = *std::move(opened);
    const ModelConfig &config = m_opened.model->config();
    if (config.decoder.vocabSize < m_tokenizer.baseSize())
        return Error{ErrorCode::Corrupt, m_options.folder + ": tiktoken.model has " +
                                             std::to_string(m_tokenizer.baseSize()) +
                                             " tokens, but config.json's vocab_size is " +
                                             std::to_string(config.decoder.vocabSize)};
    m_session = std::make_unique<Session>(*m_opened.device, *m_opened.decoder, m_opened.tower.get(),
                                          config.decoder.hiddenSize);

    const ChatFeatures features = chatFeatures(m_tokenizer.family());
    std::error_code ignored;
    const std::string visionConfig = m_options.folder + "/preprocessor_config.json";
    m_capabilities.modelName = modelNameOf(m_options.folder);
    m_capabilities.deviceName = m_opened.device->info().name;
    m_capabilities.images = features.images && m_opened.tower;
    m_capabilities.video = features.video && m_opened.tower && config.vision && !config.vision->kimiVl;
    m_capabilities.tools = features.tools;
    m_capabilities.thinking = features.thinking;
    m_capabilities.wantsPatches = m_opened.tower != nullptr;
    m_capabilities.visionConfigPath =
        m_opened.tower && std::filesystem::exists(visionConfig, ignored) ? visionConfig : "";
    m_capabilities.contextTokens = m_opened.decoder->context();
    m_capabilities.suggestedSampling = m_generation.sampling;
    m_capabilities.notes = m_opened.model->notes();
    if (std::string remark = remarkOnTemplate(m_options.folder, m_tokenizer.family()); !remark.empty())
        m_capabilities.notes.push_back(std::move(remark));
    return Done{};
}

Capabilities LocalEngine::capabilities() const
{
    return m_capabilities;
}

bool LocalEngine::endsReply(TokenId id) const
{
    const auto isIn = [&](const std::vector<std::uint32_t> &ids) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    return m_tokenizer.isStop(id) || isIn(m_generation.eosTokenIds) ||
           isIn(m_opened.model->config().eosTokenIds);
}

Result<ReplySummary> LocalEngine::reply(const ChatRequest &request, const ReplySink &sink,
                                        std::stop_token stop)
{
    ReplySummary summary;
    Status done = ensureOpen([&](const Progress &progress) { sink(progress); }, stop);
    if (done)
        done = answer(request, sink, summary, stop);
    if (done)
        return summary;
    if (done.error().code == ErrorCode::Cancelled) {
        summary.finish = ReplySummary::Finish::Cancelled;
        return summary;
    }
    if (done.error().code == ErrorCode::DeviceLost)
        m_session.reset();
    return std::move(done).error();
}

Status LocalEngine::answer(const ChatRequest &request, const ReplySink &sink, ReplySummary &summary,
                           const std::stop_token &stop)
{
    const Result<ChatPrompt> prompt = makeChatPrompt(m_tokenizer, request);
    if (!prompt)
        return prompt.error();
    const auto vocabulary = m_opened.model->config().decoder.vocabSize;
    for (const std::uint32_t token : prompt->prompt.tokens) {
        if (token >= vocabulary)
            return Error{ErrorCode::Corrupt, "the tokenizer gave the token " + std::to_string(token) +
                                                 ", but the model knows only " + std::to_string(vocabulary)};
    }
    summary.promptTokens = static_cast<std::uint32_t>(prompt->prompt.tokens.size());
    summary.imageTokens = static_cast<std::uint32_t>(prompt->prompt.mediaTokens());
    SyncHooks hooks;
    hooks.vision = [&](std::uint64_t done, std::uint64_t total) {
        sink(Progress{Progress::Stage::Vision, done, total});
    };
    hooks.prefill = [&](std::uint64_t done, std::uint64_t total) {
        sink(Progress{Progress::Stage::Prefill, done, total});
    };
    const Result<SyncReport> synced = m_session->sync(prompt->prompt, hooks, stop);
    if (!synced)
        return synced.error();
    summary.cachedTokens = synced->cached;
    summary.visionSeconds = synced->visionSeconds;
    summary.prefillSeconds = synced->prefillSeconds;

    ReplyEvents reply(m_tokenizer, request, sink);
    const Clock::time_point start = Clock::now();
    const Status sampled = sampleTokens(request, reply, summary, stop);
    summary.decodeSeconds = secondsSince(start);
    if (!sampled && sampled.error().code == ErrorCode::Cancelled)
        summary.finish = ReplySummary::Finish::Cancelled;
    reply.finish(summary);
    return sampled;
}

Status LocalEngine::sampleTokens(const ChatRequest &request, ReplyEvents &reply, ReplySummary &summary,
                                 const std::stop_token &stop)
{
    Sampler sampler(request.sampling);
    summary.seed = sampler.seed();
    summary.finish = ReplySummary::Finish::Length;
    while (summary.newTokens < request.maxNewTokens) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "the reply was stopped"};
        const Result<std::uint32_t> token = sampler.choose(m_session->logits());
        if (!token)
            return token.error();
        if (endsReply(*token)) {
            summary.finish = ReplySummary::Finish::Stop;
            return Done{};
        }
        ++summary.newTokens;
        if (Status taken = reply.take(*token); !taken)
            return taken;
        if (summary.newTokens == request.maxNewTokens || m_session->room() == 0)
            return Done{};
        if (Status appended = m_session->append(*token, stop); !appended)
            return appended;
    }
    return Done{};
}

} // namespace perilune
