import QtQuick
import Perilune

// Why an answer failed, and a way on.
BlockFrame {
    id: root

    required property string text
    required property string label // what goes on with the answer; often empty
    required property var message

    signal retried()
    signal onwardWanted()

    contentHeight: card.height

    Rectangle {
        id: card
        width: parent.width
        height: words.height + button.height + 38
        radius: Theme.radius
        color: Theme.dangerSoft
        Accessible.role: Accessible.AlertMessage
        Accessible.name: root.text

        Icon { anchors.left: parent.left; anchors.leftMargin: 14; y: 14; name: "warning"; color: Theme.danger }
        PlainTextView {
            id: words
            anchors { left: parent.left; leftMargin: 44 }
            y: 14
            width: parent.width - 60
            plain: root.text
            font.pixelSize: Theme.labelSize + 1
        }
        PillButton {
            id: button
            anchors { left: parent.left; leftMargin: 44 }
            y: words.height + 24
            implicitHeight: 32
            text: qsTr("Try again")
            iconName: "redo"
            onClicked: root.retried()
        }
        PillButton {
            anchors { left: button.right; leftMargin: Theme.small; top: button.top }
            visible: root.label.length > 0
            implicitHeight: 32
            text: root.label
            iconName: "play"
            onClicked: root.onwardWanted()
        }
    }
}
