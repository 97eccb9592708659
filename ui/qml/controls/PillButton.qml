import QtQuick
import QtQuick.Controls.Basic
import Perilune

// A button with words, and an icon where it has one.
AbstractButton {
    id: root

    property string iconName: ""
    property bool primary: false
    readonly property color ink: root.primary ? Theme.accentInk : Theme.text

    implicitHeight: Theme.controlHeight
    implicitWidth: row.implicitWidth + 28
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    opacity: root.enabled ? 1 : 0.45
    Accessible.role: Accessible.Button
    Accessible.name: root.text
    Keys.onReturnPressed: root.clicked()
    Keys.onEnterPressed: root.clicked()

    contentItem: Item {
        Row {
            id: row
            anchors.centerIn: parent
            spacing: Theme.small
            Icon {
                anchors.verticalCenter: parent.verticalCenter
                visible: root.iconName.length > 0
                width: visible ? Theme.iconSize - 2 : 0
                height: Theme.iconSize - 2
                name: root.iconName
                color: root.primary ? Theme.accentInk : Theme.muted
            }
            Text {
                anchors.verticalCenter: parent.verticalCenter
                text: root.text
                textFormat: Text.PlainText
                color: root.ink
                font { pixelSize: Theme.labelSize; weight: Font.Medium }
            }
        }
    }
    background: Rectangle {
        radius: height / 2
        color: root.primary ? Theme.accent : Theme.raised
        border { width: root.primary ? 0 : 1; color: Theme.line }
        Rectangle {
            anchors.fill: parent
            radius: parent.radius
            color: root.down ? Theme.pressed : root.hovered ? Theme.hover : "transparent"
        }
        FocusRing { shown: root.visualFocus; radius: height / 2 }
    }
}
