import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Perilune

// The conversations, a search over them, and which model answers.
Rectangle {
    id: root

    required property WindowModel model

    signal newChat()
    signal closed()
    signal picked()

    function find() { search.forceActiveFocus() }
    function exportChat(conversation, title) { exportDialog.ask(conversation, title, "") }

    color: Theme.sidebar
    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Conversations")

    ColumnLayout {
        anchors.fill: parent
        spacing: 0

        RowLayout {
            Layout.fillWidth: true
            Layout.leftMargin: Theme.large
            Layout.rightMargin: Theme.small
            Layout.topMargin: 10
            Layout.preferredHeight: 38
            spacing: Theme.small
            Icon {
                Layout.preferredWidth: 20
                Layout.preferredHeight: 20
                name: "moon"
                color: Theme.accent
            }
            Text {
                Layout.fillWidth: true
                text: qsTr("Perilune")
                textFormat: Text.PlainText
                color: Theme.text
                font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
                elide: Text.ElideRight
            }
            SidebarMenu { transfer: root.model.transfer }
            IconButton {
                iconName: "settings"
                text: qsTr("Settings")
                onClicked: root.model.commands.run(Commands.ShowSettings)
            }
            IconButton {
                iconName: "sidebar"
                text: qsTr("Hide conversations")
                onClicked: root.closed()
            }
            IconButton {
                iconName: "compose"
                text: qsTr("New chat")
                onClicked: root.newChat()
            }
        }

        SearchField {
            id: search
            Layout.fillWidth: true
            Layout.margins: Theme.medium
            Layout.topMargin: 10
            Layout.bottomMargin: Theme.small
            text: root.model.conversations.filter
            onTextChanged: root.model.conversations.filter = text
        }

        SearchFilters {
            Layout.fillWidth: true
            Layout.leftMargin: Theme.medium
            Layout.rightMargin: Theme.medium
            Layout.bottomMargin: Theme.tiny
            visible: search.text.length > 0
            conversations: root.model.conversations
        }

        FoldButton {
            id: places
            Layout.leftMargin: Theme.large
            iconName: root.model.conversations.place === "bin" ? "trash"
                : root.model.conversations.place === "archive" ? "archive"
                : root.model.conversations.place.length > 0 ? "folder" : "menu"
            expanded: placesMenu.visible
            text: root.model.conversations.placeName
            onClicked: placesMenu.popup(places, 0, places.height)

            PlainMenu {
                id: placesMenu
                Instantiator {
                    model: root.model.conversations.places
                    delegate: PlainMenuItem {
                        required property var modelData
                        text: modelData.name
                        iconName: modelData.icon
                        onTriggered: root.model.conversations.place = modelData.key
                    }
                    onObjectAdded: (index, object) => placesMenu.insertItem(index, object)
                    onObjectRemoved: (index, object) => placesMenu.removeItem(object)
                }
            }
        }

        ListView {
            id: list
            Layout.fillWidth: true
            Layout.fillHeight: true
            clip: true
            reuseItems: true
            boundsBehavior: Flickable.StopAtBounds
            model: root.model.conversations
            topMargin: 2
            bottomMargin: Theme.small
            activeFocusOnTab: count > 0
            keyNavigationEnabled: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Conversations")
            section.property: "section"
            section.delegate: Text {
                required property string section
                width: ListView.view.width
                leftPadding: Theme.large
                rightPadding: Theme.large
                topPadding: Theme.medium
                bottomPadding: 5
                text: section
                textFormat: Text.PlainText
                color: Theme.faint
                font { pixelSize: Theme.captionSize; weight: Font.Medium }
            }
            delegate: ConversationRow {
                width: ListView.view.width
                required property var message
                required property int index
                selected: conversation === root.model.chat.conversation && excerpt.length === 0
                focusShown: ListView.isCurrentItem && ListView.view.activeFocus
                onOpened: (root.model.chat.openAt(conversation, message, search.text), root.picked())
                onRestored: root.model.conversations.restore(conversation)
                onDropped: y => root.model.conversations.dropOn(index, list.indexAt(1, Math.max(1, y)))
                onMoved: step => root.model.conversations.dropOn(index, Math.max(0, index + step))
                onPinWanted: pinned => root.model.conversations.setPinned(conversation, pinned)
                onArchiveWanted: archived => root.model.conversations.setArchived(conversation, archived)
                onFolderWanted: namer.ask(conversation, folder, false)
                onTagsWanted: namer.ask(conversation, tags, true)
                onExportWanted: exportDialog.ask(conversation, title, folder)
                onRenamed: title => root.model.conversations.rename(conversation, title)
                onRemoved: root.model.conversations.remove(conversation)
            }
            Keys.onReturnPressed: currentItem?.opened()
            Keys.onDeletePressed: currentItem?.removed()
            ScrollBar.vertical: SlimScrollBar { }

            Text {
                anchors.centerIn: parent
                width: parent.width - 2 * Theme.huge
                visible: list.count === 0 && root.model.conversations.loaded
                horizontalAlignment: Text.AlignHCenter
                wrapMode: Text.Wrap
                text: search.text.length > 0 ? qsTr("Nothing found.")
                    : root.model.conversations.place === "bin" ? qsTr("The bin is empty. What is in it goes after 30 days.")
                    : root.model.conversations.place.length > 0 ? qsTr("Nothing here.") : qsTr("Your chats will be here.")
                textFormat: Text.PlainText
                color: Theme.faint
                font.pixelSize: Theme.labelSize
            }
        }

        NameDialog {
            id: namer
            folders: root.model.conversations.folders
            tags: root.model.conversations.tags
            onFolderChosen: (conversation, name) => root.model.conversations.moveTo(conversation, name)
            onTagsChosen: (conversation, names) => root.model.conversations.setTags(conversation, names)
        }

        ExportDialog {
            id: exportDialog
            objectName: "exportDialog"
            exporter: root.model.exporter
        }
        TaskProgress {
            Layout.fillWidth: true
            running: root.model.exporter.running
            status: root.model.exporter.status
            progress: root.model.exporter.progress
            stopText: qsTr("Stop exporting")
            onStopWanted: root.model.exporter.stop()
        }
        TaskProgress {
            Layout.fillWidth: true
            running: root.model.transfer.running
            status: root.model.transfer.status
            progress: root.model.transfer.progress
            stopText: qsTr("Stop this")
            onStopWanted: root.model.transfer.stop()
        }
        EngineCard {
            Layout.fillWidth: true
            engine: root.model.engine
        }
    }
}
