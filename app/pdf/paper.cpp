#include "app/pdf/paper.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace perilune::pdf {

namespace {

constexpr Color kMuted{0.42, 0.44, 0.48};
constexpr std::uint32_t kTextRgb = 0x1C1F24;

void setColor(cairo_t *cairo, const Color &color)
{
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue);
}

/// As Cairo's notation of attributes takes it: without the person's decimal comma.
std::string number(double value)
{
    std::array<char, 48> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3);
    return {text.data(), end.ptr};
}

/// A link's address as a PDF and Cairo's notation of attributes take it.
std::string linkAddress(const std::string &link)
{
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string address;
    for (const char c : link) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte >= 0x7F || c == '\'' || c == '\\' || c == '"' || c == '(' || c == ')') {
            address += '%';
            address += hex[byte >> 4];
            address += hex[byte & 15];
        } else {
            address += c;
        }
    }
    return address;
}

const TextRange *linkAt(const std::vector<TextRange> &ranges, std::size_t at)
{
    const auto found = std::ranges::find_if(ranges, [at](const TextRange &range) {
        return !range.link.empty() && range.from <= at && at < range.to;
    });
    return found == ranges.end() ? nullptr : &*found;
}

} // namespace

Paper::Paper(std::function<Status(std::string_view)> write, std::string title, std::function<Status()> ask)
    : m_write(std::move(write)),
      m_title(std::move(title)),
      m_ask(std::move(ask))
{
    const auto forward = [](void *self, const unsigned char *bytes, unsigned int size) {
        auto *paper = static_cast<Paper *>(self);
        if (paper->m_written)
            paper->m_written = paper->m_write({reinterpret_cast<const char *>(bytes), size});
        // Cairo isn't told of a failure: 1.16 ends the program where a page with places of the outline never
        // came to be. status() tells, after each message.
        return CAIRO_STATUS_SUCCESS;
    };
    m_surface.reset(cairo_pdf_surface_create_for_stream(forward, this, kWidth, kHeight));
    cairo_pdf_surface_set_metadata(m_surface.get(), CAIRO_PDF_METADATA_TITLE, m_title.c_str());
    cairo_pdf_surface_set_metadata(m_surface.get(), CAIRO_PDF_METADATA_CREATOR, "Perilune");
    m_cairo.reset(cairo_create(m_surface.get()));
    pango_cairo_update_context(m_cairo.get(), m_text.context());
    beginPage();
}

Paper::~Paper()
{
    if (m_finished)
        return;
    m_written = Error{ErrorCode::Cancelled, "the document is left"}; // what Cairo still writes has no reader
    cairo_show_page(m_cairo.get());
}

void Paper::beginPage()
{
    m_y = kTop;
    if (m_page == 1)
        return;
    const StyledText words{m_title};
    const Owned<PangoLayout> header =
        m_text.make(words, {.size = 8, .color = kMuted, .align = TextStyle::Align::End}, kRight - kLeft);
    pango_layout_set_ellipsize(header.get(), PANGO_ELLIPSIZE_END);
    const Owned<PangoLayoutIter> at(pango_layout_get_iter(header.get()));
    paintLine(at.get(), {}, kLeft, 34);
}

void Paper::endPage()
{
    const StyledText number{std::to_string(m_page)};
    const Owned<PangoLayout> footer =
        m_text.make(number, {.size = 8, .color = kMuted, .align = TextStyle::Align::Center}, kRight - kLeft);
    const Owned<PangoLayoutIter> at(pango_layout_get_iter(footer.get()));
    paintLine(at.get(), {}, kLeft, kHeight - 44);
    cairo_show_page(m_cairo.get());
}

double Paper::band(double height)
{
    if (m_y + height > kBottom && m_y > kTop) {
        endPage();
        ++m_page;
        beginPage();
    }
    for (const Decor &decor : m_decor)
        paintBox(decor.left, m_y, decor.right - decor.left, height, decor.color);
    return std::exchange(m_y, m_y + height);
}

