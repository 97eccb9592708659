#pragma once

#include "app/markdown/blocks.h"
#include "ui/viewmodel/transcript_model.h"

#include <chrono>
#include <variant>
#include <vector>

namespace perilune::ui {

/// An answer while it is written: collects its events and keeps the last rows of a transcript in step.
/// What is closed is never drawn again, so a token costs the same however long the answer is.
class LiveReply {
public:
    using Clock = std::chrono::steady_clock;

    LiveReply(ConversationId conversation, MessageId message)
        : m_conversation(conversation),
          m_message(message)
    {
    }

    ConversationId conversation() const { return m_conversation; }
    MessageId message() const { return m_message; }

    void add(const std::vector<ReplyEvent> &events, Clock::time_point now);

    /// From here on it is shown after the rows that `model` has now.
    void show(TranscriptModel &model);
    /// Rows above it came (or went, where `rows` is below 0).
    void move(int rows) { m_firstRow += rows; }
    /// It is not shown until the next show().
    void hide() { m_model = nullptr; }

    /// Draws it to its end, with what `stored` says about how it ended. The last call.
    void finish(const StoredMessage &stored, Clock::time_point now);

private:
    struct Thoughts {
        std::string text;
        Clock::time_point began, ended;
        bool open = true;
    };
    using Segment = std::variant<Thoughts, MarkdownBlocks, ToolCallPart>;

    void closeThoughts(Clock::time_point now);
    void update();
    void addTextRows(const MarkdownBlocks &text, bool last, std::vector<TranscriptRow> &rows);

    ConversationId m_conversation;
    MessageId m_message;
    std::vector<Segment> m_segments;
    bool m_finished = false;

    TranscriptModel *m_model = nullptr;
    int m_firstRow = 0;        ///< of the answer, in the model
    int m_finalRows = 0;       ///< rows that never change again
    std::size_t m_segment = 0; ///< the first that may still change
    std::size_t m_block = 0;   ///< in it, the first block that has no final row
};

} // namespace perilune::ui
