#include "app/application.h"

#include "app/places.h"
#include "app/tools/builtin_tools.h"
#include "app/turn/find_in_chats.h"
#include "engine/base/output_file.h"
#include "engine/base/read_file.h"

#include <chrono>
#include <cstdint>
#include <utility>

namespace perilune {

namespace {

std::string textOf(const std::filesystem::path &path)
{
    constexpr std::uint64_t longest = 16 << 20;
    Result<std::string> text = readFile(path.string(), longest);
    return text ? *std::move(text) : std::string();
}

constexpr std::chrono::milliseconds kHousekeepingDelay{4000}; // the window comes first
constexpr std::chrono::milliseconds kBetweenSteps{50};
constexpr std::uint32_t kMessagesAStep = 50; // indexed at once: some milliseconds
constexpr std::int64_t kDaysInBin = 30;

/// Puts messages into the search index, a few at a time, so that the store answers in between.
void indexOn(StoreThread &thread, std::chrono::milliseconds delay)
{
    thread.run(
        [&thread](ConversationStore &store) {
            const Result<bool> more = store.indexMessages(kMessagesAStep);
            if (more && *more && !thread.ending())
                indexOn(thread, kBetweenSteps);
        },
        delay);
}

void keepHouse(StoreThread &thread)
{
    thread.run(
        [&thread](ConversationStore &store) {
            if (thread.ending() || !store.readOnlyReason().empty())
                return;
            // What can't be removed now is removed another day.
            (void)store.emptyBin(nowMs() - kDaysInBin * 24 * 60 * 60 * 1000);
            indexOn(thread, kBetweenSteps);
        },
        kHousekeepingDelay);
}

} // namespace

std::unique_ptr<Application> Application::open(Options options)
{
    SettingsFile settings =
        options.settings ? *std::move(options.settings) : SettingsFile::open(options.settingsPath);
    options.settings.reset();
    return std::unique_ptr<Application>(new Application(std::move(options), std::move(settings)));
}

Application::Application(Options options, SettingsFile settings)
    : m_options(std::move(options)),
      m_settings(std::move(settings)),
      m_tools(builtinTools(ToolPlaces{
          .files = {.base = places::home(), .home = places::home(), .canBeShown = canBeShown},
          .find = findInChats(m_options.dataFolder)
}))
{
    for (std::shared_ptr<const Tool> &tool : m_options.moreTools) {
        if (const Status added = m_tools.add(std::move(tool), Usually::Off); !added && m_options.log)
            m_options.log(added.error().message);
    }
    if (!m_settings.notice().empty())
        m_notices.push_back(m_settings.notice());

    openStores();
    const std::filesystem::path chosen = m_options.dataFolder / "tools.json";
    const auto keep = [this, chosen](const std::string &json) {
        m_store->run([log = m_options.log, chosen, json](ConversationStore &) {
            if (const Status kept = replaceFile(chosen, ToolChoices::withApprovalsOf(json, textOf(chosen)));
                !kept && log)
                log(kept.error().message);
        });
    };
    m_toolChoices = std::make_unique<ToolChoices>(textOf(chosen), keep, isTemporary);
    for (std::unique_ptr<Worker> &worker : m_media)
        worker = std::make_unique<Worker>(Worker::AtEnd::DropRest, m_options.log);
    m_engine = std::make_unique<Worker>(Worker::AtEnd::DropRest, m_options.log);
    m_turns = std::make_unique<TurnRunner>(TurnRunner::Services{
        .store = m_store.get(),
        .engineWorker = m_engine.get(),
        .mediaWorkers = {m_media[0].get(), m_media[1].get()},
        .post = m_options.post,
        .openEngine = m_options.openEngine,
        .prepare = m_options.prepare,
        .tools = {&m_tools, m_toolChoices.get(), {}},
        .temporary = m_temporary.get(),
        .titlesAfter = m_options.titlesAfter,
    });
}

void Application::openStores()
{
    m_store = std::make_unique<StoreThread>(
        [folder = m_options.dataFolder] {
            Result<std::unique_ptr<ConversationStore>> store = ConversationStore::open(folder);
            return store ? *std::move(store) : ConversationStore::standIn(folder, store.error().message);
        },
        m_options.post, m_options.log,
        [news = m_storeNews](const std::string &readOnlyReason) {
            news->readOnlyReason = readOnlyReason;
            if (news->then)
                news->then(readOnlyReason);
        });
    keepHouse(*m_store);
    m_temporary = std::make_unique<StoreThread>(
        [media = m_memoryFolder.path()] {
            Result<std::unique_ptr<ConversationStore>> store = ConversationStore::temporary(media);
            return store ? *std::move(store) : ConversationStore::standIn({}, store.error().message);
        },
        m_options.post, m_options.log, StoreThread::Opened());
}

void Application::whenStoreOpened(std::function<void(const std::string &)> then)
{
    if (then && m_storeNews->readOnlyReason)
        then(*m_storeNews->readOnlyReason);
    m_storeNews->then = std::move(then);
}

Application::~Application() = default;

void Application::attach(const MediaPart &part, std::stop_token stop, MediaProgress progress,
                         std::function<void(Result<Attachment>)> then)
{
    const EngineState &engine = m_turns->engine();
    const bool ready = engine.stage == EngineState::Stage::Ready;
    std::string config = ready ? engine.capabilities.visionConfigPath : m_options.visionConfigPath;
    auto report = [post = m_options.post, progress = std::move(progress), last = 0](double fraction) mutable {
        const int hundredths = static_cast<int>(fraction * 100);
        if (std::exchange(last, hundredths) != hundredths)
            post([progress, fraction] { progress(fraction); }, {});
    };
    onMediaThread([part, stop = std::move(stop), then = std::move(then), config = std::move(config), report,
                   prepare = m_options.prepare, post = m_options.post]() mutable {
        auto result = std::make_shared<Result<Attachment>>(
            prepare
                ? prepare(part, KindFrom::File, config, stop, report)
                : Result<Attachment>(Error{ErrorCode::Unsupported, "pictures and clips can't be read here"}));
        post([result, then = std::move(then)] { then(std::move(*result)); }, {});
    });
}

void Application::onMediaThread(std::function<void()> job)
{
    m_media[m_nextMedia++ % 2]->post(std::move(job));
}

} // namespace perilune
