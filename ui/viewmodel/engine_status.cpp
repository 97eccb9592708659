#include "ui/viewmodel/engine_status.h"

#include "ui/viewmodel/turn_text.h"

#include <QFileInfo>

namespace perilune::ui {

EngineStatus::EngineStatus(TurnRunner &turns, QObject *parent)
    : QObject(parent),
      m_turns(turns),
      m_state(turns.engine())
{
}

QString EngineStatus::modelName() const
{
    const QString name = QString::fromStdString(m_state.capabilities.modelName);
    return name.isEmpty() ? tr("No model") : name;
}

QString EngineStatus::detail() const
{
    switch (m_state.stage) {
    case EngineState::Stage::Ready: return QString::fromStdString(m_state.capabilities.deviceName);
    case EngineState::Stage::Loading: return loadingText(m_state.progress);
    case EngineState::Stage::Failed: return QString::fromStdString(m_state.error.message);
    case EngineState::Stage::Unloaded: break;
    }
    return tr("Loads with the first message");
}

QString EngineStatus::note() const
{
    QStringList notes;
    for (const std::string &note : m_state.capabilities.notes)
        notes += QString::fromStdString(note);
    return notes.join('\n');
}

double EngineStatus::progress() const
{
    const Progress &progress = m_state.progress;
    return loading() && progress.total > 0
               ? static_cast<double>(progress.done) / static_cast<double>(progress.total)
               : -1;
}

void EngineStatus::show(const EngineState &state)
{
    m_state = state;
    emit changed();
}

void EngineStatus::load()
{
    m_turns.loadEngine();
}

} // namespace perilune::ui
