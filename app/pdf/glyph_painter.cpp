#include "app/pdf/glyph_painter.h"

#include "engine/base/whole_characters.h"

#include <hb-ot.h>

#include <algorithm>
#include <cmath>

namespace perilune::pdf {

namespace {

constexpr double kEmojiPixels = 64; // for a glyph of text size: sharp on paper, small in the file

double sizeOf(PangoFont *font)
{
    const Owned<PangoFontDescription> description(pango_font_describe(font));
    return points(pango_font_description_get_size(description.get()));
}

bool hasColors(PangoFont *font)
{
    hb_face_t *face = hb_font_get_face(pango_font_get_hb_font(font));
    return hb_ot_color_has_png(face) || hb_ot_color_has_layers(face) || hb_ot_color_has_svg(face);
}

/// Views go to C with their length beside them.
const char *beginOf(std::string_view text)
{
    return text.empty() ? "" : &text.front();
}

int lengthOf(std::string_view text)
{
    return static_cast<int>(text.size());
}

std::size_t charactersOf(std::string_view text)
{
    return static_cast<std::size_t>(g_utf8_strlen(beginOf(text), lengthOf(text)));
}

void showText(cairo_t *cairo, std::string_view text, const std::vector<cairo_glyph_t> &glyphs)
{
    const cairo_text_cluster_t cluster{lengthOf(text), static_cast<int>(glyphs.size())};
    cairo_show_text_glyphs(cairo, beginOf(text), lengthOf(text), glyphs.data(),
                           static_cast<int>(glyphs.size()), &cluster, 1,
                           static_cast<cairo_text_cluster_flags_t>(0));
}

/// A place at which Cairo doesn't leave a blank glyph out: at whole points what it covers is no area at all,
/// elsewhere it is rounded up to one.
double offTheGrid(double place)
{
    constexpr double tooNear = 0.01;
    return std::abs(place - std::round(place)) < tooNear ? place + 2 * tooNear : place;
}

/// A script's name for a person.
std::string scriptName(gunichar c)
{
    const GUnicodeScript script = g_unichar_get_script(c);
    if (script == G_UNICODE_SCRIPT_COMMON || script == G_UNICODE_SCRIPT_INHERITED ||
        script == G_UNICODE_SCRIPT_UNKNOWN)
        return "symbols";
    GEnumClass *names = static_cast<GEnumClass *>(g_type_class_ref(PANGO_TYPE_SCRIPT));
    const GEnumValue *value = g_enum_get_value(names, static_cast<int>(script));
    std::string name = value ? value->value_nick : "unknown";
    g_type_class_unref(names);
    std::ranges::replace(name, '-', ' ');
    name[0] = static_cast<char>(g_ascii_toupper(name[0]));
    return name;
}

} // namespace

std::vector<GlyphPainter::Cluster> GlyphPainter::clustersOf(const char *text, PangoGlyphItem *run, double x,
                                                            double y)
{
    std::vector<Cluster> clusters;
    const PangoGlyphString &string = *run->glyphs;
    const bool leftwards = run->item->analysis.level % 2 == 1;
    std::vector<double> places;
    for (int i = 0; i < string.num_glyphs; ++i) {
        places.push_back(x);
        x += points(string.glyphs[i].geometry.width);
    }
    places.push_back(x);
    PangoGlyphItemIter at;
    for (gboolean more = pango_glyph_item_iter_init_start(&at, run, text); more;
         more = pango_glyph_item_iter_next_cluster(&at)) {
        const int first = leftwards ? at.end_glyph + 1 : at.start_glyph;
        const int end = leftwards ? at.start_glyph + 1 : at.end_glyph;
        Cluster cluster;
        cluster.text = {text + at.start_index, static_cast<std::size_t>(at.end_index - at.start_index)};
        cluster.x = places[static_cast<std::size_t>(first)];
        cluster.width = places[static_cast<std::size_t>(end)] - cluster.x;
        cluster.y = y;
        for (int i = first; i < end; ++i) {
            const PangoGlyphInfo &glyph = string.glyphs[i];
            if (glyph.glyph == PANGO_GLYPH_EMPTY)
                continue;
            cluster.unknown = cluster.unknown || (glyph.glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0;
            cluster.glyphs.push_back({glyph.glyph,
                                      places[static_cast<std::size_t>(i)] + points(glyph.geometry.x_offset),
                                      y + points(glyph.geometry.y_offset)});
        }
        clusters.push_back(std::move(cluster));
    }
    if (leftwards)
        std::ranges::reverse(clusters); // as they stand, from the left
    return clusters;
}

void GlyphPainter::paint(cairo_t *cairo, const char *text, PangoGlyphItem *item, double x, double y)
{
    Run run;
    run.cairo = cairo;
    run.pangoFont = item->item->analysis.font;
    run.font = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(run.pangoFont));
    run.size = sizeOf(run.pangoFont);
    run.leftwards = item->item->analysis.level % 2 == 1;
    const bool colors = hasColors(run.pangoFont);
    std::vector<Cluster> together;
    for (Cluster &cluster : clustersOf(text, item, x, y)) {
        const bool plain = !cluster.unknown && !colors && !run.leftwards && !cluster.glyphs.empty();
        if (plain) {
            together.push_back(std::move(cluster));
            continue;
        }
        paintTogether(run, together);
        if (cluster.glyphs.empty()) {
            if (cluster.text == "\t")
                paintBlank(run, " ", cluster.x, y, cluster.width);
        } else if (cluster.unknown) {
            paintUnknown(run, cluster);
        } else if (colors) {
            paintEmoji(run, cluster);
        } else {
            paintLeftwards(run, cluster);
        }
    }
    paintTogether(run, together);
}

void GlyphPainter::paintTogether(const Run &run, std::vector<Cluster> &clusters)
{
    if (clusters.empty())
        return;
    std::string text;
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> parts;
    for (const Cluster &cluster : clusters) {
        text += cluster.text;
        glyphs.insert(glyphs.end(), cluster.glyphs.begin(), cluster.glyphs.end());
        parts.push_back({lengthOf(cluster.text), static_cast<int>(cluster.glyphs.size())});
    }
    cairo_set_scaled_font(run.cairo, run.font);
    cairo_show_text_glyphs(run.cairo, text.data(), lengthOf(text), glyphs.data(),
                           static_cast<int>(glyphs.size()), parts.data(), static_cast<int>(parts.size()),
                           static_cast<cairo_text_cluster_flags_t>(0));
    clusters.clear();
}

void GlyphPainter::paintLeftwards(const Run &run, Cluster &cluster)
{
    cairo_set_scaled_font(run.cairo, run.font);
    const std::size_t characters = charactersOf(cluster.text);
    const char *begin = beginOf(cluster.text);
    const char *end = begin + cluster.text.size();
    if (characters == cluster.glyphs.size() && characters > 1) {
        // A letter and its marks: each glyph has its own.
        for (cairo_glyph_t &glyph : cluster.glyphs) {
            const char *last = g_utf8_prev_char(end);
            showText(run.cairo, {last, static_cast<std::size_t>(end - last)}, {glyph});
            end = last;
        }
        return;
    }
    if (characters == 2 && cluster.glyphs.size() == 1) {
        const char *second = g_utf8_next_char(begin);
        paintBlank(run, {second, static_cast<std::size_t>(end - second)}, cluster.x - 0.1, cluster.y, 0.1);
        cairo_set_scaled_font(run.cairo, run.font);
        cluster.text = {begin, static_cast<std::size_t>(second - begin)};
    }
    showText(run.cairo, cluster.text, cluster.glyphs);
}

void GlyphPainter::prepareBlank(PangoFontMap *fonts)
{
    if (m_blankFont)
        return;
    const Owned<PangoFontDescription> any(pango_font_description_from_string("DejaVu Sans, sans-serif 10"));
    const Owned<PangoContext> context(pango_font_map_create_context(fonts));
    m_blankFont.reset(pango_font_map_load_font(fonts, context.get(), any.get()));
    m_blank.font = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(m_blankFont.get()));
    cairo_glyph_t *glyphs = nullptr;
    int count = 0;
    cairo_scaled_font_text_to_glyphs(m_blank.font, 0, 0, " ", 1, &glyphs, &count, nullptr, nullptr, nullptr);
    cairo_text_extents_t extents{};
    if (count > 0) {
        m_blank.glyph = glyphs[0].index;
        cairo_scaled_font_glyph_extents(m_blank.font, glyphs, 1, &extents);
    }
    cairo_glyph_free(glyphs);
    m_blank.width = std::max(extents.x_advance, 0.1) / sizeOf(m_blankFont.get());
}

