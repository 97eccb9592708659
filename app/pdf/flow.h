#pragma once

#include "app/markdown/tree.h"
#include "app/pdf/paper.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::pdf {

/// Colours of the document; on paper it is always light.
namespace ink {
inline constexpr Color text{0.11, 0.12, 0.14}, muted{0.42, 0.44, 0.48}, link{0.2, 0.27, 0.72};
inline constexpr Color line{0.84, 0.85, 0.88}, sunken{0.955, 0.96, 0.968}, bubble{0.935, 0.945, 0.985};
inline constexpr Color bad{0.7, 0.15, 0.12};
} // namespace ink

/// Puts Markdown, code, plain text and tables on paper, one under the other, between two edges.
class Flow {
public:
    explicit Flow(Paper &paper, const FormulaOf &formulas = {}) : m_paper(paper), m_formulas(formulas) {}

    void markdown(std::string_view text);
    /// Text as it was written.
    void plain(const std::string &text, const TextStyle &style);
    void put(const StyledText &whole, const TextStyle &style);
    void code(std::string_view code, std::string_view language);
    void picture(const EmbeddedPicture &picture);

    /// Moves the edges inwards, and back by the same, negative. Where too little room would be left they
    /// stay.
    void indent(double left, double right)
    {
        const bool back = left < 0 || right < 0;
        if (back && m_kept > 0) {
            --m_kept;
        } else if (!back && (m_kept > 0 || m_right - m_left - left - right < kLeastRoom)) {
            ++m_kept;
        } else {
            m_left += left;
            m_right -= right;
        }
    }
    double leftEdge() const { return m_left; }
    double rightEdge() const { return m_right; }
    Paper &paper() { return m_paper; }

private:
    void blocks(const std::vector<MarkdownNode> &nodes);
    void block(const MarkdownNode &node);
    void paragraph(const std::vector<MarkdownSpan> &spans, TextStyle style);
    void heading(const MarkdownNode &node);
    void list(const MarkdownNode &node);
    void item(const MarkdownNode &node, const std::string &marker);
    void quote(const MarkdownNode &node);
    void table(const MarkdownNode &node);
    void formula(const std::string &latex);
    void codeLines(const StyledText &text);

    struct Marker {
        std::string text;
        double x = 0; ///< left edge; of a list that goes leftwards the right edge
        bool leftwards = false;
    };
    void paintMarker(double y);

    Paper &m_paper;
    FormulaOf m_formulas;
    static constexpr double kLeastRoom = 120; ///< points for a line

    double m_left = Paper::kLeft, m_right = Paper::kRight;
    int m_kept = 0;                 ///< how many indents, one in the other, left the edges where they were
    std::optional<Marker> m_marker; ///< waits for the first line of its item
};

/// Spans as text with ranges; formulas that `formulas` can't set are their LaTeX.
StyledText styled(const std::vector<MarkdownSpan> &spans, const FormulaOf &formulas);

/// A table between two edges: columns as wide as they need, rows divided where a page ends, the first row
/// again on each page. Columns that have no room beside the others follow below, with the first one again.
void putTable(Paper &paper, const MarkdownNode &table, const FormulaOf &formulas, double left, double right);

} // namespace perilune::pdf
