#include "app/pdf/text_block.h"

#include <algorithm>
#include <cmath>

namespace perilune::pdf {

namespace {

constexpr auto kText = "Noto Sans, DejaVu Sans, sans-serif";
constexpr auto kCode = "Noto Sans Mono, DejaVu Sans Mono, monospace";
constexpr int kTabColumns = 4;

guint16 part(double value)
{
    return static_cast<guint16>(std::lround(std::clamp(value, 0.0, 1.0) * 65535));
}

Color colorOf(const PangoAttribute *attribute)
{
    const PangoColor &color = reinterpret_cast<const PangoAttrColor *>(attribute)->color;
    return {color.red / 65535.0, color.green / 65535.0, color.blue / 65535.0};
}

/// Gives `list` an attribute over bytes `from` to `to`.
void insert(PangoAttrList *list, PangoAttribute *attribute, std::size_t from, std::size_t to)
{
    attribute->start_index = static_cast<guint>(from);
    attribute->end_index = static_cast<guint>(to);
    pango_attr_list_insert(list, attribute);
}

/// Leaves room for a formula, as large as the letters around it; smaller where it is wider than `width`
/// points, which aren't 0, or very high.
PangoAttribute *formulaShape(const std::shared_ptr<const SetFormula> &formula, double size, double width)
{
    const DrawnFormula &drawing = formula->drawing;
    constexpr double highest = 500; // points: with what is between lines it fits on a page
    double em = std::min(size * kFormulaScale, highest / std::max(drawing.ascent + drawing.descent, 0.1));
    if (width > 0 && drawing.width * em > width)
        em = width / drawing.width;
    const auto units = [em](double length) {
        return static_cast<int>(std::lround(length * em * PANGO_SCALE));
    };
    const PangoRectangle room{0, -units(drawing.ascent), units(drawing.width),
                              units(drawing.ascent + drawing.descent)};
    using Kept = std::shared_ptr<const SetFormula>;
    return pango_attr_shape_new_with_data(
        &room, &room, new Kept(formula),
        [](gconstpointer kept) -> gpointer { return new Kept(*static_cast<const Kept *>(kept)); },
        [](gpointer kept) { delete static_cast<Kept *>(kept); });
}

void insertRange(PangoAttrList *list, const TextRange &range, double size, double width)
{
    const auto add = [list, &range](PangoAttribute *attribute) {
        insert(list, attribute, range.from, range.to);
    };
    if (range.formula)
        add(formulaShape(range.formula, size, width));
    if (range.bold)
        add(pango_attr_weight_new(PANGO_WEIGHT_BOLD));
    if (range.italic)
        add(pango_attr_style_new(PANGO_STYLE_ITALIC));
    if (range.struck)
        add(pango_attr_strikethrough_new(TRUE));
    if (range.monospace) {
        add(pango_attr_family_new(kCode));
        add(pango_attr_scale_new(0.92));
    }
    if (range.color)
        add(pango_attr_foreground_new(part(range.color->red), part(range.color->green),
                                      part(range.color->blue)));
    if (range.background)
        add(pango_attr_background_new(part(range.background->red), part(range.background->green),
                                      part(range.background->blue)));
    if (!range.link.empty())
        add(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE));
}

PangoAlignment alignmentOf(const TextStyle &style)
{
    switch (style.align) {
    case TextStyle::Align::Center: return PANGO_ALIGN_CENTER;
    case TextStyle::Align::End: return PANGO_ALIGN_RIGHT;
    case TextStyle::Align::Start: break;
    }
    return PANGO_ALIGN_LEFT; // which Pango takes for the start of a line: the right, where it goes leftwards
}

void setCodeForm(PangoLayout *layout, double size)
{
    const double column = size * 0.6;
    PangoTabArray *tabs = pango_tab_array_new(40, FALSE);
    for (int i = 0; i < 40; ++i)
        pango_tab_array_set_tab(tabs, i, PANGO_TAB_LEFT,
                                static_cast<int>(column * kTabColumns * (i + 1) * PANGO_SCALE));
    pango_layout_set_tabs(layout, tabs);
    pango_tab_array_free(tabs);
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_set_indent(layout, -static_cast<int>(2 * column * PANGO_SCALE));
}

} // namespace

