import QtQuick
import Perilune

BlockFrame {
    id: root

    required property string text
    required property string found
    required property bool rightToLeft

    signal linkClicked(string url)
    signal linkHovered(string url)

    contentHeight: view.height

    Rectangle {
        x: root.rightToLeft ? parent.width - width : 0
        width: 3
        height: parent.height
        radius: 1.5
        color: Theme.strongLine
    }
    RichTextView {
        id: view
        x: root.rightToLeft ? 0 : 16
        width: parent.width - 16
        html: root.text
        found: root.found
        color: Theme.muted
        onLinkActivated: link => root.linkClicked(link)
        onLinkHovered: link => root.linkHovered(link)
    }
}
