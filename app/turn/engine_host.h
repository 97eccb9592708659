#pragma once

#include "engine/api/chat_engine.h"

#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace perilune {

/// Holds the engine of the engine thread: opens it when it is first needed, and anew after the device was
/// lost. All functions but setOpener are for the engine thread.
class EngineHost {
public:
    explicit EngineHost(EngineOpener opener) : m_opener(std::move(opener)) {}

    /// The engine, opened where it isn't. Valid until drop().
    Result<ChatEngine *> ensure(const std::function<void(Progress)> &progress, const std::stop_token &stop);

    bool isOpen() const { return m_engine != nullptr; }
    void drop() { m_engine.reset(); }

    /// What the next opening uses. Any thread.
    void setOpener(EngineOpener opener)
    {
        const std::lock_guard lock(m_mutex);
        m_opener = std::move(opener);
    }

private:
    std::mutex m_mutex; // guards the opener
    EngineOpener m_opener;
    std::unique_ptr<ChatEngine> m_engine;
};

} // namespace perilune
