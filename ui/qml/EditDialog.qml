import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Perilune

// A message to be changed. What it was stays, as a branch beside it.
Popup {
    id: root

    property var message: 0
    property bool fromPerson: true

    signal accepted(var message, string text)

    function edit(message, text, fromPerson) {
        root.message = message; root.fromPerson = fromPerson; editor.text = text
        root.open(); editor.cursorPosition = editor.length; editor.forceActiveFocus()
    }

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(680, (parent?.width ?? 700) - 2 * Theme.huge)
    height: Math.min(Math.max(260, editor.contentHeight + 180), (parent?.height ?? 600) - 4 * Theme.huge)
    padding: Theme.large
    modal: true
    focus: true
    closePolicy: Popup.CloseOnEscape
    T.Overlay.modal: Rectangle { color: Theme.shade }
    background: Rectangle { radius: 14; color: Theme.raised; border { width: 1; color: Theme.line } }

    contentItem: ColumnLayout {
        spacing: Theme.medium

        Text {
            Layout.fillWidth: true
            text: root.fromPerson ? qsTr("Edit your message") : qsTr("Edit the answer")
            textFormat: Text.PlainText
            color: Theme.text
            font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
        }
        ScrollView {
            Layout.fillWidth: true
            Layout.fillHeight: true
            TextArea {
                id: editor
                wrapMode: TextEdit.Wrap
                selectByMouse: true
                color: Theme.text
                selectionColor: Theme.selection
                selectedTextColor: Theme.text
                font.pixelSize: Theme.bodySize
                padding: Theme.medium
                Accessible.name: qsTr("The message")
                background: Rectangle { radius: Theme.radius; color: Theme.sunken; border { width: 1; color: Theme.line } }
                Keys.onPressed: event => event.accepted = event.key === Qt.Key_Return
                    && (event.modifiers & Qt.ControlModifier) && accept.enabled ? (accept.clicked(), true) : false
            }
        }
        RowLayout {
            Layout.fillWidth: true
            spacing: Theme.small
            Text {
                Layout.fillWidth: true
                text: root.fromPerson ? qsTr("What you wrote before stays as a branch, with its answers.")
                                      : qsTr("The answer as it was stays as a branch.")
                textFormat: Text.PlainText
                wrapMode: Text.Wrap
                color: Theme.faint
                font.pixelSize: Theme.captionSize
            }
            PillButton { text: qsTr("Cancel"); onClicked: root.close() }
            PillButton {
                id: accept
                primary: true
                enabled: editor.text.trim().length > 0
                text: root.fromPerson ? qsTr("Send") : qsTr("Save")
                onClicked: (root.accepted(root.message, editor.text), root.close())
            }
        }
    }
}
