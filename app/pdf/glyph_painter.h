#pragma once

#include "app/pdf/owned.h"
#include "app/pdf/text_block.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perilune::pdf {

/// Paints glyphs so that the text behind them can be searched and copied, as it was written.
///
/// A reader of a PDF puts words together from the places of glyphs and the text that each stands for. Three
/// things need help: a picture of an emoji has no text; of a glyph that stands for two letters, readers turn
/// the letters round where the line goes leftwards; and what no font has leaves nothing at all. There a blank
/// glyph, as wide as it should be, carries the text.
class GlyphPainter {
public:
    /// `text` is what the run's offsets count in; (x, y) is the beginning of its baseline.
    void paint(cairo_t *cairo, const char *text, PangoGlyphItem *run, double x, double y);

    /// Text that is found and copied, but not seen, from (x, y) on.
    struct Place {
        double x = 0, y = 0, width = 0, size = 10; ///< points
    };
    void paintHidden(cairo_t *cairo, PangoContext *context, std::string_view text, const Place &place);

    /// The scripts that letters without a font belonged to ("Tibetan"), so far.
    const std::set<std::string> &scriptsWithoutFont() const { return m_missing; }

private:
    /// What stands for a few letters together.
    struct Cluster {
        std::string_view text;
        std::vector<cairo_glyph_t> glyphs;
        double x = 0, width = 0, y = 0;
        bool unknown = false; ///< no font has it
    };
    struct Run {
        cairo_t *cairo = nullptr;
        cairo_scaled_font_t *font = nullptr;
        PangoFont *pangoFont = nullptr;
        double size = 10;
        bool leftwards = false;
    };

    static std::vector<Cluster> clustersOf(const char *text, PangoGlyphItem *run, double x, double y);
    void prepareBlank(PangoFontMap *fonts);
    void paintBlank(const Run &run, std::string_view text, double x, double y, double width);
    void paintEmoji(const Run &run, const Cluster &cluster);
    void paintUnknown(const Run &run, const Cluster &cluster);
    void paintLeftwards(const Run &run, Cluster &cluster);
    static void paintTogether(const Run &run, std::vector<Cluster> &clusters);

    struct Blank {
        cairo_scaled_font_t *font = nullptr; // of m_blankFont
        unsigned long glyph = 0;
        double width = 0; ///< of a font of one point
    };
    Owned<PangoFont> m_blankFont;
    Blank m_blank;
    std::map<std::pair<PangoFont *, unsigned long>, Owned<cairo_surface_t>> m_emoji;
    std::vector<Owned<PangoFont>> m_emojiFonts; ///< keeps the keys above alive
    std::set<std::string> m_missing;
};

} // namespace perilune::pdf
