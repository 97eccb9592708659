#include "ui/viewmodel/formula_images.h"

#include <QImage>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace perilune::ui {

namespace {

constexpr int kLargest = 8192; // dots: a graphics card's smallest limit

} // namespace

FormulaImages::Box FormulaImages::boxOf(const Formula &formula, double pixels, double xHeight)
{
    // Qt puts the middle of such an image half the half of an x above the baseline: the part above is
    // (height + half) / 2. The higher of the two parts decides, and the other is filled up.
    const double half = xHeight / 2;
    const double above = std::ceil(formula.ascent * pixels) + 1,
                 below = std::ceil(formula.descent * pixels) + 1;
    const double height = std::ceil(std::max(2 * above - half, 2 * below + half));
    return {.size = QSize(static_cast<int>(std::ceil(formula.width * pixels)) + 1, static_cast<int>(height)),
            .baseline = (height + half) / 2};
}

QString FormulaImages::source(const ShelvedFormula &formula, double pixels, double xHeight, double ratio,
                              const QColor &ink)
{
    return QStringLiteral("image://%1/%2/%3/%4/%5/%6")
        .arg(providerName(), QString::number(formula.id), QString::number(pixels), QString::number(xHeight),
             QString::number(ratio), ink.name(QColor::HexArgb).mid(1));
}

QImage FormulaImages::requestImage(const QString &id, QSize *size, const QSize & /*requestedSize*/)
{
    const QStringList parts = id.split(QLatin1Char('/'));
    const ShelvedFormulaPtr formula = m_shelf.held(parts.value(0).toULongLong());
    const double pixels = parts.value(1).toDouble(), xHeight = parts.value(2).toDouble();
    const double ratio = std::clamp(parts.value(3).toDouble(), 1.0, 8.0);
    if (!formula || pixels <= 0)
        return {};
    const Box box = boxOf(formula->formula, pixels, xHeight);
    const QSize dots = (QSizeF(box.size) * ratio).toSize().boundedTo({kLargest, kLargest});
    QImage image(dots, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(ratio, ratio);
    formula->formula.paint(painter, QPointF(0, box.baseline), pixels,
                           QColor(QLatin1Char('#') + parts.value(4)));
    painter.end();
    if (size)
        *size = dots;
    return image;
}

} // namespace perilune::ui
