// HEIC and AVIF by libheif: one container, with HEVC or AV1 inside.
#include "media/helper/iso_boxes.h"
#include "media/helper/module.h"

#include <libheif/heif.h>

#include <memory>

namespace perilune::helper {

namespace {

struct FreeHeif {
    void operator()(heif_context *context) const { heif_context_free(context); }
    void operator()(heif_image_handle *handle) const { heif_image_handle_release(handle); }
    void operator()(heif_image *image) const { heif_image_release(image); }
    void operator()(heif_decoding_options *options) const { heif_decoding_options_free(options); }
};
template <typename T>
using Heif = std::unique_ptr<T, FreeHeif>;

Error sentence(const heif_error &error)
{
    if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype)
        return {ErrorCode::Unsupported, "is packed in a way that can't be read here"};
    if (error.subcode == heif_suberror_End_of_data)
        return cutOff();
    return damaged();
}

std::vector<std::uint8_t> profileOf(const heif_image_handle *handle)
{
    const heif_color_profile_type type = heif_image_handle_get_color_profile_type(handle);
    if (type != heif_color_profile_type_rICC && type != heif_color_profile_type_prof)
        return {};
    std::vector<std::uint8_t> profile(heif_image_handle_get_raw_color_profile_size(handle));
    if (profile.empty() ||
        heif_image_handle_get_raw_color_profile(handle, profile.data()).code != heif_error_Ok)
        return {};
    return profile;
}

/// Turned and mirrored as the container says; EXIF's orientation, which says it once more, doesn't count
/// here.
Status readHeif(Bytes bytes, PictureOutput &output)
{
    const Heif<heif_context> context(heif_context_alloc());
    if (!context)
        throw std::bad_alloc();
    heif_error error =
        heif_context_read_from_memory_without_copy(context.get(), bytes.data(), bytes.size(), nullptr);
    if (error.code != heif_error_Ok)
        return isoBoxesAreWhole(bytes) ? sentence(error) : cutOff();
    heif_image_handle *found = nullptr;
    error = heif_context_get_primary_image_handle(context.get(), &found);
    const Heif<heif_image_handle> handle(found);
    if (error.code != heif_error_Ok)
        return sentence(error);

    PictureForm form{.width = static_cast<std::uint32_t>(std::max(heif_image_handle_get_width(found), 0)),
                     .height = static_cast<std::uint32_t>(std::max(heif_image_handle_get_height(found), 0))};
    if (auto fits = checkSize(form.width, form.height, output.maxPixels()); !fits)
        return fits;
    if (!isoBoxesAreWhole(bytes))
        return cutOff();
    const bool alpha = heif_image_handle_has_alpha_channel(found) != 0;
    form.layout = alpha ? Layout::Rgba8 : Layout::Rgb8;
    form.profile = profileOf(found);
    if (countIsoFrames(bytes) > 1)
        form.notes.emplace_back("an animation: its first frame is taken");

    const Heif<heif_decoding_options> options(heif_decoding_options_alloc());
    options->convert_hdr_to_8bit = 1;
    heif_image *made = nullptr;
    error =
        heif_decode_image(found, &made, heif_colorspace_RGB,
                          alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options.get());
    const Heif<heif_image> image(made);
    if (error.code != heif_error_Ok)
        return sentence(error);
    int stride = 0;
    const std::uint8_t *rows = heif_image_get_plane_readonly(made, heif_channel_interleaved, &stride);
    const int width = heif_image_get_width(made, heif_channel_interleaved);
    const int height = heif_image_get_height(made, heif_channel_interleaved);
    if (!rows || !std::cmp_equal(width, form.width) || !std::cmp_equal(height, form.height))
        return damaged();
    if (auto started = output.start(std::move(form)); !started)
        return started;
    for (int y = 0; y < height; ++y)
        output.add(rows + static_cast<std::ptrdiff_t>(y) * stride, 1);
    output.finish();
    return Done{};
}

/// From version 1.17 on the decoders are files of their own, which are found and loaded here.
void prepareHeif()
{
#if LIBHEIF_HAVE_VERSION(1, 13, 0)
    heif_init(nullptr);
#endif
}

constexpr PictureReader kReaders[] = {
    {FileKind::Heic, readHeif},
    {FileKind::Avif, readHeif},
};

} // namespace

} // namespace perilune::helper

extern "C" {
extern const perilune::helper::Module perilune_media_module;
const perilune::helper::Module perilune_media_module{
    .pictures = perilune::helper::kReaders, .openClip = nullptr, .prepare = perilune::helper::prepareHeif};
}
