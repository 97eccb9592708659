import QtQuick
import Perilune

// Takes files dropped anywhere in the window.
DropArea {
    id: root

    signal filesDropped(var urls)

    keys: ["text/uri-list"]
    onDropped: drop => (root.filesDropped(drop.urls), drop.acceptProposedAction())

    Rectangle {
        anchors { fill: parent; margins: Theme.medium }
        visible: root.containsDrag
        radius: 18
        color: Theme.accentSoft
        opacity: 0.96
        border { width: 2; color: Theme.accent }

        Column {
            anchors.centerIn: parent
            spacing: Theme.medium
            Icon {
                anchors.horizontalCenter: parent.horizontalCenter
                width: 44
                height: 44
                name: "picture"
                color: Theme.accent
            }
            Text {
                text: qsTr("Drop pictures and clips here")
                textFormat: Text.PlainText
                color: Theme.text
                font { pixelSize: Theme.titleSize; weight: Font.Medium }
            }
        }
    }
}