void GlyphPainter::paintHidden(cairo_t *cairo, PangoContext *context, std::string_view text,
                               const Place &place)
{
    prepareBlank(pango_context_get_font_map(context));
    Run run;
    run.cairo = cairo;
    run.size = place.size;
    // In pieces: readers take no text of any length for one glyph.
    constexpr std::size_t most = 60;
    const double pieces = std::ceil(static_cast<double>(text.size()) / most);
    double x = place.x;
    while (!text.empty()) {
        const std::size_t end = std::max<std::size_t>(wholeUpTo(text, most), 1);
        paintBlank(run, text.substr(0, end), x, place.y, place.width / pieces);
        x += place.width / pieces;
        text.remove_prefix(end);
    }
}

void GlyphPainter::paintBlank(const Run &run, std::string_view text, double x, double y, double width)
{
    if (!m_blankFont)
        prepareBlank(pango_font_get_font_map(run.pangoFont));
    cairo_set_font_face(run.cairo, cairo_scaled_font_get_font_face(m_blank.font));
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, std::max(width, 0.01) / m_blank.width, 0, 0, run.size, 0, 0);
    cairo_set_font_matrix(run.cairo, &matrix);
    showText(run.cairo, text,
             {
                 cairo_glyph_t{m_blank.glyph, offTheGrid(x), offTheGrid(y)}
    });
}

