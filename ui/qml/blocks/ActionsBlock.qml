import QtQuick
import Perilune

// What can be done with an answer, and how it came about.
BlockFrame {
    id: root

    required property string label
    required property var message
    required property int branch
    required property int branches
    required property bool busy

    signal copied()
    signal retried()
    signal branchWanted(int step)

    contentHeight: row.height
    gap: 4
    ListView.onPooled: copyButton.done = false

    Row {
        id: row
        x: -7
        height: 32
        spacing: 0

        CopyButton { id: copyButton; text: qsTr("Copy answer"); onClicked: root.copied() }
        IconButton {
            implicitWidth: 30
            implicitHeight: 30
            iconSize: 17
            iconName: "redo"
            text: qsTr("Answer again")
            enabled: !root.busy
            onClicked: root.retried()
        }
        IconButton {
            visible: root.branches > 1
            implicitWidth: 24
            implicitHeight: 30
            iconSize: 14
            iconName: "back"
            text: qsTr("The answer before")
            enabled: root.branch > 0 && !root.busy
            onClicked: root.branchWanted(-1)
        }
        Text {
            visible: root.branches > 1
            height: 30
            verticalAlignment: Text.AlignVCenter
            text: qsTr("%1 of %2").arg(root.branch + 1).arg(root.branches)
            textFormat: Text.PlainText
            color: Theme.muted
            font.pixelSize: Theme.captionSize
        }
        IconButton {
            visible: root.branches > 1
            implicitWidth: 24
            implicitHeight: 30
            iconSize: 14
            iconName: "chevron"
            text: qsTr("The answer after")
            enabled: root.branch + 1 < root.branches && !root.busy
            onClicked: root.branchWanted(1)
        }
        Text {
            height: 30
            leftPadding: Theme.small
            verticalAlignment: Text.AlignVCenter
            text: root.label
            textFormat: Text.PlainText
            color: Theme.faint
            font.pixelSize: Theme.captionSize
        }
    }
}
