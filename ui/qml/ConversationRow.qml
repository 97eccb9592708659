import QtQuick
import QtQuick.Controls.Basic
import Perilune

// One conversation; renamed in place, the rest in its menu.
Item {
    id: root

    required property var conversation
    required property string title
    required property string excerpt
    required property bool pinned
    required property bool archived
    required property bool inBin
    required property string folder
    required property string tags
    required property string sortedBy // folder and tags
    required property bool selected
    required property bool focusShown
    property bool renaming: false

    signal opened()
    signal dropped(real y)   // dragged to there, in the coordinates of the list's content
    signal moved(int step)   // among the pinned ones
    signal renamed(string title)
    signal removed()
    signal restored()
    signal pinWanted(bool pinned)
    signal archiveWanted(bool archived)
    signal folderWanted()
    signal tagsWanted()
    signal exportWanted()

    readonly property string below: root.excerpt.length > 0 ? root.excerpt : root.sortedBy

    implicitHeight: root.below.length > 0 ? 54 : 38
    Accessible.role: Accessible.ListItem
    Accessible.name: root.title
    Accessible.selected: root.selected
    Accessible.onPressAction: root.opened()
    ListView.onPooled: root.renaming = false
    z: drag.active ? 1 : 0
    transform: Translate { y: drag.active ? drag.activeTranslation.y : 0 }

    Rectangle {
        anchors { fill: parent; leftMargin: Theme.small; rightMargin: Theme.small; topMargin: 1; bottomMargin: 1 }
        radius: Theme.radius - 2
        color: root.selected ? Theme.selected : hover.hovered ? Theme.hover : "transparent"
        border { width: root.focusShown ? 2 : 0; color: Theme.accent }

        Column {
            anchors {
                left: parent.left
                right: menuButton.visible ? menuButton.left : parent.right
                verticalCenter: parent.verticalCenter
                leftMargin: 10
                rightMargin: 6
            }
            visible: !root.renaming
            spacing: 2
            Text {
                width: parent.width
                text: root.title
                textFormat: Text.PlainText
                elide: Text.ElideRight
                color: Theme.text
                font { pixelSize: Theme.labelSize; weight: root.selected ? Font.Medium : Font.Normal }
            }
            Text {
                width: parent.width
                visible: root.below.length > 0
                text: root.below
                textFormat: root.excerpt.length > 0 ? Text.StyledText : Text.PlainText
                elide: Text.ElideRight
                color: Theme.muted
                font.pixelSize: Theme.captionSize
            }
        }

        HoverHandler { id: hover }
        TapHandler { onTapped: root.opened(); onDoubleTapped: root.renaming = true }
        DragHandler {
            id: drag
            property real to: 0
            objectName: "drag"
            enabled: !root.renaming && !root.inBin && !root.archived && root.excerpt.length === 0
            target: null
            acceptedDevices: PointerDevice.Mouse
            grabPermissions: PointerHandler.CanTakeOverFromAnything
            xAxis.enabled: false
            onActiveTranslationChanged: active ? to = root.y + root.height / 2 + activeTranslation.y : undefined
            onActiveChanged: active ? undefined : root.dropped(to)
        }
        TapHandler { acceptedButtons: Qt.RightButton; onTapped: menu.popup() }

        IconButton {
            id: menuButton
            anchors { right: parent.right; rightMargin: 3; verticalCenter: parent.verticalCenter }
            visible: !root.renaming && (hover.hovered || root.selected || root.focusShown || menu.visible || activeFocus)
            implicitWidth: 28
            implicitHeight: 28
            iconSize: 17
            iconName: "more"
            text: qsTr("What to do with “%1”").arg(root.title)
            onClicked: menu.popup(menuButton, 0, menuButton.height)
        }

        TextField {
            id: editor
            anchors { fill: parent; margins: 2 }
            visible: root.renaming
            text: root.title
            color: Theme.text
            leftPadding: 8
            topPadding: 0
            bottomPadding: 0
            verticalAlignment: TextInput.AlignVCenter
            font.pixelSize: Theme.labelSize
            selectByMouse: true
            Accessible.name: qsTr("New name")
            background: Rectangle { radius: 6; color: Theme.raised; border { width: 2; color: Theme.accent } }
            onVisibleChanged: visible ? (text = root.title, selectAll(), forceActiveFocus()) : undefined
            onAccepted: (root.renamed(text), root.renaming = false)
            onActiveFocusChanged: activeFocus ? undefined : root.renaming = false
            Keys.onEscapePressed: root.renaming = false
        }
    }

    PlainMenu {
        id: menu
        PlainMenuItem { visible: root.inBin; height: visible ? implicitHeight : 0; text: qsTr("Restore"); iconName: "redo"; onTriggered: root.restored() }
        PlainMenuItem { visible: !root.inBin; height: visible ? implicitHeight : 0; text: qsTr("Rename"); iconName: "edit"; onTriggered: root.renaming = true }
        PlainMenuItem {
            visible: !root.inBin && !root.archived
            height: visible ? implicitHeight : 0
            text: root.pinned ? qsTr("Unpin") : qsTr("Pin to the top")
            iconName: "pin"
            onTriggered: root.pinWanted(!root.pinned)
        }
        PlainMenuItem { visible: root.pinned; height: visible ? implicitHeight : 0; text: qsTr("Move up"); iconName: "send"; onTriggered: root.moved(-1) }
        PlainMenuItem { visible: root.pinned; height: visible ? implicitHeight : 0; text: qsTr("Move down"); iconName: "down"; onTriggered: root.moved(1) }
        PlainMenuItem { visible: !root.inBin; height: visible ? implicitHeight : 0; text: qsTr("Folder…"); iconName: "folder"; onTriggered: root.folderWanted() }
        PlainMenuItem { visible: !root.inBin; height: visible ? implicitHeight : 0; text: qsTr("Tags…"); iconName: "tag"; onTriggered: root.tagsWanted() }
        PlainMenuItem { visible: !root.inBin; height: visible ? implicitHeight : 0; text: qsTr("Export…"); iconName: "down"; onTriggered: root.exportWanted() }
        PlainMenuItem {
            visible: !root.inBin
            height: visible ? implicitHeight : 0
            text: root.archived ? qsTr("Back from the archive") : qsTr("Archive")
            iconName: "archive"
            onTriggered: root.archiveWanted(!root.archived)
        }
        PlainMenuItem { visible: !root.inBin; height: visible ? implicitHeight : 0; text: qsTr("Delete"); iconName: "trash"; ink: Theme.danger; onTriggered: root.removed() }
    }
}
