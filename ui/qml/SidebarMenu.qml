import QtQuick
import QtQuick.Dialogs
import Perilune

// What can be done with all chats at once.
IconButton {
    id: root

    required property Transfer transfer

    iconName: "more"
    text: qsTr("Import, back up, restore")
    onClicked: menu.popup(root, 0, root.height)

    PlainMenu {
        id: menu
        PlainMenuItem { text: qsTr("Import chats…"); iconName: "plus"; enabled: !root.transfer.running; onTriggered: files.open() }
        PlainMenuItem { text: qsTr("Back up all chats…"); iconName: "archive"; enabled: !root.transfer.running; onTriggered: place.open() }
        PlainMenuItem { text: qsTr("Restore a backup…"); iconName: "redo"; enabled: !root.transfer.running; onTriggered: backup.open() }
    }
    FileDialog {
        id: files
        title: qsTr("Import chats that were exported as JSON")
        fileMode: FileDialog.OpenFiles
        nameFilters: [qsTr("Exported chats (%1)").arg("*.json"), qsTr("All files (*)")]
        onAccepted: root.transfer.importFiles(selectedFiles)
    }
    FolderDialog {
        id: place
        title: qsTr("Where the backup goes")
        onAccepted: root.transfer.backUp(selectedFolder)
    }
    FolderDialog {
        id: backup
        title: qsTr("The backup to restore")
        onAccepted: root.transfer.restore(selectedFolder)
    }
}
