#include "ui/viewmodel/icon_item.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>

namespace perilune::ui {
namespace {

struct Drawing {
    const char *name;
    const char *strokes; ///< see strokePath
    bool filled;
};

// M x y: begin there; L x y: line to; C 6 numbers: cubic to; Z: close; O x y r: circle; R x y w h r: rounded
// rectangle.
constexpr std::array<Drawing, 32> kDrawings{
    {
     {"plus", "M 12 5 L 12 19 M 5 12 L 19 12", false},
     {"compose",
         "M 12 4.5 L 6.5 4.5 C 5.4 4.5 4.5 5.4 4.5 6.5 L 4.5 17.5 C 4.5 18.6 5.4 19.5 6.5 19.5 L 17.5 19.5 "
         "C 18.6 19.5 19.5 18.6 19.5 17.5 L 19.5 12 M 9.5 14.5 L 9.9 11.6 L 17.6 3.9 C 18.3 3.2 19.4 3.2 "
         "20.1 3.9 "
         "C 20.8 4.6 20.8 5.7 20.1 6.4 L 12.4 14.1 Z",
         false},
     {"settings",
         "M 4 7.5 L 13 7.5 M 18 7.5 L 20 7.5 O 15.5 7.5 2.5 M 4 16.5 L 6 16.5 M 11 16.5 L 20 16.5 O 8.5 16.5 "
         "2.5",
         false},
     {"clock", "O 12 12 7.5 M 12 7.5 L 12 12.3 L 15.2 14.2", false},
     {"search", "O 10.5 10.5 6 M 15 15 L 20 20", false},
     {"menu", "M 4 7 L 20 7 M 4 12 L 20 12 M 4 17 L 20 17", false},
     {"sidebar", "R 3.5 4.5 17 15 3 M 9.5 4.5 L 9.5 19.5", false},
     {"send", "M 12 19 L 12 5.5 M 6 11.5 L 12 5.5 L 18 11.5", false},
     {"stop", "R 7 7 10 10 2", true},
     {"attach",
         "M 19.5 11.5 L 12.3 18.7 C 10.4 20.6 7.4 20.6 5.5 18.7 C 3.6 16.8 3.6 13.8 5.5 11.9 L 12.9 4.5 "
         "C 14.2 3.2 16.2 3.2 17.5 4.5 C 18.8 5.8 18.8 7.8 17.5 9.1 L 10.2 16.4 C 9.6 17 8.5 17 7.9 16.4 "
         "C 7.2 15.8 7.2 14.7 7.9 14.1 L 14.5 7.5",
         false},
     {"close", "M 6.5 6.5 L 17.5 17.5 M 17.5 6.5 L 6.5 17.5", false},
     {"more", "O 5.5 12 1.4 O 12 12 1.4 O 18.5 12 1.4", true},
     {"edit",
         "M 4.5 19.5 L 5.3 15.7 L 16 5 C 16.8 4.2 18.2 4.2 19 5 C 19.8 5.8 19.8 7.2 19 8 L 8.3 18.7 Z",
         false},
     {"trash",
         "M 4.5 7 L 19.5 7 M 9 7 L 9 5 L 15 5 L 15 7 M 6.5 7 L 7.3 19.5 L 16.7 19.5 L 17.5 7 M 10.2 11 L "
         "10.2 15.8 "
         "M 13.8 11 L 13.8 15.8",
         false},
     {"copy",
         "R 8.5 8.5 11 11 2.5 M 15.5 8.5 L 15.5 6.5 C 15.5 5.4 14.6 4.5 13.5 4.5 L 6.5 4.5 "
         "C 5.4 4.5 4.5 5.4 4.5 6.5 L 4.5 13.5 C 4.5 14.6 5.4 15.5 6.5 15.5 L 8.5 15.5",
         false},
     {"check", "M 5 12.5 L 10 17.5 L 19.5 7", false},
     {"redo",
         "M 19 12 C 19 15.9 15.9 19 12 19 C 8.1 19 5 15.9 5 12 C 5 8.1 8.1 5 12 5 C 14.6 5 16.8 6.3 18.1 8.4 "
         "M 18.7 4.3 L 18.5 8.7 L 14.2 8.5",
         false},
     {"down", "M 12 5 L 12 19 M 6 13 L 12 19 L 18 13", false},
     {"back", "M 15 6 L 9 12 L 15 18", false},
     {"folder",
         "M 3.5 18 L 3.5 7 C 3.5 6.2 4.2 5.5 5 5.5 L 9.5 5.5 L 11.5 8 L 19 8 C 19.8 8 20.5 8.7 20.5 9.5 "
         "L 20.5 17 C 20.5 17.8 19.8 18.5 19 18.5 L 4 18.5 Z",
         false},
     {"archive", "R 3.5 5 17 4.5 1 M 5 9.5 L 5 19 L 19 19 L 19 9.5 M 10 13 L 14 13", false},
     {"tag", "M 4 4.5 L 11.5 4.5 L 20 13 L 13 20 L 4.5 11.5 Z O 8.3 8.3 1", false},
     {"pin", "M 9 4.5 L 15 4.5 M 10 4.5 L 10 10.5 L 7 14 L 17 14 L 14 10.5 L 14 4.5 M 12 14 L 12 20",
         false},
     {"chevron", "M 9 6 L 15 12 L 9 18", false},
     {"warning", "M 12 4.5 L 20.5 19 L 3.5 19 Z M 12 10 L 12 14 M 12 16.6 L 12 16.7", false},
     {"picture", "R 3.5 5 17 14 3 O 8.5 10 1.5 M 4 17 L 9.5 13 L 12.5 15.2 L 16 11.5 L 20 15.2", false},
     {"play", "M 8.5 6 L 18 12 L 8.5 18 Z", true},
     {"film", "R 3.5 5.5 17 13 2.5 M 8 5.5 L 8 18.5 M 16 5.5 L 16 18.5 M 3.5 12 L 8 12 M 16 12 L 20.5 12",
         false},
     {"tool",
         "M 14.6 6.1 C 15.8 4.9 17.6 4.5 19.2 5.1 L 16.6 7.7 L 17 9.9 L 19.2 10.3 L 20.1 8.2 "
         "C 20.7 10 20 11.7 18.9 12.7 C 17.7 13.9 16 14.2 14.5 13.7 L 8.4 19.4 C 7.5 20.2 6.1 20.2 5.3 19.3 "
         "C 4.5 18.5 4.5 17.2 5.3 16.3 L 11.2 10.5 C 10.6 9 11.4 7.3 12.2 6.6",
         false},
     {"thought",
         "M 9 17 C 6.2 15.9 5 13.7 5 11 C 5 7.2 8.1 4.5 12 4.5 C 15.9 4.5 19 7.2 19 11 C 19 13.7 17.8 15.9 "
         "15 17 "
         "L 15 17.5 L 9 17.5 Z M 10 20.5 L 14 20.5",
         false},
     {"moon",
         "M 19.5 14.5 C 18.5 15 17.3 15.2 16 15.2 C 11.8 15.2 8.6 12 8.6 7.8 C 8.6 6.6 8.8 5.5 9.3 4.5 "
         "C 6.4 5.6 4.3 8.5 4.3 11.8 C 4.3 16.2 7.8 19.7 12.2 19.7 C 15.5 19.7 18.3 17.6 19.5 14.5 Z",
         false},
     {"spark", "M 12 3.5 L 13.9 10.1 L 20.5 12 L 13.9 13.9 L 12 20.5 L 10.1 13.9 L 3.5 12 L 10.1 10.1 Z",
         false},
     }
};

const Drawing *find(const QString &name)
{
    const auto *const found = std::find_if(kDrawings.begin(), kDrawings.end(),
                                           [&name](const Drawing &drawing) { return name == drawing.name; });
    return found == kDrawings.end() ? nullptr : &*found;
}

/// Reads numbers off the front of a list of words.
class Numbers {
public:
    explicit Numbers(const char *strokes)
        : m_words(QString::fromLatin1(strokes).split(' ', Qt::SkipEmptyParts))
    {
    }
    bool atEnd() const { return m_at >= m_words.size(); }
    QChar command() { return m_words.at(m_at++).at(0); }
    double number() { return m_words.at(m_at++).toDouble(); }
    QPointF point()
    {
        const double x = number();
        return {x, number()};
    }

private:
    QStringList m_words;
    qsizetype m_at = 0;
};

QPainterPath strokePath(const char *strokes)
{
    QPainterPath path;
    Numbers numbers(strokes);
    while (!numbers.atEnd()) {
        switch (numbers.command().toLatin1()) {
        case 'M': path.moveTo(numbers.point()); break;
        case 'L': path.lineTo(numbers.point()); break;
        case 'C': {
            const QPointF first = numbers.point();
            const QPointF second = numbers.point();
            path.cubicTo(first, second, numbers.point());
            break;
        }
        case 'O': {
            const QPointF centre = numbers.point();
            const double radius = numbers.number();
            path.addEllipse(centre, radius, radius);
            break;
        }
        case 'R': {
            const QPointF corner = numbers.point();
            const QPointF size = numbers.point();
            const double radius = numbers.number();
            path.addRoundedRect(QRectF(corner, QSizeF(size.x(), size.y())), radius, radius);
            break;
        }
        default: path.closeSubpath(); break;
        }
    }
    return path;
}

} // namespace

Icon::Icon(QQuickItem *parent) : QQuickPaintedItem(parent)
{
    setAntialiasing(true);
    setImplicitSize(20, 20);
}

void Icon::setName(const QString &name)
{
    if (m_name == name)
        return;
    m_name = name;
    emit nameChanged();
    update();
}

void Icon::setColor(const QColor &color)
{
    if (m_color == color)
        return;
    m_color = color;
    emit colorChanged();
    update();
}

bool Icon::exists(const QString &name)
{
    return find(name) != nullptr;
}

void Icon::paint(QPainter *painter)
{
    const Drawing *drawing = find(m_name);
    if (!drawing)
        return;

    const double side = std::min(width(), height());
    painter->translate((width() - side) / 2, (height() - side) / 2);
    painter->scale(side / 24, side / 24);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(drawing->filled ? QPen(Qt::NoPen)
                                    : QPen(m_color, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(drawing->filled ? QBrush(m_color) : QBrush(Qt::NoBrush));
    painter->drawPath(strokePath(drawing->strokes));
}

} // namespace perilune::ui
