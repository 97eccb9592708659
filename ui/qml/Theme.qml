pragma Singleton
import QtQuick

// Every colour, size and distance of the window.
QtObject {
    id: root

    property bool dark: false

    readonly property color window: root.dark ? "#1a1b1e" : "#ffffff"
    readonly property color sidebar: root.dark ? "#141518" : "#f6f6f4"
    readonly property color raised: root.dark ? "#232529" : "#ffffff"
    readonly property color bubble: root.dark ? "#2a2d33" : "#eff0f3"
    readonly property color sunken: root.dark ? "#131417" : "#f6f6f5"
    readonly property color hover: root.dark ? "#0fffffff" : "#0d101828"
    readonly property color pressed: root.dark ? "#1cffffff" : "#17101828"
    readonly property color selected: root.dark ? "#272a31" : "#e8e9ee"
    readonly property color line: root.dark ? "#2d3036" : "#e5e5e2"
    readonly property color strongLine: root.dark ? "#43474f" : "#d0d0cc"
    readonly property color text: root.dark ? "#ececea" : "#1d1e20"
    readonly property color muted: root.dark ? "#a3a6ad" : "#62656b"
    readonly property color faint: root.dark ? "#83868d" : "#74777d"
    readonly property color accent: root.dark ? "#93a0ff" : "#4757c9"
    readonly property color accentInk: root.dark ? "#14161d" : "#ffffff"
    readonly property color accentSoft: root.dark ? "#2a2e45" : "#eceefb"
    readonly property color danger: root.dark ? "#ff9a8f" : "#b3261e"
    readonly property color dangerSoft: root.dark ? "#3a2322" : "#fdeeec"
    readonly property color good: root.dark ? "#6fcf97" : "#1f8a4c"
    readonly property color selection: root.dark ? "#46508f" : "#c9d0fb"
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

    // One type scale.
    readonly property int captionSize: 12
    readonly property int labelSize: 13
    readonly property int bodySize: 15
    readonly property int titleSize: 16
    readonly property int displaySize: 26
    readonly property string monospace: "monospace"

    readonly property int radius: 10
    readonly property int columnWidth: 740
    readonly property int gutter: 20
    readonly property int sidebarWidth: 272
    readonly property int narrowWidth: 760 // below it the sidebar is a drawer
    readonly property int quick: 120

    // What the colourless rich text of a block is drawn with.
    readonly property string richTextStyle: "<style>"
        + "p, li { line-height: 138%; margin-top: 0; margin-bottom: 0; }"
        + "ul, ol { margin-top: 0; margin-bottom: 0; }"
        + "h1, h2, h3, h4, h5, h6 { margin-top: 6px; margin-bottom: 0; font-weight: 600; line-height: 125%; }"
        + "h1 { font-size: 22px; } h2 { font-size: 19px; } h3 { font-size: 17px; }"
        + "h4, h5, h6 { font-size: 15px; }"
        + "a { color: " + root.accent + "; text-decoration: none; }"
        + "code, pre { font-family: " + root.monospace + "; font-size: 13px; background-color: " + root.bubble + "; }"
        + "table { border-collapse: collapse; border-style: solid; border-color: " + root.line + "; }"
        + "th { font-weight: 600; }"
        + "</style>"
}
