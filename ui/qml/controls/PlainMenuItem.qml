import QtQuick
import QtQuick.Controls.Basic
import Perilune

MenuItem {
    id: root

    property string iconName: ""
    property color ink: Theme.text

    implicitHeight: Theme.controlHeight - 2
    implicitWidth: Math.max(180, implicitContentWidth + leftPadding + rightPadding)
    leftPadding: 10
    Accessible.role: Accessible.MenuItem
    Accessible.name: root.text

    contentItem: Row {
        spacing: 10
        Icon {
            anchors.verticalCenter: parent.verticalCenter
            width: Theme.iconSize - 2
            height: Theme.iconSize - 2
            name: root.iconName
            color: root.ink
        }
        Text {
            anchors.verticalCenter: parent.verticalCenter
            text: root.text
            textFormat: Text.PlainText
            color: root.ink
            font.pixelSize: Theme.labelSize
        }
    }
    background: Rectangle {
        radius: 6
        color: root.highlighted ? Theme.hover : "transparent"
    }
}
