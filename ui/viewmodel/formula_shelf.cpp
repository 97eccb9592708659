#include "ui/viewmodel/formula_shelf.h"

#include "ui/viewmodel/formula_images.h"

#include <QQmlEngine>

#include <future>
#include <utility>

namespace perilune::ui {

namespace {

constexpr int kKept = 3000;

} // namespace

FormulaShelf::FormulaShelf(QObject *parent) : QObject(parent), m_known(kKept) {}

FormulaShelf::~FormulaShelf()
{
    m_ending = true;
    std::promise<void> done; // a script engine ends on its own thread
    m_worker.post([&] {
        m_setter.reset();
        done.set_value();
    });
    done.get_future().wait();
}

FormulaShelf *FormulaShelf::of(const QObject *object)
{
    QQmlEngine *engine = qmlEngine(object);
    auto *images = engine
                       ? dynamic_cast<FormulaImages *>(engine->imageProvider(FormulaImages::providerName()))
                       : nullptr;
    return images ? &images->shelf() : nullptr;
}

ShelvedFormulaPtr FormulaShelf::find(const QString &latex, bool display)
{
    const QString key = (display ? QLatin1Char('D') : QLatin1Char('I')) + latex;
    if (const ShelvedFormulaPtr *known = m_known.object(key))
        return *known;
    if (ShelvedFormulaPtr shown = m_byKey.value(key).lock())
        return shown;
    if (m_asked.contains(key))
        return nullptr;
    m_asked.insert(key);
    m_worker.post([this, key, latex, display] {
        if (m_ending)
            return;
        if (!m_setter)
            m_setter = std::make_unique<FormulaSetter>();
        auto tried = std::make_shared<ShelvedFormula>();
        Result<Formula> formula =
            m_setter->set(latex, display ? FormulaSetter::Style::Display : FormulaSetter::Style::Inline);
        if (formula)
            tried->formula = std::move(*formula);
        else
            tried->fault = QString::fromStdString(formula.error().message);
        QMetaObject::invokeMethod(this, [this, key, tried] { keep(key, tried); }, Qt::QueuedConnection);
    });
    return nullptr;
}

ShelvedFormulaPtr FormulaShelf::held(quint64 id) const
{
    return m_byId.value(id).lock();
}

void FormulaShelf::keep(const QString &key, std::shared_ptr<ShelvedFormula> formula)
{
    formula->id = ++m_lastId;
    m_asked.remove(key);
    if (m_byId.size() > qsizetype{2} * kKept)
        m_byId.removeIf([](const auto &each) { return each.value().expired(); });
    if (m_byKey.size() > qsizetype{2} * kKept)
        m_byKey.removeIf([](const auto &each) { return each.value().expired(); });
    m_byId.insert(formula->id, formula);
    m_byKey.insert(key, formula);
    m_known.insert(key, new ShelvedFormulaPtr(std::move(formula)));
    if (m_asked.isEmpty() || m_known.size() % 16 == 0) // many come at once
        emit arrived();
}

} // namespace perilune::ui
