#include "tests/support/scripted_engine.h"

#include <algorithm>
#include <condition_variable>
#include <thread>
#include <utility>

namespace perilune::test {

namespace {

/// Sleeps for `pause`, or until `stop` is requested.
void rest(std::chrono::milliseconds pause, const std::stop_token &stop)
{
    if (pause.count() == 0)
        return;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, pause, [] { return false; });
}

std::string lastWords(const ChatRequest &request)
{
    std::string words = "You said:";
    if (request.messages.empty())
        return words;
    for (const Part &part : request.messages.back().parts) {
        if (const auto *text = std::get_if<TextPart>(&part))
            words += " " + text->text;
    }
    return words;
}

ScriptedReply wordByWord(const std::string &text, std::chrono::milliseconds pause)
{
    ScriptedReply reply;
    reply.pause = pause;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end =
            std::min(text.find(' ', begin), text.size() - 1) + 1; // the space goes with the word
        reply.events.emplace_back(TextDelta{text.substr(begin, end - begin)});
        begin = end;
    }
    return reply;
}

} // namespace

Capabilities scriptedCapabilities()
{
    Capabilities capabilities;
    capabilities.modelName = "Scripted";
    capabilities.deviceName = "none";
    capabilities.images = capabilities.video = capabilities.tools = capabilities.thinking = true;
    capabilities.contextTokens = 4096;
    return capabilities;
}

void Script::say(ScriptedReply reply)
{
    const std::lock_guard lock(m_mutex);
    m_replies.push_back(std::move(reply));
}

void Script::say(const std::string &text, std::chrono::milliseconds pause)
{
    say(wordByWord(text, pause));
}

void Script::failToOpen(Error error)
{
    const std::lock_guard lock(m_mutex);
    m_openErrors.push_back(std::move(error));
}

std::vector<ChatRequest> Script::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

int Script::openings() const
{
    const std::lock_guard lock(m_mutex);
    return m_openings;
}

Capabilities ScriptedEngine::capabilities() const
{
    return m_script->capabilities;
}

Result<ReplySummary> ScriptedEngine::reply(const ChatRequest &request, const ReplySink &sink,
                                           std::stop_token stop)
{
    ScriptedReply script;
    {
        const std::lock_guard lock(m_script->m_mutex);
        m_script->m_requests.push_back(request);
        if (m_script->m_replies.empty()) {
            script = wordByWord(lastWords(request), {});
        } else {
            script = std::move(m_script->m_replies.front());
            m_script->m_replies.pop_front();
        }
    }
    ReplySummary summary;
    summary.finish = script.finish;
    summary.promptTokens = static_cast<std::uint32_t>(10 * request.messages.size());
    summary.seed = request.sampling.seed.value_or(1);
    for (ReplyEvent &event : script.events) {
        rest(script.pause, stop);
        if (stop.stop_requested()) {
            summary.finish = ReplySummary::Finish::Cancelled;
            return summary;
        }
        summary.newTokens += std::holds_alternative<Progress>(event) ? 0 : 1;
        sink(std::move(event));
    }
    if (script.error)
        return *script.error;
    return summary;
}

EngineOpener scriptedOpener(std::shared_ptr<Script> script)
{
    return [script](const std::function<void(Progress)> &progress,
                    const std::stop_token &) -> Result<std::unique_ptr<ChatEngine>> {
        {
            const std::lock_guard lock(script->m_mutex);
            ++script->m_openings;
            if (!script->m_openErrors.empty()) {
                Error error = std::move(script->m_openErrors.front());
                script->m_openErrors.pop_front();
                return error;
            }
        }
        if (progress)
            progress({Progress::Stage::Loading, 1, 1});
        return std::unique_ptr<ChatEngine>(std::make_unique<ScriptedEngine>(script));
    };
}

} // namespace perilune::test
