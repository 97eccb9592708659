// Written by packaging/oracles/template_probe.py --record; do not edit.
#include "engine/text/folder_template.h"

namespace perilune {

namespace {

// clang-format off
constexpr KnownTemplate kKnown[] = {
    {ChatFamily::K2, "c44fe839e9497f843ca9ca965dd84daf92dedc8695388289d0df42f8a2a1e5d9", "packaging/oracles/templates/k2.jinja"},
    {ChatFamily::K25, "0c6e0eedcd788a2a36454604c0acf45c112e4874173e8871c845527877c2ffa6", "packaging/oracles/templates/k25.jinja"},
    {ChatFamily::K25, "ad47a6cd7356a2fdffe83eccee67ab02f6cb02f0beb6ea6a7186f61530129436", "packaging/demo-model/model"},
    {ChatFamily::K26, "058186b298835d948e6953e2956661e5c79751bf6380d9a363e95aaf017f7fdc", "packaging/oracles/templates/k26.jinja"},
    {ChatFamily::K2Thinking, "8ba12628851d1b8bf8331abe055eca54758bc6fbeeb6d34baec270dd63b984a9", "packaging/oracles/templates/k2_thinking.jinja"},
    {ChatFamily::KimiVl, "1c4d2334f96bdd2f395820c36473fa5cd006b150326bcba7d67ea0f80af0c049", "packaging/oracles/templates/kimi_vl.jinja"},
    {ChatFamily::Moonlight, "e945558a7c2e58226d37b2af3731fda9119fbb72a0a131436bd3c43761622465", "packaging/oracles/templates/moonlight.jinja"},
};
// clang-format on

} // namespace

std::span<const KnownTemplate> knownTemplates()
{
    return kKnown;
}

} // namespace perilune
