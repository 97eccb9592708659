import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Perilune

// Every shortcut, each to be changed: click it, then press the new keys.
DialogFrame {
    id: root

    required property Commands commands
    property int recording: -1 // the command that waits for its keys

    function show() { root.recording = -1; root.commands.clearFault(); root.open(); list.forceActiveFocus() }
    function take(key, modifiers) { root.commands.record(root.recording, key, modifiers) ? root.recording = -1 : undefined }

    heading: qsTr("Keyboard shortcuts")
    widest: 560
    closePolicy: root.recording >= 0 ? Popup.NoAutoClose : Popup.CloseOnEscape | Popup.CloseOnPressOutside
    onClosed: root.recording = -1

    Text {
        Layout.fillWidth: true
        text: root.commands.fault.length > 0 ? root.commands.fault
            : root.recording >= 0 ? qsTr("Press the new keys. Delete takes the shortcut away, Escape leaves it as it is.")
            : qsTr("Click a shortcut to change it.")
        textFormat: Text.PlainText
        wrapMode: Text.Wrap
        color: root.commands.fault.length > 0 ? Theme.danger : Theme.muted
        font.pixelSize: Theme.labelSize
    }
    ListView {
        id: list
        Layout.fillWidth: true
        Layout.fillHeight: true
        implicitHeight: contentHeight
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        keyNavigationEnabled: root.recording < 0
        model: root.commands.shortcuts
        Accessible.role: Accessible.List
        Accessible.name: root.heading
        ScrollBar.vertical: SlimScrollBar { }
        Keys.onShortcutOverride: event => event.accepted = root.recording >= 0
        Keys.onReturnPressed: event => root.recording >= 0 ? root.take(event.key, event.modifiers) : root.recording = list.currentIndex
        Keys.onEscapePressed: event => event.accepted = root.recording >= 0 ? (root.recording = -1, root.commands.clearFault(), true) : false
        Keys.onPressed: event => event.accepted = root.recording >= 0 ? (root.take(event.key, event.modifiers), true) : false
        delegate: Item {
            id: row
            required property int index
            required property var modelData
            readonly property bool recording: root.recording === row.modelData.command
            width: ListView.view.width
            implicitHeight: Theme.controlHeight + 4
            Accessible.role: Accessible.ListItem
            Accessible.name: row.modelData.title + ", " + (row.modelData.keys.length > 0 ? row.modelData.keys : qsTr("no shortcut"))
            Rectangle {
                anchors.fill: parent
                radius: Theme.radius - 2
                color: row.ListView.isCurrentItem && list.activeFocus ? Theme.hover : "transparent"
            }
            RowLayout {
                anchors { fill: parent; leftMargin: Theme.small; rightMargin: Theme.medium }
                spacing: Theme.small
                Text {
                    Layout.fillWidth: true
                    text: row.modelData.title
                    textFormat: Text.PlainText
                    elide: Text.ElideRight
                    color: Theme.text
                    font.pixelSize: Theme.labelSize
                }
                IconButton {
                    visible: row.modelData.changed
                    iconName: "redo"
                    text: qsTr("The usual shortcut")
                    onClicked: root.commands.reset(row.modelData.command)
                }
                PillButton {
                    implicitHeight: Theme.controlHeight - 4
                    text: row.recording ? qsTr("Press keys…") : row.modelData.keys.length > 0 ? row.modelData.keys : qsTr("None")
                    primary: row.recording
                    focusPolicy: Qt.NoFocus
                    onClicked: (root.commands.clearFault(), list.currentIndex = row.index, root.recording = row.modelData.command, list.forceActiveFocus())
                    Accessible.name: qsTr("Change the shortcut of “%1”").arg(row.modelData.title)
                }
            }
        }
    }
    PillButton {
        Layout.alignment: Qt.AlignRight
        enabled: !root.commands.usual
        text: qsTr("All as usual")
        onClicked: root.commands.resetAll()
    }
}