void Paper::space(double height)
{
    if (m_y > kTop && m_y + height < kBottom)
        band(height);
}

void Paper::need(double height)
{
    if (m_y + height <= kBottom || m_y <= kTop)
        return;
    endPage();
    ++m_page;
    beginPage();
}

void Paper::paintRun(const PangoLayoutRun &run, const char *text, double x, double baseline)
{
    const RunLook look = lookOf(*run.item);
    const double width = points(pango_glyph_string_get_width(run.glyphs));
    PangoRectangle box;
    pango_glyph_string_extents(run.glyphs, run.item->analysis.font, nullptr, &box);
    if (look.formula) {
        paintFormula(*look.formula, x, baseline, width / std::max(look.formula->drawing.width, 1e-3));
        return;
    }
    if (look.background)
        paintBox(x, baseline + points(box.y), width, points(box.height), *look.background);
    setColor(m_cairo.get(), look.color.value_or(Color{}));
    PangoGlyphItem item = run;
    m_glyphs.paint(m_cairo.get(), text, &item, x, baseline);
    const double thick = points(box.height) / 24;
    if (look.underlined)
        paintBox(x, baseline + 2 * thick, width, thick, look.color.value_or(Color{}));
    if (look.struck)
        paintBox(x, baseline - 6 * thick, width, thick, look.color.value_or(Color{}));
}

void Paper::paintLine(PangoLayoutIter *at, const std::vector<TextRange> &ranges, double x, double y)
{
    int top = 0;
    int bottom = 0;
    pango_layout_iter_get_line_yrange(at, &top, &bottom);
    const double baseline = y + points(pango_layout_iter_get_baseline(at) - top);
    const PangoLayoutLine *line = pango_layout_iter_get_line_readonly(at);
    const char *text = pango_layout_get_text(line->layout);
    PangoRectangle whole;
    pango_layout_iter_get_line_extents(at, nullptr, &whole);
    double runX = x + points(whole.x);
    for (const GSList *each = line->runs; each; each = each->next) {
        const auto *run = static_cast<const PangoLayoutRun *>(each->data);
        const double width = points(pango_glyph_string_get_width(run->glyphs));
        const TextRange *link = linkAt(ranges, static_cast<std::size_t>(run->item->offset));
        if (link) {
            const std::string target = "rect=[" + number(runX) + " " + number(y) + " " + number(width) + " " +
                                       number(points(bottom - top)) + "] uri='" + linkAddress(link->link) +
                                       "'";
            cairo_tag_begin(m_cairo.get(), CAIRO_TAG_LINK, target.c_str());
        }
        paintRun(*run, text, runX, baseline);
        if (link)
            cairo_tag_end(m_cairo.get(), CAIRO_TAG_LINK);
        runX += width;
    }
}

void Paper::paint(PangoLayout *layout, const std::vector<TextRange> &ranges, double x)
{
    const Owned<PangoLayoutIter> at(pango_layout_get_iter(layout));
    do {
        int top = 0;
        int bottom = 0;
        pango_layout_iter_get_line_yrange(at.get(), &top, &bottom);
        const double y = band(points(bottom - top));
        paintLine(at.get(), ranges, x, y);
    } while (pango_layout_iter_next_line(at.get()));
}

void Paper::paintJpeg(const EmbeddedPicture &picture, double x, double y, double width, double height)
{
    const auto across = static_cast<int>(picture.width);
    const auto down = static_cast<int>(picture.height);
    // The pixels stay empty: the file's own bytes go into the document.
    const Owned<cairo_surface_t> image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, across, down));
    auto *bytes = new std::string(picture.jpeg);
    if (cairo_surface_set_mime_data(
            image.get(), CAIRO_MIME_TYPE_JPEG, reinterpret_cast<const unsigned char *>(bytes->data()),
            bytes->size(), [](void *kept) { delete static_cast<std::string *>(kept); },
            bytes) != CAIRO_STATUS_SUCCESS) {
        delete bytes;
        return;
    }
    cairo_save(m_cairo.get());
    cairo_translate(m_cairo.get(), x, y);
    cairo_scale(m_cairo.get(), width / picture.width, height / picture.height);
    cairo_set_source_surface(m_cairo.get(), image.get(), 0, 0);
    cairo_paint(m_cairo.get());
    cairo_restore(m_cairo.get());
}

