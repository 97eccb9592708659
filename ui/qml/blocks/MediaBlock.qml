import QtQuick
import Perilune

// The pictures and clips of one message.
BlockFrame {
    id: root

    required property var media

    signal opened(string source, string name)

    contentHeight: flow.height
    gap: root.startsMessage ? 30 : 8

    Flow {
        id: flow
        anchors.right: parent.right
        width: root.columnWidth
        layoutDirection: Qt.RightToLeft
        spacing: Theme.small

        Repeater {
            model: root.media
            delegate: MediaThumbnail {
                required property var modelData

                source: modelData.source
                name: modelData.name
                video: modelData.video
                choice: modelData.choice
                widest: modelData.video ? flow.width : 360
                onClicked: root.opened(modelData.source, modelData.name)
            }
        }
    }
}
