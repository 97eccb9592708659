import QtQuick
import QtQuick.Controls.Basic
import Perilune

// A picture, or the frames of a clip, and below it how much of it the model saw, where that was chosen. Its
// height is known before it is decoded, so that nothing moves.
AbstractButton {
    id: root

    required property string source
    required property string name
    required property bool video
    required property string choice
    property real widest: 360
    readonly property int side: root.video ? 112 : 184
    readonly property real imageWidth: image.status === Image.Ready
                                       ? Math.max(72, root.side * image.implicitWidth / Math.max(1, image.implicitHeight))
                                       : root.video ? 460 : root.side

    implicitHeight: root.side + (choiceText.visible ? choiceText.implicitHeight + 4 : 0)
    implicitWidth: Math.min(root.widest, Math.max(root.imageWidth, choiceText.visible ? choiceText.implicitWidth : 0))
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    text: root.name
    Accessible.role: Accessible.Button
    Accessible.name: root.video ? qsTr("Clip %1, open").arg(root.name) : qsTr("Picture %1, open").arg(root.name)
    Accessible.description: root.choice
    Keys.onReturnPressed: root.clicked()

    contentItem: Item {
        Image {
            id: image
            width: parent.width
            height: root.side
            source: root.source
            sourceSize { width: 480; height: root.video ? 224 : 480 }
            asynchronous: true
            fillMode: Image.PreserveAspectFit
            mipmap: true
        }
        Rectangle {
            anchors.centerIn: image
            visible: image.status === Image.Ready && root.video
            width: 40
            height: 40
            radius: 20
            color: "#99101114"
            Icon { anchors.centerIn: parent; name: "play"; color: "#ffffff" }
        }
        Column {
            anchors.centerIn: image
            width: parent.width - 16
            visible: image.status === Image.Error
            spacing: 6
            Icon { anchors.horizontalCenter: parent.horizontalCenter; name: "warning"; color: Theme.muted }
            Text {
                width: parent.width
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("%1 can't be shown").arg(root.name)
                textFormat: Text.PlainText
                wrapMode: Text.WrapAtWordBoundaryOrAnywhere
                color: Theme.muted
                font.pixelSize: Theme.captionSize
            }
        }
        Text {
            id: choiceText
            anchors { left: parent.left; right: parent.right; top: image.bottom; topMargin: 4 }
            visible: root.choice.length > 0
            horizontalAlignment: Text.AlignHCenter
            text: root.choice
            textFormat: Text.PlainText
            elide: Text.ElideRight
            color: Theme.muted
            font.pixelSize: Theme.captionSize
        }
        HoverHandler { cursorShape: Qt.PointingHandCursor }
    }
    background: Item {
        Rectangle {
            width: parent.width
            height: root.side
            radius: 12
            color: image.status === Image.Ready ? "transparent" : Theme.sunken
        }
        FocusRing { shown: root.visualFocus; radius: 14 }
    }
    Tip { visible: root.hovered && root.name.length > 0; text: root.choice.length > 0 ? root.name + "\n" + root.choice : root.name }
}
