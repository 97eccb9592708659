import QtQuick
import Perilune

// The keys of a shortcut, as on a key.
Rectangle {
    id: root

    required property string keys

    implicitWidth: label.implicitWidth + 14
    implicitHeight: label.implicitHeight + 6
    visible: root.keys.length > 0
    radius: 6
    color: Theme.sunken
    border { width: 1; color: Theme.line }

    Text {
        id: label
        anchors.centerIn: parent
        text: root.keys
        textFormat: Text.PlainText
        color: Theme.muted
        font.pixelSize: Theme.captionSize
    }
}
