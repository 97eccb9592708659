import QtQuick
import Perilune

// A block of code with its language, to copy whole.
BlockFrame {
    id: root

    required property string text
    required property string found
    required property string label

    signal copied()

    contentHeight: box.height
    ListView.onPooled: copyButton.done = false

    Rectangle {
        id: box
        width: parent.width
        height: bar.height + code.height + 12
        radius: Theme.radius
        color: Theme.sunken
        border { width: 1; color: Theme.line }

        Item {
            id: bar
            width: parent.width
            height: 36
            Text {
                anchors { left: parent.left; leftMargin: 14; verticalCenter: parent.verticalCenter }
                text: root.label.length > 0 ? root.label : qsTr("code")
                textFormat: Text.PlainText
                color: Theme.muted
                font.pixelSize: Theme.captionSize
            }
            CopyButton {
                id: copyButton
                anchors { right: parent.right; rightMargin: 4; verticalCenter: parent.verticalCenter }
                text: qsTr("Copy code")
                onClicked: root.copied()
            }
        }
        CodeBox {
            id: code
            anchors { top: bar.bottom; left: parent.left; right: parent.right }
            height: implicitHeight
            code: root.text
            language: root.label
            found: root.found
        }
    }
}
