import QtQuick
import QtQuick.Controls.Basic
import Perilune

// Sends; while an answer is being made, stops it.
AbstractButton {
    id: root

    required property bool busy

    implicitWidth: 36
    implicitHeight: 36
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    text: root.busy ? qsTr("Stop") : qsTr("Send")
    Accessible.role: Accessible.Button
    Accessible.name: root.text
    Keys.onReturnPressed: root.clicked()
    Keys.onEnterPressed: root.clicked()

    contentItem: Item {
        Icon {
            anchors.centerIn: parent
            name: root.busy ? "stop" : "send"
            color: root.enabled ? (root.busy ? Theme.window : Theme.accentInk) : Theme.faint
        }
    }
    background: Rectangle {
        radius: 18
        color: !root.enabled ? Theme.bubble : root.busy ? Theme.text : Theme.accent
        opacity: root.down ? 0.75 : root.hovered ? 0.9 : 1
        FocusRing { shown: root.visualFocus; radius: 20 }
    }

    Tip { visible: root.hovered; text: root.text }
}
