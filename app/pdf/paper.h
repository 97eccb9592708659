#pragma once

#include "app/export/document.h"
#include "app/pdf/glyph_painter.h"
#include "app/pdf/owned.h"
#include "app/pdf/text_block.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::pdf {

/// Pages of A4 from top to bottom. What is put on them is a row of bands, each as high as a line: a band that
/// doesn't fit goes to the next page, so anything can be divided anywhere.
class Paper {
public:
    /// The bytes go to `write`; `header` stands at the top of each page but the first.
    Paper(std::function<Status(std::string_view)> write, std::string title, std::function<Status()> ask = {});
    ~Paper();
    Paper(const Paper &) = delete;
    Paper &operator=(const Paper &) = delete;

    static constexpr double kWidth = 595.28, kHeight = 841.89;
    static constexpr double kLeft = 62, kRight = kWidth - 62, kTop = 66, kBottom = kHeight - 66;

    /// What is painted behind or beside every band while it is on the stack.
    struct Decor {
        double left = 0, right = 0;
        Color color{};
    };
    void pushDecor(const Decor &decor) { m_decor.push_back(decor); }
    void popDecor() { m_decor.pop_back(); }

    /// Makes a band; gives its upper edge.
    double band(double height);
    /// A band without anything in it; none at the top of a page.
    void space(double height);
    /// Goes to a new page where less than this is left of the page.
    void need(double height);
    double left() const { return kBottom - m_y; }

    /// Paints the line that `at` is in, its left edge at `x` and its upper edge at `y`. Links of `ranges` can
    /// be clicked.
    void paintLine(PangoLayoutIter *at, const std::vector<TextRange> &ranges, double x, double y);
    /// Paints all lines of `layout` in bands of their own. `ranges` are those that it was made of.
    void paint(PangoLayout *layout, const std::vector<TextRange> &ranges, double x);

    void paintJpeg(const EmbeddedPicture &picture, double x, double y, double width, double height);
    /// Paints it with the left end of its baseline at (x, y); `em` in points.
    void paintFormula(const SetFormula &formula, double x, double y, double em);
    void paintRule(double left, double right, double y, const Color &color);
    void paintBox(double left, double top, double width, double height, const Color &color);

    /// Adds a line to the outline of the document, which leads to the present place.
    void outline(const std::string &words);

    const TextMaker &text() const { return m_text; }

    struct Report {
        std::uint32_t pages = 0;
        std::vector<std::string> scriptsWithoutFont{};
    };
    /// Scripts of letters that no font on this computer has, so far.
    std::vector<std::string> scriptsWithoutFont() const;
    /// Whether to go on: not where writing failed or `ask`, which is called now and then, said why not.
    bool goesOn();
    /// What the writing said so far.
    Status status() const;
    Result<Report> finish();

private:
    void beginPage();
    void endPage();
    void paintRun(const PangoLayoutRun &run, const char *text, double x, double baseline);

    std::function<Status(std::string_view)> m_write;
    std::string m_title;
    std::function<Status()> m_ask;
    std::chrono::steady_clock::time_point m_asked{};
    Status m_written = Done{};
    Owned<cairo_surface_t> m_surface;
    Owned<cairo_t> m_cairo;
    TextMaker m_text;
    GlyphPainter m_glyphs;
    std::vector<Decor> m_decor;
    double m_y = kTop;
    std::uint32_t m_page = 1;
    bool m_finished = false;
};

} // namespace perilune::pdf
