#include "ui/viewmodel/formula_text.h"

#include "ui/viewmodel/formula_images.h"

#include <QClipboard>
#include <QFontInfo>
#include <QFontMetrics>
#include <QGuiApplication>

#include <utility>

namespace perilune::ui {

namespace {

// KaTeX's letters are small for their font's size.
constexpr double kScale = 1.15;

const QString kBegin = QStringLiteral("<formula display=\"");
const QString kEnd = QStringLiteral("\"/>");

QString unescaped(QString text)
{
    return text.replace(QLatin1String("&lt;"), QLatin1String("<"))
        .replace(QLatin1String("&gt;"), QLatin1String(">"))
        .replace(QLatin1String("&quot;"), QLatin1String("\""))
        .replace(QLatin1String("&amp;"), QLatin1String("&"));
}

} // namespace

QString formulaTag(const QString &latex, bool display)
{
    return kBegin + (display ? QLatin1Char('1') : QLatin1Char('0')) + QStringLiteral("\" latex=\"") +
           latex.toHtmlEscaped() + kEnd;
}

void FormulaText::setHtml(const QString &html)
{
    if (html == m_html)
        return;
    m_html = html;
    emit changed();
    update();
}

void FormulaText::setFont(const QFont &font)
{
    if (font == m_font)
        return;
    m_font = font;
    emit changed();
    update();
}

void FormulaText::setColor(const QColor &color)
{
    if (color == m_color)
        return;
    m_color = color;
    emit changed();
    update();
}

void FormulaText::setRatio(double ratio)
{
    if (ratio == m_ratio)
        return;
    m_ratio = ratio;
    emit changed();
    update();
}

void FormulaText::componentComplete()
{
    m_complete = true;
    m_shelf = FormulaShelf::of(this);
    if (m_shelf) {
        connect(m_shelf, &FormulaShelf::arrived, this, [this] {
            if (m_waiting)
                update();
        });
    }
    update();
}

void FormulaText::update()
{
    if (!m_complete)
        return;
    QString text;
    const std::vector<ShelvedFormulaPtr> before = std::exchange(m_shown, {});
    m_sources.clear();
    m_waiting = false;
    qsizetype done = 0;
    for (qsizetype at = 0; (at = m_html.indexOf(kBegin, done)) >= 0;) {
        const qsizetype end = m_html.indexOf(kEnd, at);
        if (end < 0)
            break;
        text += QStringView(m_html).mid(done, at - done);
        const bool display = m_html.at(at + kBegin.size()) == QLatin1Char('1');
        const qsizetype latex = at + kBegin.size() + 10; // behind: 0" latex="
        text += image(unescaped(m_html.mid(latex, end - latex)), display);
        done = end + kEnd.size();
    }
    text += QStringView(m_html).mid(done);
    if (text == m_text)
        return;
    m_text = text;
    emit textChanged();
}

QString FormulaText::withSources(const QString &words, const QString &before) const
{
    qsizetype next = before.count(QChar(QChar::ObjectReplacementCharacter));
    QString whole;
    for (const QChar c : words)
        whole += c == QChar(QChar::ObjectReplacementCharacter) ? m_sources.value(next++, c) : QString(c);
    return whole;
}

bool FormulaText::copy(const QString &words, const QString &before) const
{
    if (words.isEmpty())
        return false;
    QGuiApplication::clipboard()->setText(withSources(words, before));
    return true;
}

QString FormulaText::image(const QString &latex, bool display)
{
    const ShelvedFormulaPtr formula = m_shelf ? m_shelf->find(latex, display) : nullptr;
    m_waiting = m_waiting || (m_shelf && !formula);
    if (!formula || !formula->fault.isEmpty())
        return QStringLiteral("<code>") + latex.toHtmlEscaped() + QStringLiteral("</code>");
    m_shown.push_back(formula);
    m_sources.push_back((display ? QStringLiteral("$$%1$$") : QStringLiteral("$%1$")).arg(latex));
    const double pixels = QFontInfo(m_font).pixelSize() * kScale;
    const double xHeight = QFontMetrics(m_font).xHeight();
    const QSize size = FormulaImages::boxOf(formula->formula, pixels, xHeight).size;
    return QStringLiteral("<img src=\"%1\" width=\"%2\" height=\"%3\" style=\"vertical-align: middle\"/>")
        .arg(FormulaImages::source(*formula, pixels, xHeight, m_ratio, m_color))
        .arg(size.width())
        .arg(size.height());
}

} // namespace perilune::ui
