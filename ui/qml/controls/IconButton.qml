import QtQuick
import QtQuick.Controls.Basic
import Perilune

// A square button with an icon; its text is the tool tip and what a screen reader says.
AbstractButton {
    id: root

    required property string iconName
    property color iconColor: Theme.muted
    property int iconSize: Theme.iconSize

    implicitWidth: root.iconSize + 14
    implicitHeight: root.iconSize + 14
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    opacity: root.enabled ? 1 : 0.4
    Accessible.role: Accessible.Button
    Accessible.name: root.text
    Keys.onReturnPressed: root.clicked()
    Keys.onEnterPressed: root.clicked()

    contentItem: Item {
        Icon {
            anchors.centerIn: parent
            width: root.iconSize
            height: root.iconSize
            name: root.iconName
            color: root.hovered && root.enabled ? Theme.text : root.iconColor
        }
    }
    background: Rectangle {
        radius: Theme.radius - 2
        color: root.down ? Theme.pressed : root.hovered ? Theme.hover : "transparent"
        FocusRing { shown: root.visualFocus; radius: Theme.radius }
    }

    // Made when it is needed: a transcript has many buttons.
    Loader {
        active: root.hovered && root.text.length > 0
        sourceComponent: Tip { parent: root; visible: true; text: root.text }
    }
}
