import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Perilune

// How an import, a backup or a restoring went: a sentence, and what became of each chat.
Popup {
    id: root

    required property Transfer transfer

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(520, (parent?.width ?? 540) - 2 * Theme.huge)
    padding: Theme.large
    modal: true
    focus: true
    T.Overlay.modal: Rectangle { color: Theme.shade }
    background: Rectangle { radius: 14; color: Theme.raised; border { width: 1; color: Theme.line } }

    Connections {
        target: root.transfer
        function onFinished() { root.open(); done.forceActiveFocus() }
    }

    contentItem: ColumnLayout {
        spacing: Theme.medium

        TextEdit {
            Layout.fillWidth: true
            text: root.transfer.summary
            textFormat: TextEdit.PlainText
            wrapMode: TextEdit.Wrap
            readOnly: true
            selectByMouse: true
            color: Theme.text
            selectionColor: Theme.selection
            selectedTextColor: Theme.text
            font.pixelSize: Theme.bodySize
            Accessible.role: Accessible.AlertMessage
            Accessible.name: text
        }
        ListView {
            id: list
            Layout.fillWidth: true
            Layout.preferredHeight: Math.min(contentHeight, 300)
            visible: count > 0
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            model: root.transfer.results
            activeFocusOnTab: true
            Accessible.role: Accessible.List
            Accessible.name: qsTr("What became of each chat")
            ScrollBar.vertical: SlimScrollBar { }
            delegate: Item {
                id: line
                required property var modelData
                readonly property bool bad: line.modelData.outcome === "failed"
                readonly property string words: line.bad || line.modelData.sentence.length > 0 ? line.modelData.sentence
                    : line.modelData.outcome === "same" ? qsTr("is here already") : qsTr("added")
                width: ListView.view.width - 12
                height: Math.max(26, words.height + 8)
                Accessible.role: Accessible.ListItem
                Accessible.name: line.modelData.name + ": " + line.words
                Icon {
                    anchors.left: parent.left
                    y: 4
                    width: 16
                    height: 16
                    name: line.bad ? "warning" : "check"
                    color: line.bad ? Theme.danger : line.modelData.outcome === "same" ? Theme.faint : Theme.good
                }
                Text {
                    id: name
                    anchors { left: parent.left; leftMargin: 24 }
                    y: 3
                    width: Math.min(implicitWidth, line.modelData.sentence.length > 0 ? 150 : 320)
                    text: line.modelData.name
                    textFormat: Text.PlainText
                    elide: Text.ElideRight
                    maximumLineCount: 1
                    color: Theme.text
                    font.pixelSize: Theme.labelSize
                }
                Text {
                    id: words
                    anchors { left: name.right; leftMargin: name.width > 0 ? Theme.small : 0; right: parent.right }
                    y: 3
                    text: line.words
                    textFormat: Text.PlainText
                    wrapMode: Text.Wrap
                    color: line.bad ? Theme.danger : Theme.muted
                    font.pixelSize: Theme.labelSize
                }
            }
        }
        RowLayout {
            Item { Layout.fillWidth: true }
            PillButton { id: done; text: qsTr("Close"); primary: true; onClicked: root.close() }
        }
    }
}
