import QtQuick
import QtQuick.Layouts
import Perilune

// What is being exported and how far it is, while it is.
Item {
    id: root

    required property Exporter exporter

    visible: root.exporter.running
    implicitHeight: root.visible ? row.implicitHeight + 2 * Theme.small : 0
    Accessible.role: Accessible.ProgressBar
    Accessible.name: root.exporter.status

    RowLayout {
        id: row
        anchors { left: parent.left; right: parent.right; margins: Theme.medium; verticalCenter: parent.verticalCenter }
        spacing: Theme.small
        ColumnLayout {
            Layout.fillWidth: true
            spacing: 5
            Text {
                Layout.fillWidth: true
                text: root.exporter.status
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
                Rectangle { width: Math.max(4, parent.width * root.exporter.progress); height: 4; radius: 2; color: Theme.accent }
            }
        }
        IconButton {
            iconName: "stop"
            text: qsTr("Stop exporting")
            onClicked: root.exporter.stop()
        }
    }
}
