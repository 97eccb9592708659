import QtQuick
import Perilune

// Under the last message: what is being done, and how far it is.
Item {
    id: root

    required property bool shown
    required property bool writing
    required property string text
    required property real progress

    implicitHeight: root.shown ? 56 : Theme.huge
    Accessible.role: Accessible.StatusBar
    Accessible.name: root.text

    Row {
        x: Math.max(Theme.gutter, (root.width - Theme.columnWidth) / 2)
        y: 20
        visible: root.shown
        spacing: 10

        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            width: 9
            height: 9
            radius: 4.5
            color: Theme.accent
            SequentialAnimation on opacity {
                running: root.shown
                loops: Animation.Infinite
                NumberAnimation { from: 1; to: 0.25; duration: 700; easing.type: Easing.InOutSine }
                NumberAnimation { from: 0.25; to: 1; duration: 700; easing.type: Easing.InOutSine }
            }
        }
        Text {
            anchors.verticalCenter: parent.verticalCenter
            text: root.text
            textFormat: Text.PlainText
            color: Theme.muted
            font.pixelSize: Theme.labelSize
        }
        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            visible: root.progress >= 0
            width: 120
            height: 4
            radius: 2
            color: Theme.line
            Rectangle {
                width: Math.max(4, parent.width * root.progress)
                height: 4
                radius: 2
                color: Theme.accent
            }
        }
    }
}
