import QtQuick
import Perilune

// What the person wrote, as it was written.
BlockFrame {
    id: root

    required property string text
    required property string found

    contentHeight: bubble.height
    gap: root.startsMessage ? 30 : 6

    Rectangle {
        id: bubble
        anchors.right: parent.right
        width: words.width + 32
        height: words.height + 22
        radius: 18
        color: Theme.bubble

        PlainTextView {
            id: words
            x: 16
            y: 11
            width: Math.min(implicitWidth, root.columnWidth * 0.86 - 32)
            plain: root.text
            found: root.found
            Accessible.name: qsTr("You: %1").arg(root.text)
        }
    }
}
