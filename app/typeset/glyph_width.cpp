#include "app/typeset/glyph_width.h"

#include <QFontMetricsF>

namespace perilune {

QFont glyphFont(const Formula::Glyphs &glyphs)
{
    QFont font(glyphs.family);
    font.setPixelSize(kGlyphPixels);
    font.setBold(glyphs.bold);
    font.setItalic(glyphs.italic);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

double glyphWidth(const Formula::Glyphs &glyphs)
{
    return QFontMetricsF(glyphFont(glyphs)).horizontalAdvance(glyphs.text) / kGlyphPixels * glyphs.size;
}

} // namespace perilune
