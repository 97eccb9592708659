#include "ui/viewmodel/formula_item.h"

#include <QPainter>

#include <cmath>

namespace perilune::ui {

namespace {

constexpr double kScale = 1.21; // as KaTeX's own style sheet has it
constexpr double kMargin = 2;   // letters may lean out of their boxes

} // namespace

FormulaItem::FormulaItem(QQuickItem *parent) : QQuickPaintedItem(parent)
{
    setAntialiasing(true);
}

double FormulaItem::em() const
{
    return m_pixelSize * kScale;
}

void FormulaItem::setLatex(const QString &latex)
{
    if (latex == m_latex)
        return;
    m_latex = latex;
    emit changed();
    look();
}

void FormulaItem::setPixelSize(double pixelSize)
{
    m_pixelSize = pixelSize;
    emit changed();
    look();
}

void FormulaItem::setColor(const QColor &color)
{
    m_color = color;
    emit changed();
    update();
}

void FormulaItem::componentComplete()
{
    QQuickPaintedItem::componentComplete();
    m_shelf = FormulaShelf::of(this);
    if (m_shelf)
        connect(m_shelf, &FormulaShelf::arrived, this, [this] {
            if (!m_formula)
                look();
        });
    look();
}

void FormulaItem::look()
{
    if (!m_shelf || m_latex.isEmpty())
        return;
    m_formula = m_shelf->find(m_latex, true);
    if (m_formula) {
        const Formula &formula = m_formula->formula;
        setImplicitSize(std::ceil(formula.width * em() + 2 * kMargin),
                        std::ceil((formula.ascent + formula.descent) * em() + 2 * kMargin));
    }
    emit arrived();
    update();
}

void FormulaItem::paint(QPainter *painter)
{
    if (m_formula)
        m_formula->formula.paint(*painter, QPointF(kMargin, kMargin + m_formula->formula.ascent * em()), em(),
                                 m_color);
}

} // namespace perilune::ui
