#pragma once

#include "app/export/drawn_formula.h"
#include "app/pdf/owned.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perilune::pdf {

struct Color {
    double red = 0, green = 0, blue = 0;
};

/// A formula within a text, and what it is found by.
struct SetFormula {
    DrawnFormula drawing;
    std::string words; ///< its LaTeX
};

/// Bytes of a text that look other than the rest.
struct TextRange {
    std::size_t from = 0, to = 0;
    bool bold = false, italic = false, struck = false, monospace = false;
    std::optional<Color> color{}, background{};
    std::string link{};
    std::shared_ptr<const SetFormula> formula{}; ///< in the place of the one character of the range
};

/// How a text is set.
struct TextStyle {
    double size = 10; ///< points
    double leading = 1.3;
    bool monospace = false, bold = false;
    bool code = false; ///< left to right whatever is in it, with wrapped lines hanging
    Color color{};
    std::string language{}; ///< whose forms Han characters have; empty: by the computer's settings
    enum class Align { Start, Center, End } align = Align::Start;
};

/// Text with what looks different in it; clean UTF-8.
struct StyledText {
    std::string text{};
    std::vector<TextRange> ranges{};
};

/// Ends lines where 6,000 bytes stand without a blank: Pango's time to lay out a word grows with the square
/// of its length.
StyledText withoutEndlessWords(const StyledText &text);

/// Makes texts. Fonts are found by fontconfig; one instance lives on one thread.
class TextMaker {
public:
    TextMaker();

    /// `text` in lines of at most `width` points; width 0: lines end only where the text's do.
    Owned<PangoLayout> make(const StyledText &text, const TextStyle &style, double width) const;

    PangoContext *context() const { return m_context.get(); }

private:
    Owned<PangoFontMap> m_fonts;
    Owned<PangoContext> m_context;
};

/// A run's look, as the attributes of its item have it.
struct RunLook {
    std::optional<Color> color{}, background{};
    bool underlined = false, struck = false;
    const SetFormula *formula = nullptr; ///< valid as long as the item is
};
RunLook lookOf(const PangoItem &item);

/// Points of Pango's units.
inline double points(int units)
{
    return static_cast<double>(units) / PANGO_SCALE;
}

} // namespace perilune::pdf
