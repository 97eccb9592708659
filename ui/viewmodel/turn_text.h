#pragma once

#include "app/turn/turn_state.h"

#include <QString>

#include <chrono>

namespace perilune::ui {

/// Turns what a turn does into words: "Reading the prompt… 42 % · 3 s left". Knows how long the stage has
/// been going on, which is what the time left is reckoned from.
class TurnText {
public:
    using Clock = std::chrono::steady_clock;

    /// To be called with each change.
    void update(const TurnState &state, Clock::time_point now);

    const QString &text() const { return m_text; }
    /// 0 to 1; -1 where it is not known.
    double progress() const { return m_progress; }

private:
    QString words(const TurnState &state) const;
    QString timeLeft(Clock::time_point now) const;

    TurnState::Stage m_stage = TurnState::Stage::Finished;
    Clock::time_point m_began;
    double m_progressAtBegin = 0;
    double m_progress = -1;
    QString m_text;
};

/// The same words for the loading of an engine outside of a turn.
QString loadingText(const Progress &progress);

} // namespace perilune::ui
