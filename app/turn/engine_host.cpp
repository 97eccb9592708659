#include "app/turn/engine_host.h"

namespace perilune {

Result<ChatEngine *> EngineHost::ensure(const std::function<void(Progress)> &progress,
                                        const std::stop_token &stop)
{
    if (m_engine)
        return m_engine.get();
    EngineOpener opener;
    {
        const std::lock_guard lock(m_mutex);
        opener = m_opener;
    }
    if (!opener)
        return Error{ErrorCode::NotFound, "no model is chosen"};
    Result<std::unique_ptr<ChatEngine>> opened = opener(progress, stop);
    if (!opened)
        return std::move(opened).error();
    m_engine = std::move(*opened);
    return m_engine.get();
}

} // namespace perilune
