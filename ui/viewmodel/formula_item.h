#pragma once

#include "ui/viewmodel/formula_shelf.h"

#include <QColor>
#include <QQuickPaintedItem>

namespace perilune::ui {

/// A formula on lines of its own. Its implicit size is the formula's.
class FormulaItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString latex READ latex WRITE setLatex NOTIFY changed)
    Q_PROPERTY(double pixelSize READ pixelSize WRITE setPixelSize NOTIFY changed)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY changed)
    Q_PROPERTY(bool ready READ ready NOTIFY arrived)    ///< it can be seen
    Q_PROPERTY(QString fault READ fault NOTIFY arrived) ///< why it can't be set

public:
    explicit FormulaItem(QQuickItem *parent = nullptr);

    QString latex() const { return m_latex; }
    void setLatex(const QString &latex);
    double pixelSize() const { return m_pixelSize; } ///< of the text around it
    void setPixelSize(double pixelSize);
    QColor color() const { return m_color; }
    void setColor(const QColor &color);
    bool ready() const { return m_formula && m_formula->fault.isEmpty(); }
    QString fault() const { return m_formula ? m_formula->fault : QString(); }

    void componentComplete() override;
    void paint(QPainter *painter) override;

signals:
    void changed();
    void arrived();

private:
    void look();
    double em() const;

    QString m_latex;
    double m_pixelSize = 15;
    QColor m_color = Qt::black;
    FormulaShelf *m_shelf = nullptr;
    ShelvedFormulaPtr m_formula;
};

} // namespace perilune::ui
