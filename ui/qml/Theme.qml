pragma Singleton
import QtQuick

// Every colour, size and distance of the window.
QtObject {
    id: root

    property bool dark: false
    property bool highContrast: false
    property bool reducedMotion: false
    property real textScale: 1

    readonly property color window: root.highContrast ? (root.dark ? "#000000" : "#ffffff") : root.dark ? "#1a1b1e" : "#ffffff"
    readonly property color sidebar: root.highContrast ? (root.dark ? "#000000" : "#ffffff") : root.dark ? "#141518" : "#f6f6f4"
    readonly property color raised: root.highContrast ? (root.dark ? "#000000" : "#ffffff") : root.dark ? "#232529" : "#ffffff"
    readonly property color bubble: root.highContrast ? (root.dark ? "#1c1c1c" : "#ededed") : root.dark ? "#2a2d33" : "#eff0f3"
    readonly property color sunken: root.highContrast ? (root.dark ? "#000000" : "#ffffff") : root.dark ? "#131417" : "#f6f6f5"
    readonly property color hover: root.dark ? "#0fffffff" : "#0d101828"
    readonly property color pressed: root.dark ? "#1cffffff" : "#17101828"
    readonly property color selected: root.highContrast ? (root.dark ? "#2c2c2c" : "#dcdcdc") : root.dark ? "#272a31" : "#e8e9ee"
    readonly property color line: root.highContrast ? (root.dark ? "#b8b8b8" : "#4a4a4a") : root.dark ? "#2d3036" : "#e5e5e2"
    readonly property color strongLine: root.highContrast ? (root.dark ? "#ffffff" : "#000000") : root.dark ? "#43474f" : "#d0d0cc"
    readonly property color text: root.highContrast ? (root.dark ? "#ffffff" : "#000000") : root.dark ? "#ececea" : "#1d1e20"
    readonly property color muted: root.highContrast ? (root.dark ? "#f0f0f0" : "#1c1c1c") : root.dark ? "#a3a6ad" : "#62656b"
    readonly property color faint: root.highContrast ? (root.dark ? "#dcdcdc" : "#303030") : root.dark ? "#83868d" : "#74777d"
    readonly property color accent: root.highContrast ? (root.dark ? "#b9c2ff" : "#1f2f9e") : root.dark ? "#93a0ff" : "#4757c9"
    readonly property color accentInk: root.highContrast ? (root.dark ? "#000000" : "#ffffff") : root.dark ? "#14161d" : "#ffffff"
    readonly property color accentSoft: root.dark ? "#2a2e45" : "#eceefb"
    readonly property color danger: root.highContrast ? (root.dark ? "#ffb4ab" : "#8c0f0a") : root.dark ? "#ff9a8f" : "#b3261e"
    readonly property color dangerSoft: root.dark ? "#3a2322" : "#fdeeec"
    readonly property color good: root.dark ? "#6fcf97" : "#1f8a4c"
    readonly property color selection: root.dark ? "#46508f" : "#c9d0fb"
    readonly property color found: root.dark ? "#7a5a10" : "#ffdf70" // behind what was searched for
    readonly property color codeBack: root.dark ? "#14ffffff" : "#12101834" // what is behind it can be seen
    readonly property color shade: root.dark ? "#b0000000" : "#66101218"

    // Code: keyword, type, literal, number, string, comment, meta, name, added, removed.
    readonly property list<color> codePalette: root.dark
        ? ["#c792ea", "#7fc8d8", "#f2a872", "#f2a872", "#a5cf8a", "#8b8f99", "#e5b567", "#8fb4f5", "#8fd19e", "#ff9a8f"]
        : ["#8430a8", "#0b6e82", "#a84a00", "#a84a00", "#2f7014", "#6a6e77", "#8a5a00", "#2b57b8", "#1c7a41", "#b3261e"]

    // One spacing scale.
    readonly property int tiny: 4
    readonly property int small: 8
    readonly property int medium: 12
    readonly property int large: 16
    readonly property int huge: 24

    // One type scale, and the person's own factor on it.
    readonly property int captionSize: root.scaled(12)
    readonly property int labelSize: root.scaled(13)
    readonly property int bodySize: root.scaled(15)
    readonly property int titleSize: root.scaled(16)
    readonly property int displaySize: root.scaled(26)
    readonly property string monospace: "monospace"

    readonly property int radius: 10
    readonly property int columnWidth: 740
    readonly property int gutter: 20
    readonly property int sidebarWidth: Math.round(272 * (0.6 + 0.4 * Math.max(1, root.textScale)))
    readonly property int narrowWidth: 760 // below it the sidebar is a drawer
    readonly property int quick: root.reducedMotion ? 0 : 120
    readonly property int controlHeight: Math.max(36, root.scaled(13) + 23) // of buttons and fields

    readonly property int iconSize: Math.round(20 * (0.5 + 0.5 * Math.max(1, root.textScale)))

    function scaled(size) { return Math.round(size * root.textScale) }

    // What the colourless rich text of a block is drawn with.
    readonly property string richTextStyle: "<style>"
        + "p, li { line-height: 138%; margin-top: 0; margin-bottom: 0; }"
        + "ul, ol { margin-top: 0; margin-bottom: 0; }"
        + "h1, h2, h3, h4, h5, h6 { margin-top: 6px; margin-bottom: 0; font-weight: 600; line-height: 125%; }"
        + "h1 { font-size: " + root.scaled(22) + "px; } h2 { font-size: " + root.scaled(19) + "px; } h3 { font-size: " + root.scaled(17) + "px; }"
        + "h4, h5, h6 { font-size: " + root.bodySize + "px; }"
        + "a { color: " + root.accent + "; text-decoration: none; }"
        + "code, pre { font-family: " + root.monospace + "; font-size: " + root.labelSize + "px; background-color: " + root.codeBack + "; }"
        + "table { border-collapse: collapse; border-style: solid; border-color: " + root.line + "; }"
        + "th { font-weight: 600; }"
        + "</style>"
}
