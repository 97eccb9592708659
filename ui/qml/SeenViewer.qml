import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import Perilune

// What the model will see of an attachment: the picture under its grid, or the frames with their times.
Popup {
    id: root

    required property SeenModel seen

    visible: root.seen.shown
    onClosed: root.seen.hide()
    parent: T.Overlay.overlay
    width: parent?.width ?? 0
    height: parent?.height ?? 0
    padding: Theme.large
    modal: true
    focus: true
    closePolicy: Popup.CloseOnEscape
    background: Rectangle { color: "#f2101114" }

    contentItem: Item {
        Column {
            id: head
            anchors { left: parent.left; top: parent.top; right: closeButton.left; rightMargin: Theme.medium }
            spacing: Theme.tiny
            Text {
                width: parent.width
                text: root.seen.title
                textFormat: Text.PlainText
                elide: Text.ElideMiddle
                color: "#f2f2f0"
                font { pixelSize: Theme.bodySize; weight: Font.Medium }
                Accessible.role: Accessible.Heading
                Accessible.name: qsTr("What the model sees of %1").arg(text)
            }
            Text {
                width: parent.width
                text: root.seen.busy ? qsTr("Reading…") : root.seen.facts
                textFormat: Text.PlainText
                wrapMode: Text.Wrap
                color: "#c8c8c4"
                font.pixelSize: Theme.labelSize
            }
            Repeater {
                model: root.seen.notes
                Text {
                    required property string modelData
                    width: head.width
                    text: modelData
                    textFormat: Text.PlainText
                    wrapMode: Text.Wrap
                    color: "#c8c8c4"
                    font.pixelSize: Theme.captionSize
                }
            }
        }
        ChoicesPane {
            id: pane
            anchors { left: parent.left; top: head.bottom; right: closeButton.left; topMargin: Theme.small; rightMargin: Theme.medium }
            choices: root.seen.choices
        }
        IconButton {
            id: closeButton
            anchors { right: parent.right; top: parent.top }
            iconName: "close"
            iconColor: "#e8e8e6"
            text: qsTr("Close")
            focus: true
            onClicked: root.seen.hide()
        }
        GridView {
            id: frames
            readonly property real most: root.seen.video ? 240 : Math.min(width, height * root.seen.aspect)
            anchors { fill: parent; topMargin: Math.max(head.height + pane.height + Theme.small, closeButton.height) + Theme.medium }
            clip: true
            opacity: root.seen.busy ? 0.4 : 1
            boundsBehavior: Flickable.StopAtBounds
            model: root.seen
            cellWidth: root.seen.video ? width / Math.max(1, Math.floor(width / 220)) : width
            cellHeight: root.seen.video ? (cellWidth - 12) / root.seen.aspect + 48 : height
            ScrollBar.vertical: SlimScrollBar { }
            Accessible.role: Accessible.List
            Accessible.name: root.seen.facts
            delegate: Item {
                id: frame
                required property var image
                required property string caption
                required property string chunk
                width: frames.cellWidth
                height: frames.cellHeight
                Accessible.role: Accessible.ListItem
                Accessible.name: frame.caption
                Text {
                    id: chunkText
                    visible: root.seen.video
                    width: parent.width - 12
                    height: visible ? 20 : 0
                    text: frame.chunk
                    textFormat: Text.PlainText
                    elide: Text.ElideRight
                    color: "#f2f2f0"
                    font { pixelSize: Theme.captionSize; weight: Font.Medium }
                }
                PixelImage {
                    id: picture
                    y: chunkText.height
                    width: root.seen.video ? parent.width - 12 : frames.most
                    height: width / root.seen.aspect
                    radius: root.seen.video ? 6 : 0
                    image: frame.image
                }
                Text {
                    y: picture.y + picture.height + 2
                    visible: root.seen.video
                    text: frame.caption
                    textFormat: Text.PlainText
                    color: "#c8c8c4"
                    font.pixelSize: Theme.captionSize
                }
            }
        }
    }
}
