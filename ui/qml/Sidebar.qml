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
                topPadding: Theme.medium
                bottomPadding: 5
                text: section
                textFormat: Text.PlainText
                color: Theme.faint
                font { pixelSize: Theme.captionSize; weight: Font.Medium }
            }
            delegate: ConversationRow {
                width: ListView.view.width
                selected: conversation === root.model.chat.conversation
                focusShown: ListView.isCurrentItem && ListView.view.activeFocus
                onOpened: (root.model.chat.open(conversation), root.picked())
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
                text: search.text.length > 0 ? qsTr("Nothing found.") : qsTr("Your chats will be here.")
                textFormat: Text.PlainText
                color: Theme.faint
                font.pixelSize: Theme.labelSize
            }
        }

        EngineCard {
            Layout.fillWidth: true
            engine: root.model.engine
        }
    }
}
