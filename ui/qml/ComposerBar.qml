import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Perilune

// Where a message is written. It grows with its text up to a third of the window.
FocusScope {
    id: root

    required property WindowModel model
    readonly property Composer composer: root.model.composer

    signal attachClicked()

    implicitHeight: card.height + hint.height + 2 * Theme.small

    Rectangle {
        id: card
        x: (parent.width - width) / 2
        y: Theme.tiny
        width: Math.min(parent.width - 2 * Theme.medium, Theme.columnWidth + 2 * Theme.gutter - 8)
        height: column.implicitHeight + 14
        radius: 20
        color: Theme.raised
        border {
            width: area.activeFocus ? 2 : 1
            color: area.activeFocus ? Theme.accent : Theme.strongLine
        }

        ColumnLayout {
            id: column
            anchors { fill: parent; margins: 7 }
            spacing: 2

            ListView {
                id: chips
                Layout.fillWidth: true
                Layout.preferredHeight: count > 0 ? 62 : 0
                Layout.leftMargin: Theme.tiny
                visible: count > 0
                orientation: ListView.Horizontal
                spacing: Theme.small
                clip: true
                boundsBehavior: Flickable.StopAtBounds
                model: root.composer.attachments
                Accessible.role: Accessible.List
                Accessible.name: qsTr("Attachments")
                delegate: AttachmentChip {
                    onRemoved: root.composer.attachments.remove(index)
                    onOpened: root.composer.attachments.look(index)
                }
            }

            Flickable {
                id: scroll
                Layout.fillWidth: true
                Layout.preferredHeight: Math.min(area.implicitHeight, root.Window.height / 3)
                Layout.minimumHeight: 40
                clip: true
                contentHeight: area.implicitHeight
                boundsBehavior: Flickable.StopAtBounds
                ScrollBar.vertical: SlimScrollBar { }

                TextArea.flickable: TextArea {
                    id: area
                    focus: true
                    text: root.composer.text
                    placeholderText: root.model.chat.empty ? qsTr("Ask anything") : qsTr("Write a message")
                    placeholderTextColor: Theme.faint
                    textFormat: TextEdit.PlainText
                    wrapMode: TextEdit.Wrap
                    color: Theme.text
                    selectionColor: Theme.selection
                    selectedTextColor: Theme.text
                    selectByMouse: true
                    font.pixelSize: Theme.bodySize
                    leftPadding: Theme.medium
                    rightPadding: Theme.medium
                    topPadding: 9
                    bottomPadding: 7
                    background: null
                    Accessible.name: qsTr("Message")
                    onTextChanged: root.composer.text = text
                    Keys.onReturnPressed: event => event.accepted = root.composer.handleReturn(event.modifiers & Qt.ShiftModifier, area.inputMethodComposing)
                    Keys.onEnterPressed: event => event.accepted = root.composer.handleReturn(event.modifiers & Qt.ShiftModifier, area.inputMethodComposing)
                    Keys.onEscapePressed: event => event.accepted = root.model.chat.busy ? (root.model.chat.stop(), true) : false
                    Keys.onPressed: event => event.accepted = event.matches(StandardKey.Paste) && root.composer.pasteMedia()
                    Connections {
                        target: root.composer
                        function onReplaced() { area.cursorPosition = area.length }
                    }
                    KeyNavigation.priority: KeyNavigation.BeforeItem
                    KeyNavigation.tab: attachButton
                }
            }

            RowLayout {
                Layout.fillWidth: true
                spacing: Theme.tiny
                IconButton {
                    id: attachButton
                    iconName: "attach"
                    text: qsTr("Attach pictures and clips")
                    onClicked: root.attachClicked()
                }
                ToggleChip {
                    id: thinkingChip
                    text: qsTr("Think first")
                    iconName: "thought"
                    checked: root.model.thinking
                    onClicked: root.model.thinking = !root.model.thinking
                }
                ToggleChip {
                    id: toolsChip
                    text: root.model.chat.toolList.label
                    iconName: "tool"
                    checked: root.model.chat.tools
                    onClicked: toolsPopup.opened ? toolsPopup.close() : toolsPopup.open()
                    Tip { visible: toolsChip.hovered && !toolsPopup.visible; text: qsTr("Which tools the model may ask to use in this chat") }
                    ToolsPopup {
                        id: toolsPopup
                        tools: root.model.chat.toolList
                        y: -height - Theme.tiny
                        closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutsideParent
                        onClosed: toolsChip.forceActiveFocus()
                    }
                }
                Item { Layout.fillWidth: true }
                SendButton {
                    busy: root.model.chat.busy
                    enabled: busy || root.model.chat.canSend
                    onClicked: busy ? root.model.chat.stop() : root.model.chat.send()
                }
            }
        }
    }

    SeenViewer { seen: root.composer.attachments.seen }

    Text {
        id: hint
        anchors { horizontalCenter: parent.horizontalCenter; bottom: parent.bottom; bottomMargin: 5 }
        text: qsTr("Answers can be wrong. Enter sends, Shift+Enter begins a line.")
        width: Math.min(implicitWidth, parent.width - 2 * Theme.gutter)
        elide: Text.ElideRight
        textFormat: Text.PlainText
        color: Theme.faint
        font.pixelSize: Theme.scaled(11)
    }
}
