// Pango's and Cairo's objects, owned.
#pragma once

#include <cairo.h>
#include <pango/pangocairo.h>

#include <memory>

namespace perilune::pdf {

struct Unref {
    void operator()(cairo_t *cairo) const { cairo_destroy(cairo); }
    void operator()(cairo_surface_t *surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_font_options_t *options) const { cairo_font_options_destroy(options); }
    void operator()(PangoFontMap *map) const { g_object_unref(map); }
    void operator()(PangoContext *context) const { g_object_unref(context); }
    void operator()(PangoLayout *layout) const { g_object_unref(layout); }
    void operator()(PangoFont *font) const { g_object_unref(font); }
    void operator()(PangoLayoutIter *iter) const { pango_layout_iter_free(iter); }
    void operator()(PangoAttrList *list) const { pango_attr_list_unref(list); }
    void operator()(PangoFontDescription *description) const { pango_font_description_free(description); }
};

template <typename Type>
using Owned = std::unique_ptr<Type, Unref>;

} // namespace perilune::pdf
