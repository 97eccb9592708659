#pragma once

#include "app/turn/turn_runner.h"

#include <QObject>
#include <QQmlEngine>

namespace perilune::ui {

/// Which model answers, and whether it is ready. Chat passes on what the engine says.
class EngineStatus : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("comes from WindowModel.engine")
    Q_PROPERTY(bool ready READ ready NOTIFY changed)
    Q_PROPERTY(bool loading READ loading NOTIFY changed)
    Q_PROPERTY(bool failed READ failed NOTIFY changed)
    Q_PROPERTY(QString modelName READ modelName NOTIFY changed)
    Q_PROPERTY(QString detail READ detail NOTIFY changed)
    Q_PROPERTY(QString note READ note NOTIFY changed)
    Q_PROPERTY(double progress READ progress NOTIFY changed)

public:
    explicit EngineStatus(TurnRunner &turns, QObject *parent = nullptr);

    bool ready() const { return m_state.stage == EngineState::Stage::Ready; }
    bool loading() const { return m_state.stage == EngineState::Stage::Loading; }
    bool failed() const { return m_state.stage == EngineState::Stage::Failed; }
    QString modelName() const;
    /// The device where it is ready, what is being done while it loads, the reason where it failed.
    QString detail() const;
    /// What the person should know about the model; usually empty.
    QString note() const;
    /// Of loading, 0 to 1; -1 where it is not known.
    double progress() const;

    /// How the loaded model suggests to choose words; the program's own where none is loaded.
    SamplingOptions suggestedSampling() const { return m_state.capabilities.suggestedSampling; }

    void show(const EngineState &state);

    /// Opens the engine, again where it failed.
    Q_INVOKABLE void load();

signals:
    void changed();

private:
    TurnRunner &m_turns;
    EngineState m_state;
};

} // namespace perilune::ui
