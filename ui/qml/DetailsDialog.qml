import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Perilune

// How an answer came about: a line for each figure, which can be selected and copied.
Popup {
    id: root

    property string details: ""

    signal copied(string text)

    function show(details) { root.details = details; root.open(); copy.forceActiveFocus() }

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(420, (parent?.width ?? 440) - 2 * Theme.huge)
    padding: Theme.large
    modal: true
    focus: true
    T.Overlay.modal: Rectangle { color: Theme.shade }
    background: Rectangle { radius: 14; color: Theme.raised; border { width: 1; color: Theme.line } }

    contentItem: ColumnLayout {
        spacing: Theme.medium

        Text {
            text: qsTr("About this answer")
            textFormat: Text.PlainText
            color: Theme.text
            font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
        }
        Column {
            Layout.fillWidth: true
            spacing: 6
            Repeater {
                model: root.details.split("\n")
                delegate: RowLayout {
                    id: line
                    required property string modelData
                    readonly property int cut: line.modelData.indexOf(": ")
                    width: parent.width
                    spacing: Theme.medium
                    Accessible.role: Accessible.StaticText
                    Accessible.name: line.modelData
                    Text {
                        Layout.preferredWidth: 140
                        Layout.alignment: Qt.AlignTop
                        text: line.modelData.slice(0, line.cut)
                        textFormat: Text.PlainText
                        wrapMode: Text.Wrap
                        color: Theme.muted
                        font.pixelSize: Theme.labelSize
                    }
                    TextEdit {
                        Layout.fillWidth: true
                        text: line.modelData.slice(line.cut + 2)
                        textFormat: TextEdit.PlainText
                        wrapMode: TextEdit.Wrap
                        readOnly: true
                        selectByMouse: true
                        color: Theme.text
                        selectionColor: Theme.selection
                        selectedTextColor: Theme.text
                        font.pixelSize: Theme.labelSize
                    }
                }
            }
        }
        RowLayout {
            spacing: Theme.small
            Item { Layout.fillWidth: true }
            PillButton { id: copy; text: qsTr("Copy"); iconName: "copy"; onClicked: root.copied(root.details) }
            PillButton { text: qsTr("Close"); primary: true; onClicked: root.close() }
        }
    }
}
