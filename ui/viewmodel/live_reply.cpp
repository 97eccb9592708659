#include "ui/viewmodel/live_reply.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perilune::ui {

void LiveReply::closeThoughts(Clock::time_point now)
{
    if (m_segments.empty())
        return;
    if (auto *thoughts = std::get_if<Thoughts>(&m_segments.back()); thoughts && thoughts->open) {
        thoughts->open = false;
        thoughts->ended = now;
    }
}

void LiveReply::add(const std::vector<ReplyEvent> &events, Clock::time_point now)
{
    for (const ReplyEvent &event : events) {
        if (const auto *thought = std::get_if<ThinkingDelta>(&event)) {
            if (m_segments.empty() || !std::holds_alternative<Thoughts>(m_segments.back()))
                m_segments.emplace_back(Thoughts{.text = {}, .began = now, .ended = now});
            std::get<Thoughts>(m_segments.back()).text += thought->text;
        } else if (const auto *text = std::get_if<TextDelta>(&event)) {
            closeThoughts(now);
            if (m_segments.empty() || !std::holds_alternative<MarkdownBlocks>(m_segments.back()))
                m_segments.emplace_back(MarkdownBlocks());
            std::get<MarkdownBlocks>(m_segments.back()).feed(text->text);
        } else if (const auto *ready = std::get_if<ToolCallReady>(&event)) {
            closeThoughts(now);
            m_segments.emplace_back(ready->call);
        }
    }
    update();
}

void LiveReply::show(TranscriptModel &model)
{
    m_model = &model;
    m_firstRow = model.count();
    m_finalRows = 0;
    m_segment = 0;
    m_block = 0;
    update();
}

void LiveReply::finish(const StoredMessage &stored, Clock::time_point now)
{
    closeThoughts(now);
    m_finished = true;
    update();
    if (m_model)
        m_model->replaceFrom(m_firstRow + m_finalRows, closingRows(stored));
}

void LiveReply::addTextRows(const MarkdownBlocks &text, bool last, std::vector<TranscriptRow> &rows)
{
    const std::vector<MarkdownBlock> &closed = text.closed();
    for (; m_block < closed.size(); ++m_block)
        std::ranges::move(blockRows(closed[m_block], text.source(closed[m_block]), m_message),
                          std::back_inserter(rows));
    const auto finalRows = rows.size();
    for (const MarkdownBlock &block : text.open())
        std::ranges::move(blockRows(block, text.source(block), m_message), std::back_inserter(rows));
    if (last) {
        for (std::size_t row = finalRows; row < rows.size(); ++row)
            rows[row].open = true;
    }
}

void LiveReply::update()
{
    if (!m_model)
        return;

    std::vector<TranscriptRow> rows;
    std::size_t finalRows = 0;
    while (m_segment < m_segments.size()) {
        const bool last = m_segment + 1 == m_segments.size() && !m_finished;
        const Segment &segment = m_segments[m_segment];
        if (const auto *text = std::get_if<MarkdownBlocks>(&segment)) {
            addTextRows(*text, last, rows);
        } else if (const auto *thoughts = std::get_if<Thoughts>(&segment)) {
            const std::chrono::duration<double> taken = thoughts->ended - thoughts->began;
            rows.push_back(thinkingRow(thoughts->text, m_message, taken.count()));
            rows.back().open = thoughts->open;
        } else {
            const auto before = std::count_if(
                m_segments.begin(), m_segments.begin() + static_cast<std::ptrdiff_t>(m_segment),
                [](const Segment &earlier) { return std::holds_alternative<ToolCallPart>(earlier); });
            rows.push_back(toolCallRow(std::get<ToolCallPart>(segment), m_message, static_cast<int>(before)));
        }
        const auto open = std::ranges::find_if(rows, [](const TranscriptRow &row) { return row.open; });
        finalRows = static_cast<std::size_t>(open - rows.begin());
        if (last && !std::holds_alternative<ToolCallPart>(segment))
            break;
        ++m_segment;
        m_block = 0;
    }

    if (m_finalRows == 0 && !rows.empty())
        rows.front().startsMessage = true;
    m_model->replaceFrom(m_firstRow + m_finalRows, std::move(rows));
    m_finalRows += static_cast<int>(finalRows);
}

} // namespace perilune::ui
