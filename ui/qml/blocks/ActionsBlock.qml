import QtQuick
import Perilune

// What can be done with an answer, and how it came about.
BlockFrame {
    id: root

    required property string text
    required property string label
    required property var message
    required property int branch
    required property int branches
    required property bool busy

    signal copied()
    signal retried()
    signal branchWanted(int step)
    signal detailsWanted()
    signal editWanted()
    signal forkWanted()
    signal keepWanted()
    signal removeWanted()

    contentHeight: row.height
    gap: 4
    ListView.onPooled: copyButton.done = false

    Row {
        id: row
        anchors { left: parent.left; leftMargin: -7 }
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
        BranchSwitch {
            branch: root.branch
            branches: root.branches
            busy: root.busy
            onWanted: step => root.branchWanted(step)
        }
        IconButton {
            id: more
            implicitWidth: 30
            implicitHeight: 30
            iconSize: 17
            iconName: "more"
            text: qsTr("More")
            enabled: !root.busy
            onClicked: menu.active = true
        }
        Text {
            id: figures
            height: 30
            leftPadding: Theme.small
            verticalAlignment: Text.AlignVCenter
            text: root.label
            textFormat: Text.PlainText
            color: Theme.faint
            font.pixelSize: Theme.captionSize
            HoverHandler { id: hover }
            Loader {
                active: hover.hovered && root.text.length > 0
                sourceComponent: Tip { parent: figures; visible: true; text: root.text }
            }
        }
    }

    // Made when it is opened: a transcript has many of them.
    Loader {
        id: menu
        active: false
        onLoaded: (menu.item as PlainMenu).popup(more, 0, more.height)
        sourceComponent: PlainMenu {
            onClosed: menu.active = false
            PlainMenuItem { objectName: "detailsItem"; text: qsTr("About this answer…"); iconName: "clock"; onTriggered: root.detailsWanted() }
            PlainMenuItem { text: qsTr("Edit the answer"); iconName: "edit"; onTriggered: root.editWanted() }
            PlainMenuItem { text: qsTr("New chat from here"); iconName: "compose"; onTriggered: root.forkWanted() }
            PlainMenuItem { text: qsTr("Keep only this branch"); iconName: "check"; onTriggered: root.keepWanted() }
            PlainMenuItem { text: qsTr("Delete from here on"); iconName: "trash"; ink: Theme.danger; onTriggered: root.removeWanted() }
        }
    }
}
