#pragma once

#include "app/concurrency/worker.h"
#include "app/typeset/formula.h"
#include "app/typeset/formula_setter.h"

#include <QCache>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

#include <atomic>
#include <memory>

class QQmlEngine;

namespace perilune::ui {

/// A formula that was tried.
struct ShelvedFormula {
    quint64 id = 0;  ///< never given twice
    Formula formula; ///< empty where there is a fault
    QString fault;   ///< why it can't be set
};
using ShelvedFormulaPtr = std::shared_ptr<const ShelvedFormula>;

/// The formulas that the window shows. They are set on a thread of their own; what shows one asks here, and
/// again when `arrived` comes. The last few thousand are kept.
class FormulaShelf : public QObject {
    Q_OBJECT

public:
    explicit FormulaShelf(QObject *parent = nullptr);
    ~FormulaShelf() override;

    /// The shelf of the engine that `object` lives in, or null where there is none.
    static FormulaShelf *of(const QObject *object);

    /// The formula, or null where it isn't set yet; then it will be.
    ShelvedFormulaPtr find(const QString &latex, bool display);

    /// One that somebody holds, by its id, or null.
    ShelvedFormulaPtr held(quint64 id) const;

signals:
    void arrived(); ///< some that were asked for are here

private:
    void keep(const QString &key, std::shared_ptr<ShelvedFormula> formula);

    QCache<QString, ShelvedFormulaPtr> m_known;
    QHash<quint64, std::weak_ptr<const ShelvedFormula>> m_byId;
    QHash<QString, std::weak_ptr<const ShelvedFormula>>
        m_byKey; ///< also what the cache let go but somebody shows
    QSet<QString> m_asked;
    std::atomic<bool> m_ending = false;
    quint64 m_lastId = 0;
    std::unique_ptr<FormulaSetter> m_setter; ///< the worker's alone
    Worker m_worker;                         ///< last: its end comes first
};

} // namespace perilune::ui
