#include "ui/viewmodel/turn_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace perilune::ui {
namespace {

using Stage = TurnState::Stage;

QString tr(const char *text)
{
    return QCoreApplication::translate("TurnText", text);
}

QString number(std::uint64_t value)
{
    return QLocale().toString(static_cast<qulonglong>(value));
}

/// The one that is in work, counted from 1.
QString current(const TurnState &state)
{
    return number(std::min(state.done + 1, std::max<std::uint64_t>(state.total, 1)));
}

bool hasPercent(Stage stage)
{
    return stage == Stage::Loading || stage == Stage::Compiling || stage == Stage::Vision ||
           stage == Stage::Prefill;
}

} // namespace

void TurnText::update(const TurnState &state, Clock::time_point now)
{
    m_progress = state.total > 0 && state.stage != Stage::Writing
                     ? std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total))
                     : -1;
    if (state.stage != m_stage) {
        m_stage = state.stage;
        m_began = now;
        m_progressAtBegin = std::max(m_progress, 0.0); // what a cache gave for nothing is no measure
    }

    m_text = words(state);
    if (m_progress >= 0 && hasPercent(state.stage)) {
        m_text += QStringLiteral(" ") + QLocale().toString(static_cast<int>(m_progress * 100)) +
                  QStringLiteral(" %");
        m_text += timeLeft(now);
    }
}

QString TurnText::timeLeft(Clock::time_point now) const
{
    const std::chrono::duration<double> elapsed = now - m_began;
    const double gained = m_progress - m_progressAtBegin;
    if (elapsed.count() < 1 || gained < 0.02)
        return {}; // too early to say
    const double left = elapsed.count() * (1 - m_progress) / gained;
    if (left < 90)
        return QStringLiteral(" · ") +
               tr("%1 s left").arg(number(static_cast<std::uint64_t>(std::max(1L, std::lround(left)))));
    return QStringLiteral(" · ") +
           tr("%1 min left").arg(number(static_cast<std::uint64_t>(std::lround(left / 60))));
}

QString TurnText::words(const TurnState &state) const
{
    switch (state.stage) {
    case Stage::Saving: return tr("Saving…");
    case Stage::Waiting:
        return state.done > 1 ? tr("Waiting for %1 other answers…").arg(number(state.done))
                              : tr("Waiting for another answer…");
    case Stage::Loading: return tr("Loading the model…");
    case Stage::Compiling: return tr("Preparing the graphics device…");
    case Stage::Preparing:
        return state.total > 1 ? tr("Reading file %1 of %2…").arg(current(state), number(state.total))
                               : tr("Reading the file…");
    case Stage::Vision: return tr("Looking at the pictures…");
    case Stage::Prefill: return tr("Reading the prompt…");
    case Stage::Asking: return tr("A tool waits for your decision.");
    case Stage::Calling: return tr("A tool is running…");
    case Stage::Writing:
        return state.tokensPerSecond > 0
                   ? tr("Writing · %1 tokens/s").arg(QLocale().toString(state.tokensPerSecond, 'f', 1))
                   : tr("Writing…");
    case Stage::Stopping: return tr("Stopping…");
    case Stage::Finished: break;
    }
    return {};
}

QString loadingText(const Progress &progress)
{
    TurnText text;
    text.update({.stage = progress.stage == Progress::Stage::Compiling ? Stage::Compiling : Stage::Loading,
                 .done = progress.done,
                 .total = progress.total},
                {});
    return text.text();
}

} // namespace perilune::ui
