#include "media/helper/colour_profile.h"

#include <lcms2.h>

#include <string_view>

namespace perilune::helper {

namespace {

struct CloseProfile {
    void operator()(void *profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, CloseProfile>;

/// Cameras and programs write many editions of sRGB; they all say so in their description.
bool isSrgb(cmsHPROFILE profile)
{
    char text[256] = "";
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text, sizeof text);
    return std::string_view(text).find("sRGB") != std::string_view::npos;
}

} // namespace

ColourProfile::ColourProfile(const std::vector<std::uint8_t> &profile, Space space)
{
    const Profile from(cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size())));
    if (!from || isSrgb(from.get()))
        return;
    const cmsColorSpaceSignature expected = space == Space::Gray  ? cmsSigGrayData
                                            : space == Space::Rgb ? cmsSigRgbData
                                                                  : cmsSigCmykData;
    if (cmsGetColorSpace(from.get()) != expected)
        return;
    const cmsUInt32Number format = space == Space::Gray  ? TYPE_GRAY_8
                                   : space == Space::Rgb ? TYPE_RGB_8
                                                         : TYPE_CMYK_8;
    const Profile to(cmsCreate_sRGBProfile());
    cmsHTRANSFORM transform =
        cmsCreateTransform(from.get(), format, to.get(), TYPE_RGB_8, INTENT_PERCEPTUAL, /*flags=*/0);
    if (transform)
        m_transform = std::shared_ptr<void>(transform, cmsDeleteTransform);
}

void ColourProfile::toSrgb(const std::uint8_t *from, std::uint8_t *rgb, std::size_t pixels) const
{
    cmsDoTransform(m_transform.get(), from, rgb, static_cast<cmsUInt32Number>(pixels));
}

} // namespace perilune::helper
