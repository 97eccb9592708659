import QtQuick
import Perilune

// What all blocks have in common: a column in the middle of the view, and more room before a new message.
Item {
    id: root

    required property bool startsMessage
    default property alias content: holder.data
    property real contentHeight: 0
    property real gap: root.startsMessage ? 26 : 11
    readonly property real columnWidth: holder.width

    width: ListView.view?.width ?? 400
    implicitHeight: root.contentHeight + root.gap

    Item {
        id: holder
        x: (root.width - width) / 2
        y: root.gap
        width: Math.min(root.width - 2 * Theme.gutter, Theme.columnWidth)
        height: root.contentHeight
    }
}
