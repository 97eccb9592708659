import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Perilune

// Asks which folder a chat goes into, or for its tags; names in use are a click away.
Popup {
    id: root

    property var conversation: 0
    property bool ofTags: false
    property var folders: []
    property var tags: []

    signal folderChosen(var conversation, string name)
    signal tagsChosen(var conversation, string names)

    function ask(conversation, text, ofTags) {
        root.conversation = conversation; root.ofTags = ofTags; field.text = text
        root.open(); field.selectAll(); field.forceActiveFocus()
    }
    function take() {
        root.ofTags ? root.tagsChosen(root.conversation, field.text) : root.folderChosen(root.conversation, field.text)
        root.close()
    }
    function pick(name) {
        field.text = root.ofTags && field.text.trim().length > 0 ? field.text + ", " + name : name
        root.ofTags ? undefined : root.take()
    }

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(380, (parent?.width ?? 400) - 2 * Theme.huge)
    padding: Theme.large
    modal: true
    focus: true
    T.Overlay.modal: Rectangle { color: Theme.shade }
    background: Rectangle { radius: 14; color: Theme.raised; border { width: 1; color: Theme.line } }

    contentItem: ColumnLayout {
        spacing: Theme.medium

        Text {
            text: root.ofTags ? qsTr("Tags, with commas between") : qsTr("Into which folder?")
            textFormat: Text.PlainText
            color: Theme.text
            font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
        }
        TextField {
            id: field
            Layout.fillWidth: true
            Layout.preferredHeight: 36
            color: Theme.text
            placeholderText: root.ofTags ? qsTr("travel, 2026") : qsTr("No folder")
            placeholderTextColor: Theme.faint
            selectByMouse: true
            font.pixelSize: Theme.labelSize
            Accessible.name: root.ofTags ? qsTr("Tags") : qsTr("Folder")
            background: Rectangle { radius: 8; color: Theme.sunken; border { width: field.activeFocus ? 2 : 1; color: field.activeFocus ? Theme.accent : Theme.line } }
            onAccepted: root.take()
        }
        Flow {
            Layout.fillWidth: true
            spacing: 6
            Repeater {
                model: root.ofTags ? root.tags : root.folders
                delegate: PillButton {
                    required property string modelData
                    implicitHeight: 30
                    text: modelData
                    onClicked: root.pick(modelData)
                }
            }
        }
        RowLayout {
            spacing: Theme.small
            Item { Layout.fillWidth: true }
            PillButton { text: qsTr("Cancel"); onClicked: root.close() }
            PillButton { text: qsTr("Save"); primary: true; onClicked: root.take() }
        }
    }
}
