import QtQuick
import QtQuick.Controls.Basic
import Perilune

AbstractButton {
    id: root

    required property string title
    required property string detail
    required property string iconName
    property string picture: ""
    property bool wide: false

    implicitHeight: root.wide ? 62 : 118
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    text: root.title
    Accessible.role: Accessible.Button
    Accessible.name: root.title
    Accessible.description: root.detail
    Keys.onReturnPressed: root.clicked()

    contentItem: Item {
        Rectangle {
            id: badge
            anchors { left: parent.left; leftMargin: Theme.medium }
            y: root.wide ? (parent.height - height) / 2 : Theme.medium
            width: 38
            height: 38
            radius: Theme.radius
            color: Theme.accentSoft
            Icon { anchors.centerIn: parent; visible: root.picture.length === 0; name: root.iconName; color: Theme.accent }
            Image {
                anchors { fill: parent; margins: 2 }
                visible: root.picture.length > 0
                source: root.picture
                sourceSize { width: 76; height: 76 }
                fillMode: Image.PreserveAspectCrop
                asynchronous: true
            }
        }
        Column {
            anchors { left: parent.left; leftMargin: root.wide ? 62 : Theme.medium }
            y: root.wide ? (parent.height - height) / 2 : 60
            width: parent.width - anchors.leftMargin - Theme.medium
            spacing: 2
            Text {
                width: parent.width
                text: root.title
                textFormat: Text.PlainText
                elide: Text.ElideRight
                color: Theme.text
                font { pixelSize: Theme.labelSize; weight: Font.Medium }
            }
            Text {
                width: parent.width
                text: root.detail
                textFormat: Text.PlainText
                elide: Text.ElideRight
                color: Theme.muted
                font.pixelSize: Theme.captionSize
            }
        }
    }
    background: Rectangle {
        radius: 14
        color: Theme.raised
        border { width: 1; color: root.hovered ? Theme.strongLine : Theme.line }
        Rectangle {
            anchors.fill: parent
            radius: parent.radius
            color: root.down ? Theme.pressed : root.hovered ? Theme.hover : "transparent"
        }
        FocusRing { shown: root.visualFocus; radius: 16 }
    }
}
