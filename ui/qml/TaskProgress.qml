import QtQuick
import QtQuick.Layouts
import Perilune

// What is being done beside the chat and how far it is, while it is.
Item {
    id: root

    required property bool running
    required property string status
    required property real progress // from 0 to 1; below 0 where it isn't known
    required property string stopText

    signal stopWanted()

    visible: root.running
    implicitHeight: root.visible ? row.implicitHeight + 2 * Theme.small : 0
    Accessible.role: Accessible.ProgressBar
    Accessible.name: root.status

    RowLayout {
        id: row
        anchors { left: parent.left; right: parent.right; margins: Theme.medium; verticalCenter: parent.verticalCenter }
        spacing: Theme.small
        ColumnLayout {
            Layout.fillWidth: true
            spacing: 5
            Text {
                Layout.fillWidth: true
                text: root.status
                textFormat: Text.PlainText
                elide: Text.ElideMiddle
                color: Theme.muted
                font.pixelSize: Theme.captionSize
            }
            Rectangle {
                Layout.fillWidth: true
                implicitHeight: 4
                radius: 2
                color: Theme.line
                Rectangle { width: Math.max(4, parent.width * Math.max(0, root.progress)); height: 4; radius: 2; color: Theme.accent }
            }
        }
        IconButton {
            iconName: "stop"
            text: root.stopText
            onClicked: root.stopWanted()
        }
    }
}