TextMaker::TextMaker() : m_fonts(pango_cairo_font_map_new()), m_context(nullptr)
{
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(m_fonts.get()), 72); // a unit is a point
    m_context.reset(pango_font_map_create_context(m_fonts.get()));
    // Paper has no pixels: unrounded places, which readers of the text need to tell spaces from gaps.
    const Owned<cairo_font_options_t> options(cairo_font_options_create());
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    pango_cairo_context_set_font_options(m_context.get(), options.get());
    pango_context_set_round_glyph_positions(m_context.get(), FALSE);
    pango_context_set_base_dir(m_context.get(), PANGO_DIRECTION_LTR);
}

Owned<PangoLayout> TextMaker::make(const StyledText &text, const TextStyle &style, double width) const
{
    Owned<PangoLayout> layout(pango_layout_new(m_context.get()));
    const Owned<PangoFontDescription> font(pango_font_description_new());
    pango_font_description_set_family(font.get(), style.monospace ? kCode : kText);
    pango_font_description_set_size(font.get(), static_cast<int>(std::lround(style.size * PANGO_SCALE)));
    if (style.bold)
        pango_font_description_set_weight(font.get(), PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(layout.get(), font.get());
    pango_layout_set_line_spacing(layout.get(), static_cast<float>(style.leading));
    pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
    pango_layout_set_alignment(layout.get(), alignmentOf(style));
    if (width > 0)
        pango_layout_set_width(layout.get(), static_cast<int>(width * PANGO_SCALE));

    const Owned<PangoAttrList> list(pango_attr_list_new());
    // Where a word is broken, no hyphen: what is copied out must be what was written.
    insert(list.get(), pango_attr_insert_hyphens_new(FALSE), 0, text.text.size());
    insert(list.get(),
           pango_attr_foreground_new(part(style.color.red), part(style.color.green), part(style.color.blue)),
           0, text.text.size());
    if (!style.language.empty())
        insert(list.get(), pango_attr_language_new(pango_language_from_string(style.language.c_str())), 0,
               text.text.size());
    for (const TextRange &range : text.ranges)
        insertRange(list.get(), range, style.size, width);
    pango_layout_set_attributes(layout.get(), list.get());
    if (style.code)
        setCodeForm(layout.get(), style.size);
    pango_layout_set_text(layout.get(), text.text.data(), static_cast<int>(text.text.size()));
    return layout;
}

StyledText withoutEndlessWords(const StyledText &text)
{
    constexpr std::size_t most = 6000;
    if (text.text.size() <= most)
        return text;
    StyledText broken{{}, text.ranges};
    std::vector<std::size_t> breaks; // where a line end went in, in the old text
    std::size_t word = 0;
    for (std::size_t i = 0; i < text.text.size(); ++i) {
        const char c = text.text[i];
        const bool within = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
        if (word >= most && !within) {
            broken.text += '\n';
            breaks.push_back(i);
            word = 0;
        }
        word = c == ' ' || c == '\n' || c == '\t' ? 0 : word + 1;
        broken.text += c;
    }
    for (TextRange &range : broken.ranges) {
        range.from += static_cast<std::size_t>(std::ranges::upper_bound(breaks, range.from) - breaks.begin());
        range.to += static_cast<std::size_t>(std::ranges::upper_bound(breaks, range.to) - breaks.begin());
    }
    return broken;
}

RunLook lookOf(const PangoItem &item)
{
    RunLook look;
    for (const GSList *at = item.analysis.extra_attrs; at; at = at->next) {
        const auto *attribute = static_cast<const PangoAttribute *>(at->data);
        const int value = reinterpret_cast<const PangoAttrInt *>(attribute)->value;
        switch (attribute->klass->type) {
        case PANGO_ATTR_FOREGROUND: look.color = colorOf(attribute); break;
        case PANGO_ATTR_BACKGROUND: look.background = colorOf(attribute); break;
        case PANGO_ATTR_UNDERLINE: look.underlined = value != PANGO_UNDERLINE_NONE; break;
        case PANGO_ATTR_STRIKETHROUGH: look.struck = value != 0; break;
        case PANGO_ATTR_SHAPE:
            look.formula = static_cast<const std::shared_ptr<const SetFormula> *>(
                               reinterpret_cast<const PangoAttrShape *>(attribute)->data)
                               ->get();
            break;
        default: break;
        }
    }
    return look;
}

} // namespace perilune::pdf
