// SVG by librsvg, on white.
#include "media/helper/module.h"

#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace perilune::helper {

namespace {

struct FreeDrawing {
    void operator()(RsvgHandle *handle) const { g_object_unref(handle); }
    void operator()(cairo_surface_t *surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t *context) const { cairo_destroy(context); }
};
template <typename T>
using Owned = std::unique_ptr<T, FreeDrawing>;

// A drawing has no pixels of its own: small ones are enlarged until a model sees something, and none is
// larger than a photo.
constexpr double kSmallestSide = 768, kLargestSide = 4096; ///< of the longer side

struct Size {
    double width = 0, height = 0;
};

Owned<RsvgHandle> parsed(Bytes bytes)
{
    GError *error = nullptr;
    // Without an address of its own, librsvg follows no reference out of the document.
    Owned<RsvgHandle> handle(rsvg_handle_new_from_data(bytes.data(), bytes.size(), &error));
    g_clear_error(&error);
    if (handle)
        rsvg_handle_set_dpi(handle.get(), 96); // as CSS and browsers have it
    return handle;
}

/// In pixels, or only a shape where the drawing says no more.
Size naturalSize(RsvgHandle *handle)
{
    Size size;
    if (rsvg_handle_get_intrinsic_size_in_pixels(handle, &size.width, &size.height) && size.width > 0 &&
        size.height > 0)
        return size;
    gboolean hasWidth = FALSE, hasHeight = FALSE, hasBox = FALSE;
    RsvgLength width{}, height{};
    RsvgRectangle box{};
    rsvg_handle_get_intrinsic_dimensions(handle, &hasWidth, &width, &hasHeight, &height, &hasBox, &box);
    if (hasBox && box.width > 0 && box.height > 0)
        return {box.width, box.height};
    return {1, 1};
}

Size sensibleSize(Size size)
{
    const double longer = std::max(size.width, size.height);
    if (!std::isfinite(longer))
        return {kSmallestSide, kSmallestSide};
    const double scale = std::clamp(longer, kSmallestSide, kLargestSide) / longer;
    return {std::max(std::round(size.width * scale), 1.0), std::max(std::round(size.height * scale), 1.0)};
}

/// The drawing on white; none where it can't be drawn.
Owned<cairo_surface_t> drawn(RsvgHandle *handle, Size size)
{
    Owned<cairo_surface_t> surface(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(size.width), static_cast<int>(size.height)));
    const Owned<cairo_t> context(cairo_create(surface.get()));
    cairo_set_source_rgb(context.get(), 1, 1, 1);
    cairo_paint(context.get());
    const RsvgRectangle page{0, 0, size.width, size.height};
    GError *error = nullptr;
    const bool good = rsvg_handle_render_document(handle, context.get(), &page, &error) != FALSE;
    g_clear_error(&error);
    if (!good || cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
        return {};
    cairo_surface_flush(surface.get());
    return surface;
}

Status readSvg(Bytes bytes, PictureOutput &output)
{
    const auto handle = parsed(bytes);
    if (!handle) {
        const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
        return text.find("</svg") == std::string_view::npos ? cutOff() : damaged();
    }
    const Size size = sensibleSize(naturalSize(handle.get()));
    PictureForm form{.width = static_cast<std::uint32_t>(size.width),
                     .height = static_cast<std::uint32_t>(size.height)};
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    const auto surface = drawn(handle.get(), size);
    if (!surface)
        return damaged();
    const std::uint32_t width = form.width, height = form.height;
    if (auto started = output.start(std::move(form)); !started)
        return started;
    const unsigned char *pixels = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    std::vector<std::uint8_t> row(std::size_t{width} * 3);
    for (std::uint32_t y = 0; y < height; ++y) {
        const auto *from =
            reinterpret_cast<const std::uint32_t *>(pixels + static_cast<std::ptrdiff_t>(y) * stride);
        for (std::size_t x = 0; x < width; ++x) {
            row[x * 3] = static_cast<std::uint8_t>(from[x] >> 16);
            row[x * 3 + 1] = static_cast<std::uint8_t>(from[x] >> 8);
            row[x * 3 + 2] = static_cast<std::uint8_t>(from[x]);
        }
        output.add(row.data(), 1);
    }
    output.finish();
    return Done{};
}

/// Fonts are found and opened while it is still allowed: a text in each of the usual ones is drawn once, with
/// letters of the scripts that have fonts of their own.
void prepareSvg()
{
    static constexpr std::string_view kSample =
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">)"
        R"(<g font-size="9"><text font-family="sans-serif">A 中 あ 한 ع ह ไ א 😀</text>)"
        R"(<text font-family="sans-serif" font-weight="bold">A</text><text font-family="serif">A</text>)"
        R"(<text font-family="monospace">A</text></g></svg>)";
    const auto handle = parsed({reinterpret_cast<const std::uint8_t *>(kSample.data()), kSample.size()});
    if (handle)
        (void)drawn(handle.get(), {99, 99});
}

constexpr PictureReader kReaders[] = {
    {FileKind::Svg, readSvg},
};

} // namespace

} // namespace perilune::helper

extern "C" {
extern const perilune::helper::Module perilune_media_module;
const perilune::helper::Module perilune_media_module{
    .pictures = perilune::helper::kReaders, .openClip = nullptr, .prepare = perilune::helper::prepareSvg};
}
