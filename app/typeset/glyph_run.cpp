#include "app/typeset/glyph_run.h"

#include <QFile>
#include <QFont>
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QHash>
#include <QPainter>
#include <QRawFont>
#include <QTransform>

#include <array>
#include <optional>

namespace perilune {

namespace {

// Fonts have whole sizes; a large one that is scaled down has every size.
constexpr int kPixels = 64;

/// The font of a family, in the style that comes nearest. From the program itself and past Qt's font
/// database: there the system's copy may win, and since KaTeX's slanted fonts don't say that they are, Qt
/// would slant them a second time.
const QRawFont &rawFont(const Formula::Glyphs &glyphs)
{
    static thread_local QHash<QString, QRawFont> known; // a QRawFont belongs to its thread
    const QString key =
        glyphs.family + QLatin1Char(glyphs.bold ? 'B' : '-') + QLatin1Char(glyphs.italic ? 'I' : '-');
    const auto found = known.constFind(key);
    if (found != known.constEnd())
        return *found;
    const std::array<QString, 4> styles = {(glyphs.bold ? QStringLiteral("Bold") : QString()) +
                                               (glyphs.italic ? QStringLiteral("Italic") : QString()),
                                           glyphs.bold ? QStringLiteral("Bold") : QString(),
                                           glyphs.italic ? QStringLiteral("Italic") : QString(),
                                           QStringLiteral("Regular")};
    for (const QString &style : styles) {
        const QString name = QStringLiteral(":/perilune/typeset/fonts/%1-%2.ttf").arg(glyphs.family, style);
        if (!style.isEmpty() && QFile::exists(name))
            return *known.insert(key, QRawFont(name, kPixels, QFont::PreferNoHinting));
    }
    return *known.insert(key, QRawFont());
}

/// Any font that has the letters: formulas may hold words of every script.
QFont otherFont(const Formula::Glyphs &glyphs)
{
    QFont font;
    font.setPixelSize(kPixels);
    font.setBold(glyphs.bold);
    font.setItalic(glyphs.italic);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// The letters in KaTeX's font, or nothing where it hasn't all of them.
std::optional<QGlyphRun> glyphRun(const Formula::Glyphs &glyphs, double &width)
{
    const QRawFont &font = rawFont(glyphs);
    const QList<quint32> indexes =
        font.isValid() ? font.glyphIndexesForString(glyphs.text) : QList<quint32>();
    if (indexes.isEmpty() || indexes.contains(0u))
        return std::nullopt;
    const QList<QPointF> advances = font.advancesForGlyphIndexes(indexes, QRawFont::KernedAdvances);
    QList<QPointF> places;
    QPointF at;
    for (const QPointF &advance : advances) {
        places += at;
        at += advance;
    }
    width = at.x();
    QGlyphRun run;
    run.setRawFont(font);
    run.setGlyphIndexes(indexes);
    run.setPositions(places);
    return run;
}

} // namespace

double glyphWidth(const Formula::Glyphs &glyphs)
{
    double width = 0;
    if (!glyphRun(glyphs, width))
        width = QFontMetricsF(otherFont(glyphs)).horizontalAdvance(glyphs.text);
    return width / kPixels * glyphs.size;
}

void paintGlyphs(QPainter &painter, const Formula::Glyphs &glyphs, QPointF origin, double pixels,
                 const QColor &ink)
{
    painter.save();
    painter.translate(origin + glyphs.at * pixels);
    const double scale = glyphs.size * pixels / kPixels;
    painter.scale(scale, scale);
    painter.setPen(glyphs.color.isValid() ? glyphs.color : ink);
    double width = 0;
    if (const std::optional<QGlyphRun> run = glyphRun(glyphs, width)) {
        painter.drawGlyphRun(QPointF(), *run);
    } else {
        painter.setFont(otherFont(glyphs));
        painter.drawText(QPointF(), glyphs.text);
    }
    painter.restore();
}

QPainterPath glyphOutline(const Formula::Glyphs &glyphs)
{
    QPainterPath outline;
    double width = 0;
    if (const std::optional<QGlyphRun> run = glyphRun(glyphs, width)) {
        const QList<quint32> indexes = run->glyphIndexes();
        const QList<QPointF> places = run->positions();
        for (qsizetype i = 0; i < indexes.size(); ++i)
            outline.addPath(run->rawFont().pathForGlyph(indexes[i]).translated(places[i]));
    } else {
        outline.addText(QPointF(), otherFont(glyphs), glyphs.text);
    }
    const double scale = glyphs.size / kPixels;
    return QTransform(scale, 0, 0, scale, glyphs.at.x(), glyphs.at.y()).map(outline);
}

} // namespace perilune
