#pragma once

#include "engine/api/chat_engine.h"
#include "engine/session/chat_prompt.h"
#include "engine/session/generation_config.h"
#include "engine/session/opened_model.h"
#include "engine/session/reply_events.h"
#include "engine/session/session.h"
#include "engine/text/tokenizer.h"

#include <memory>
#include <optional>
#include <string>

namespace perilune {

/// Answers with a model of this machine. Keeps what it has read: the next reply evaluates only what its
/// conversation adds. After the device was lost, the next reply opens it again. Calls of tools: as
/// ReplyEvents has them.
class LocalEngine : public ChatEngine {
public:
    /// Reads the text files, loads the model and compiles, telling `progress` how far it is. `family`
    /// overrides what the folder says.
    static Result<std::unique_ptr<LocalEngine>> open(const OpenOptions &options,
                                                     std::optional<ChatFamily> family,
                                                     const std::function<void(Progress)> &progress,
                                                     const std::stop_token &stop);

    Capabilities capabilities() const override;
    Result<ReplySummary> reply(const ChatRequest &request, const ReplySink &sink,
                               std::stop_token stop) override;

private:
    LocalEngine(const OpenOptions &options, Tokenizer tokenizer, GenerationConfig generation);
    Status ensureOpen(const std::function<void(Progress)> &progress, const std::stop_token &stop);
    Status answer(const ChatRequest &request, const ReplySink &sink, ReplySummary &summary,
                  const std::stop_token &stop);
    Status sampleTokens(const ChatRequest &request, ReplyEvents &reply, ReplySummary &summary,
                        const std::stop_token &stop);
    bool endsReply(TokenId id) const;

    OpenOptions m_options;
    Tokenizer m_tokenizer;
    GenerationConfig m_generation;
    Capabilities m_capabilities;
    OpenedModel m_opened;
    std::unique_ptr<Session> m_session; // null where the device was lost
};

} // namespace perilune