void Paper::paintFormula(const SetFormula &formula, double x, double y, double em)
{
    std::string words = formula.words;
    std::ranges::replace(words, '\n', ' ');
    const DrawnFormula &drawing = formula.drawing;
    // Narrower, so that readers see the gap between it and the next word.
    m_glyphs.paintHidden(m_cairo.get(), m_text.context(), words, {x, y, drawing.width * em * 0.9, em});
    cairo_save(m_cairo.get());
    cairo_translate(m_cairo.get(), x, y);
    cairo_scale(m_cairo.get(), em, em);
    for (const DrawnFormula::Area &area : drawing.areas) {
        const std::uint32_t rgb = area.rgb.value_or(kTextRgb);
        const auto channel = [rgb](int shift) { return static_cast<double>(rgb >> shift & 255U) / 255; };
        setColor(m_cairo.get(), {channel(16), channel(8), channel(0)});
        for (const DrawnFormula::Step &step : area.outline) {
            const auto &at = step.at;
            switch (step.kind) {
            case DrawnFormula::Step::Kind::Move: cairo_move_to(m_cairo.get(), at[0], at[1]); break;
            case DrawnFormula::Step::Kind::Line: cairo_line_to(m_cairo.get(), at[0], at[1]); break;
            case DrawnFormula::Step::Kind::Curve:
                cairo_curve_to(m_cairo.get(), at[0], at[1], at[2], at[3], at[4], at[5]);
                break;
            }
        }
        cairo_fill(m_cairo.get());
    }
    cairo_restore(m_cairo.get());
}

void Paper::paintRule(double left, double right, double y, const Color &color)
{
    paintBox(left, y, right - left, 0.6, color);
}

void Paper::paintBox(double left, double top, double width, double height, const Color &color)
{
    setColor(m_cairo.get(), color);
    cairo_rectangle(m_cairo.get(), left, top, width, height);
    cairo_fill(m_cairo.get());
}

void Paper::outline(const std::string &words)
{
    const std::string place = "page=" + std::to_string(m_page) + " pos=[0 " + number(m_y) + "]";
    cairo_pdf_surface_add_outline(m_surface.get(), CAIRO_PDF_OUTLINE_ROOT, words.c_str(), place.c_str(),
                                  static_cast<cairo_pdf_outline_flags_t>(0));
}

std::vector<std::string> Paper::scriptsWithoutFont() const
{
    return {m_glyphs.scriptsWithoutFont().begin(), m_glyphs.scriptsWithoutFont().end()};
}

bool Paper::goesOn()
{
    constexpr std::chrono::milliseconds between{20};
    const auto now = std::chrono::steady_clock::now();
    if (m_written && m_ask && now - m_asked >= between) {
        m_asked = now;
        if (Status on = m_ask(); !on)
            m_written = std::move(on).error();
    }
    return m_written.has_value();
}

Status Paper::status() const
{
    if (!m_written)
        return m_written.error();
    cairo_status_t state = cairo_status(m_cairo.get());
    if (state == CAIRO_STATUS_SUCCESS)
        state = cairo_surface_status(m_surface.get());
    if (state == CAIRO_STATUS_NO_MEMORY)
        return Error{ErrorCode::OutOfMemory, "there is not enough memory for the PDF"};
    if (state != CAIRO_STATUS_SUCCESS)
        return Error{ErrorCode::Io, std::string("writing the PDF: ") + cairo_status_to_string(state)};
    return Done{};
}

Result<Paper::Report> Paper::finish()
{
    endPage();
    m_finished = true;
    cairo_surface_finish(m_surface.get());
    if (Status written = status(); !written)
        return std::move(written).error();
    return Report{m_page, scriptsWithoutFont()};
}

} // namespace perilune::pdf
