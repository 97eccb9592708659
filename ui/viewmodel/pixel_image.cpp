#include "ui/viewmodel/pixel_image.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace perilune::ui {

void PixelImage::setImage(const QVariant &image)
{
    m_image = image.value<QImage>();
    emit changed();
    update();
}

void PixelImage::setRadius(double radius)
{
    m_radius = radius;
    emit changed();
    update();
}

void PixelImage::paint(QPainter *painter)
{
    if (m_image.isNull())
        return;
    const double scale = std::max(width() / m_image.width(), height() / m_image.height());
    const QSizeF seen(width() / scale, height() / scale);
    const QRectF source(QPointF((m_image.width() - seen.width()) / 2, (m_image.height() - seen.height()) / 2),
                        seen);
    QPainterPath outline;
    outline.addRoundedRect(boundingRect(), m_radius, m_radius);
    painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    painter->setClipPath(outline);
    painter->drawImage(boundingRect(), m_image, source);
}

} // namespace perilune::ui