void GlyphPainter::paintEmoji(const Run &run, const Cluster &cluster)
{
    paintBlank(run, cluster.text, cluster.x, cluster.y, cluster.width);
    cairo_text_extents_t extents{};
    for (const cairo_glyph_t &glyph : cluster.glyphs) {
        cairo_scaled_font_glyph_extents(run.font, &glyph, 1, &extents);
        if (extents.width <= 0 || extents.height <= 0)
            continue;
        const double scale = kEmojiPixels / std::max(extents.width, extents.height);
        Owned<cairo_surface_t> &image = m_emoji[{run.pangoFont, glyph.index}];
        if (!image) {
            m_emojiFonts.emplace_back(static_cast<PangoFont *>(g_object_ref(run.pangoFont)));
            image.reset(cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
                                                   static_cast<int>(std::ceil(extents.width * scale)),
                                                   static_cast<int>(std::ceil(extents.height * scale))));
            const Owned<cairo_t> on(cairo_create(image.get()));
            cairo_scale(on.get(), scale, scale);
            cairo_translate(on.get(), -extents.x_bearing, -extents.y_bearing);
            cairo_set_scaled_font(on.get(), run.font);
            const cairo_glyph_t there{glyph.index, 0, 0};
            cairo_show_glyphs(on.get(), &there, 1);
        }
        cairo_save(run.cairo);
        cairo_translate(run.cairo, glyph.x + extents.x_bearing, glyph.y + extents.y_bearing);
        cairo_scale(run.cairo, 1 / scale, 1 / scale);
        cairo_set_source_surface(run.cairo, image.get(), 0, 0);
        cairo_paint(run.cairo);
        cairo_restore(run.cairo);
    }
}

void GlyphPainter::paintUnknown(const Run &run, const Cluster &cluster)
{
    const char *begin = beginOf(cluster.text);
    for (const char *at = begin; at < begin + cluster.text.size(); at = g_utf8_next_char(at))
        m_missing.insert(scriptName(g_utf8_get_char(at)));
    paintBlank(run, cluster.text, cluster.x, cluster.y, cluster.width);
    cairo_save(run.cairo);
    cairo_set_line_width(run.cairo, 0.5);
    cairo_rectangle(run.cairo, cluster.x + 0.5, cluster.y - run.size * 0.7, std::max(cluster.width - 1, 1.0),
                    run.size * 0.7);
    cairo_stroke(run.cairo);
    cairo_restore(run.cairo);
}

} // namespace perilune::pdf
