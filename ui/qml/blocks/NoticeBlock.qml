import QtQuick
import Perilune

BlockFrame {
    id: root

    required property string text
    required property string label // what goes on with the answer; often empty
    required property bool busy

    signal onwardWanted()

    contentHeight: Math.max(words.height, button.visible ? button.height : 0)

    PillButton {
        id: button
        anchors { right: parent.right; verticalCenter: parent.verticalCenter }
        visible: root.label.length > 0
        enabled: !root.busy
        implicitHeight: 30
        text: root.label
        iconName: "play"
        onClicked: root.onwardWanted()
    }
    Text {
        id: words
        anchors.verticalCenter: parent.verticalCenter
        width: parent.width - (button.visible ? button.width + Theme.medium : 0)
        text: root.text
        textFormat: Text.PlainText
        wrapMode: Text.Wrap
        color: Theme.muted
        font { pixelSize: Theme.labelSize; italic: true }
    }
}
