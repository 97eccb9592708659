#include "app/typeset/svg_path.h"

#include <array>
#include <cctype>
#include <charconv>
#include <string>

namespace perilune {

namespace {

class PathReader {
public:
    explicit PathReader(std::string data) : m_data(std::move(data)) {}

    QPainterPath read()
    {
        while (command()) {
            while (step()) {
            }
        }
        return m_path;
    }

private:
    void skip()
    {
        while (m_at < m_data.size() &&
               (std::isspace(static_cast<unsigned char>(m_data[m_at])) != 0 || m_data[m_at] == ','))
            ++m_at;
    }

    bool command()
    {
        skip();
        if (m_at >= m_data.size() || std::isalpha(static_cast<unsigned char>(m_data[m_at])) == 0)
            return false;
        m_command = m_data[m_at++];
        m_first = true;
        return true;
    }

    bool number(double &value)
    {
        skip();
        const char *begin = m_data.data() + m_at;
        const char *end = m_data.data() + m_data.size();
        const auto [rest, fault] = std::from_chars(begin, end, value);
        if (fault != std::errc())
            return false;
        m_at += static_cast<std::size_t>(rest - begin);
        return true;
    }

    /// A point, from the current one where the command is a small letter.
    bool point(QPointF &point)
    {
        double x = 0, y = 0;
        if (!number(x) || !number(y))
            return false;
        point = QPointF(x, y) + (relative() ? m_path.currentPosition() : QPointF());
        return true;
    }

    template <std::size_t count>
    bool points(std::array<QPointF, count> &points)
    {
        for (QPointF &each : points) {
            if (!point(each))
                return false;
        }
        return true;
    }

    bool relative() const { return m_command >= 'a'; }

    /// One set of the command's numbers. False where there is none (left).
    bool step()
    {
        const bool first = m_first;
        m_first = false;
        switch (std::toupper(m_command)) {
        case 'Z':
            if (first)
                m_path.closeSubpath();
            m_control = m_path.currentPosition();
            return false;
        case 'M': return move(first);
        case 'L': return line();
        case 'H':
        case 'V': return straight();
        case 'C': return cubic();
        case 'S': return smoothCubic();
        case 'Q': return quadratic();
        case 'T': return smoothQuadratic();
        default: return false;
        }
    }

    bool move(bool first)
    {
        std::array<QPointF, 1> to;
        if (!points(to))
            return false;
        if (first)
            m_path.moveTo(to[0]);
        else
            m_path.lineTo(to[0]); // as SVG has it: more points after a move are lines
        m_control = to[0];
        return true;
    }

    bool line()
    {
        std::array<QPointF, 1> to;
        if (!points(to))
            return false;
        m_path.lineTo(to[0]);
        m_control = to[0];
        return true;
    }

    bool straight()
    {
        double value = 0;
        if (!number(value))
            return false;
        QPointF to = m_path.currentPosition();
        double &moved = std::toupper(m_command) == 'H' ? to.rx() : to.ry();
        moved = relative() ? moved + value : value;
        m_path.lineTo(to);
        m_control = to;
        return true;
    }

    bool cubic()
    {
        std::array<QPointF, 3> to;
        if (!points(to))
            return false;
        m_path.cubicTo(to[0], to[1], to[2]);
        m_control = to[1];
        return true;
    }

    bool smoothCubic()
    {
        std::array<QPointF, 2> to;
        if (!points(to))
            return false;
        m_path.cubicTo(mirrored(), to[0], to[1]);
        m_control = to[0];
        return true;
    }

    bool quadratic()
    {
        std::array<QPointF, 2> to;
        if (!points(to))
            return false;
        m_path.quadTo(to[0], to[1]);
        m_control = to[0];
        return true;
    }

    bool smoothQuadratic()
    {
        std::array<QPointF, 1> to;
        if (!points(to))
            return false;
        m_control = mirrored();
        m_path.quadTo(m_control, to[0]);
        return true;
    }

    /// The last curve's control point, mirrored at the current point. After anything else that is the point.
    QPointF mirrored() const { return 2 * m_path.currentPosition() - m_control; }

    std::string m_data;
    std::size_t m_at = 0;
    char m_command = 0;
    bool m_first = false; ///< no numbers of the command were read yet
    QPainterPath m_path;
    QPointF m_control;
};

} // namespace

QPainterPath svgPath(const QString &data)
{
    QPainterPath path = PathReader(data.toStdString()).read();
    path.setFillRule(Qt::WindingFill);
    return path;
}

} // namespace perilune
