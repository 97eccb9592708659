import QtQuick
import Perilune

// What can be done with what the person wrote.
BlockFrame {
    id: root

    required property string label
    required property var message
    required property int branch
    required property int branches
    required property bool busy

    signal copied()
    signal answerWanted()
    signal editWanted()
    signal forkWanted()
    signal removeWanted()
    signal branchWanted(int step)

    contentHeight: row.height
    gap: 2
    ListView.onPooled: copyButton.done = false

    Row {
        id: row
        anchors.right: parent.right
        anchors.rightMargin: -4
        height: 30
        spacing: 0

        Text {
            height: 30
            visible: root.label.length > 0
            rightPadding: Theme.small
            verticalAlignment: Text.AlignVCenter
            text: root.label
            textFormat: Text.PlainText
            color: Theme.danger
            font.pixelSize: Theme.captionSize
        }
        BranchSwitch {
            branch: root.branch
            branches: root.branches
            busy: root.busy
            onWanted: step => root.branchWanted(step)
        }
        CopyButton { id: copyButton; text: qsTr("Copy message"); onClicked: root.copied() }
        IconButton {
            implicitWidth: 30
            implicitHeight: 30
            iconSize: 16
            iconName: "edit"
            iconColor: Theme.faint
            text: qsTr("Edit, as a new branch")
            enabled: !root.busy
            onClicked: root.editWanted()
        }
        IconButton {
            id: more
            implicitWidth: 30
            implicitHeight: 30
            iconSize: 16
            iconName: "more"
            iconColor: Theme.faint
            text: qsTr("More")
            enabled: !root.busy
            onClicked: menu.active = true
        }
    }

    // Made when it is opened: a transcript has many of them.
    Loader {
        id: menu
        active: false
        onLoaded: (menu.item as PlainMenu).popup(more, 0, more.height)
        sourceComponent: PlainMenu {
            onClosed: menu.active = false
            PlainMenuItem { text: qsTr("Answer again"); iconName: "redo"; onTriggered: root.answerWanted() }
            PlainMenuItem { text: qsTr("New chat from here"); iconName: "compose"; onTriggered: root.forkWanted() }
            PlainMenuItem { text: qsTr("Delete from here on"); iconName: "trash"; ink: Theme.danger; onTriggered: root.removeWanted() }
        }
    }
}
