#pragma once

#include "ui/viewmodel/formula_shelf.h"

#include <QColor>
#include <QQuickImageProvider>
#include <QSize>

namespace perilune::ui {

/// Formulas within lines of text: what <img> in rich text loads.
class FormulaImages : public QQuickImageProvider {
public:
    FormulaImages() : QQuickImageProvider(QQuickImageProvider::Image) {}

    /// The name to give QQmlEngine::addImageProvider.
    static QString providerName() { return QStringLiteral("formula"); }

    /// An image in the units of the text around it: as wide as the formula and high enough that one that is
    /// aligned "middle" has its baseline on the line's, where the font's x is `xHeight` high.
    struct Box {
        QSize size;
        double baseline = 0; ///< from the top
    };
    static Box boxOf(const Formula &formula, double pixels, double xHeight);

    /// The address of the image of a formula that somebody holds. One em is `pixels`, one unit `ratio` dots.
    static QString source(const ShelvedFormula &formula, double pixels, double xHeight, double ratio,
                          const QColor &ink);

    QImage requestImage(const QString &id, QSize *size, const QSize &requestedSize) override;

    FormulaShelf &shelf() { return m_shelf; }

private:
    FormulaShelf m_shelf;
};

} // namespace perilune::ui
