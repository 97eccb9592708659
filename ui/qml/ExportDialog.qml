import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Dialogs
import QtQuick.Layouts
import QtQuick.Templates as T
import Perilune

// Asks what of which chats becomes what kind of document, and where it goes.
Popup {
    id: root

    required property Exporter exporter
    property var conversation: 0
    property string title: ""
    property string folder: ""   // of the chat
    property string scope: "chat" // or "folder", "all"
    property string format: "markdown"
    readonly property var choices: ({
        format: root.format, allBranches: branches.checked, thinking: thinking.checked, toolCalls: tools.checked, statistics: statistics.checked
    })

    function ask(conversation, title, folder) {
        root.conversation = conversation; root.title = title; root.folder = folder; root.scope = "chat"
        root.open()
    }

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(440, (parent?.width ?? 460) - 2 * Theme.huge)
    padding: Theme.large
    modal: true
    focus: true
    T.Overlay.modal: Rectangle { color: Theme.shade }
    background: Rectangle { radius: 14; color: Theme.raised; border { width: 1; color: Theme.line } }

    component Caption: Text {
        textFormat: Text.PlainText
        color: Theme.muted
        font.pixelSize: Theme.captionSize
    }

    contentItem: ColumnLayout {
        spacing: Theme.small

        Text {
            Layout.fillWidth: true
            text: qsTr("Export “%1”").arg(root.title)
            textFormat: Text.PlainText
            elide: Text.ElideRight
            color: Theme.text
            font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
        }
        Caption { text: qsTr("As") }
        Flow {
            Layout.fillWidth: true
            spacing: 6
            Repeater {
                model: [
                    { key: "markdown", name: qsTr("Markdown"), about: qsTr("Text, with a folder of its pictures beside it") },
                    { key: "html", name: qsTr("HTML"), about: qsTr("One page for any browser, pictures inside") },
                    { key: "pdf", name: qsTr("PDF"), about: qsTr("Pages to print and to send") },
                    { key: "json", name: qsTr("JSON"), about: qsTr("All of it, to be imported again") }
                ]
                delegate: ToggleChip {
                    id: kind
                    required property var modelData
                    iconName: "copy"
                    text: kind.modelData.name
                    checked: root.format === kind.modelData.key
                    onClicked: root.format = kind.modelData.key
                    Tip { text: kind.modelData.about; visible: kind.hovered }
                }
            }
        }
        Caption { text: qsTr("Which") }
        Flow {
            Layout.fillWidth: true
            spacing: 6
            ToggleChip { iconName: "compose"; text: qsTr("This chat"); checked: root.scope === "chat"; onClicked: root.scope = "chat" }
            ToggleChip {
                visible: root.folder.length > 0
                iconName: "folder"
                text: qsTr("All in “%1”").arg(root.folder)
                checked: root.scope === "folder"
                onClicked: root.scope = "folder"
            }
            ToggleChip { iconName: "menu"; text: qsTr("All chats"); checked: root.scope === "all"; onClicked: root.scope = "all" }
        }
        Caption { text: qsTr("With") }
        Flow {
            Layout.fillWidth: true
            spacing: 6
            ToggleChip { id: branches; checkable: true; iconName: "redo"; text: qsTr("All branches") }
            ToggleChip { id: thinking; checkable: true; iconName: "thought"; text: qsTr("Thinking") }
            ToggleChip { id: tools; checkable: true; checked: true; iconName: "tool"; text: qsTr("Tool calls") }
            ToggleChip { id: statistics; checkable: true; iconName: "spark"; text: qsTr("Statistics") }
        }
        RowLayout {
            Layout.topMargin: Theme.small
            spacing: Theme.small
            Item { Layout.fillWidth: true }
            PillButton { text: qsTr("Cancel"); onClicked: root.close() }
            PillButton {
                text: qsTr("Export…")
                primary: true
                enabled: !root.exporter.running
                onClicked: root.scope === "chat" ? fileDialog.open() : folderDialog.open()
            }
        }
    }

    FileDialog {
        id: fileDialog
        fileMode: FileDialog.SaveFile
        title: qsTr("Export the chat")
        defaultSuffix: root.exporter.endingOf(root.format).substring(1)
        nameFilters: ["*" + root.exporter.endingOf(root.format)]
        selectedFile: root.visible ? root.exporter.suggestedFile(root.title, root.format) : ""
        onAccepted: (root.exporter.exportChat(root.conversation, selectedFile, root.choices), root.close())
    }
    FolderDialog {
        id: folderDialog
        title: qsTr("A folder for the chats, a file each")
        onAccepted: (root.exporter.exportFolder(root.scope === "folder" ? root.folder : "", selectedFolder, root.choices), root.close())
    }
}
