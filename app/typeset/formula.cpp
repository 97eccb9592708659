#include "app/typeset/formula.h"

#include "app/typeset/glyph_run.h"

#include <QPainter>
#include <QPen>

#include <algorithm>

namespace perilune {

namespace {

class Paint {
public:
    Paint(QPainter &painter, QPointF origin, double pixels, const QColor &ink)
        : m_painter(painter),
          m_origin(origin),
          m_pixels(pixels),
          m_ink(ink)
    {
    }

    void operator()(const Formula::Glyphs &glyphs)
    {
        paintGlyphs(m_painter, glyphs, m_origin, m_pixels, m_ink);
    }

    void operator()(const Formula::Bar &bar)
    {
        QRectF rect(m_origin + bar.rect.topLeft() * m_pixels, bar.rect.size() * m_pixels);
        const double pixel = 1 / std::max(1e-6, m_painter.transform().m11());
        if (rect.height() < pixel)
            rect.setTop(rect.bottom() - pixel);
        if (rect.width() < pixel)
            rect.setWidth(pixel);
        if (!bar.dashed) {
            m_painter.fillRect(rect, colorOf(bar.color));
            return;
        }
        const bool level = rect.width() > rect.height();
        const double thick = level ? rect.height() : rect.width();
        m_painter.save();
        m_painter.setPen(QPen(colorOf(bar.color), thick, Qt::DashLine, Qt::FlatCap));
        if (level)
            m_painter.drawLine(QPointF(rect.left(), rect.center().y()),
                               QPointF(rect.right(), rect.center().y()));
        else
            m_painter.drawLine(QPointF(rect.center().x(), rect.top()),
                               QPointF(rect.center().x(), rect.bottom()));
        m_painter.restore();
    }

    void operator()(const Formula::Shape &shape)
    {
        m_painter.save();
        m_painter.translate(m_origin);
        m_painter.scale(m_pixels, m_pixels);
        m_painter.setClipRect(shape.clip, Qt::IntersectClip);
        if (shape.stroke > 0)
            m_painter.strokePath(shape.path,
                                 QPen(colorOf(shape.color), shape.stroke, Qt::SolidLine, Qt::FlatCap));
        else
            m_painter.fillPath(shape.path, colorOf(shape.color));
        m_painter.restore();
    }

private:
    QColor colorOf(const QColor &color) const { return color.isValid() ? color : m_ink; }

    QPainter &m_painter;
    QPointF m_origin;
    double m_pixels;
    QColor m_ink;
};

} // namespace

void Formula::paint(QPainter &painter, QPointF origin, double pixels, const QColor &ink) const
{
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    Paint paint(painter, origin, pixels, ink);
    for (const Mark &mark : marks)
        std::visit(paint, mark);
    painter.restore();
}

} // namespace perilune
