import QtQuick
import Perilune

// A new chat: what can be asked, each with one click.
Item {
    id: root

    required property string modelName
    required property bool temporary

    signal sampleChosen(string file, string question)

    Column {
        anchors.centerIn: parent
        width: Math.min(root.width - 2 * Theme.gutter, 560)
        spacing: Theme.large

        Icon {
            anchors.horizontalCenter: parent.horizontalCenter
            visible: root.height > 500
            width: 46
            height: 46
            name: root.temporary ? "clock" : "moon"
            color: Theme.accent
        }
        Text {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: root.temporary ? qsTr("A chat that leaves no trace") : qsTr("What would you like to know?")
            textFormat: Text.PlainText
            wrapMode: Text.Wrap
            color: Theme.text
            font { pixelSize: Theme.displaySize; weight: Font.DemiBold }
            Accessible.role: Accessible.Heading
            Accessible.name: text
        }
        Text {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: root.temporary
                ? qsTr("What is said here is never written to the disk, and gone when Perilune closes or you begin another temporary chat. You can still decide to keep it.")
                : qsTr("Write a message, or drop a picture or a short clip anywhere in this window. Everything stays on this computer.")
            textFormat: Text.PlainText
            wrapMode: Text.Wrap
            lineHeight: 1.3
            color: Theme.muted
            font.pixelSize: Theme.bodySize
            bottomPadding: Theme.small
        }

        Grid {
            anchors.horizontalCenter: parent.horizontalCenter
            columns: root.width > 620 ? 3 : 1
            spacing: Theme.medium
            SuggestionCard {
                width: root.width > 620 ? 178 : Math.min(root.width - 2 * Theme.gutter, 400)
                wide: root.width <= 620
                picture: "qrc:/perilune/two_shapes.png"
                iconName: "picture"
                title: qsTr("Describe a picture")
                detail: qsTr("A sample with two shapes")
                onClicked: root.sampleChosen("two_shapes.png", qsTr("Describe the image."))
            }
            SuggestionCard {
                width: root.width > 620 ? 178 : Math.min(root.width - 2 * Theme.gutter, 400)
                wide: root.width <= 620
                iconName: "film"
                title: qsTr("Follow a clip")
                detail: qsTr("A sample with a moving circle")
                onClicked: root.sampleChosen("moving_circle.mp4", qsTr("What happens in the video?"))
            }
            SuggestionCard {
                width: root.width > 620 ? 178 : Math.min(root.width - 2 * Theme.gutter, 400)
                wide: root.width <= 620
                iconName: "spark"
                title: qsTr("Just talk")
                detail: qsTr("Ask what it can do")
                onClicked: root.sampleChosen("", qsTr("What can you do?"))
            }
        }
    }
}
