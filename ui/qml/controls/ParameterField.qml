import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Perilune

// A number with what it is for, and the way back to what the model suggests.
ColumnLayout {
    id: root

    required property string title
    required property string help
    required property string value
    required property string range
    required property bool isSet
    property bool refused: false

    signal written(string text)
    signal resetWanted()

    spacing: 3

    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.small
        Text {
            Layout.fillWidth: true
            text: root.title
            horizontalAlignment: Text.AlignLeft
            textFormat: Text.PlainText
            elide: Text.ElideRight
            color: Theme.text
            font { pixelSize: Theme.labelSize; weight: Font.Medium }
        }
        IconButton {
            visible: root.isSet
            iconName: "redo"
            text: qsTr("As the model suggests")
            onClicked: root.resetWanted()
        }
        TextField {
            id: field
            Layout.preferredWidth: Theme.scaled(96)
            implicitHeight: Theme.controlHeight
            horizontalAlignment: TextInput.AlignRight
            text: root.value
            color: root.isSet ? Theme.text : Theme.muted
            selectByMouse: true
            font.pixelSize: Theme.labelSize
            inputMethodHints: Qt.ImhFormattedNumbersOnly
            Accessible.name: root.title
            Accessible.description: root.help
            onTextEdited: root.refused = false
            onEditingFinished: field.text !== root.value ? root.written(field.text) : undefined
            background: Rectangle {
                radius: 8
                color: Theme.sunken
                border { width: field.activeFocus || root.refused ? 2 : 1; color: root.refused ? Theme.danger : field.activeFocus ? Theme.accent : Theme.line }
            }
            Connections {
                target: root
                function onValueChanged() { field.text = root.value }
            }
        }
    }
    Text {
        Layout.fillWidth: true
        text: root.refused ? qsTr("A number from %1, please.").arg(root.range) : root.help
        textFormat: Text.PlainText
        wrapMode: Text.Wrap
        color: root.refused ? Theme.danger : Theme.muted
        font.pixelSize: Theme.captionSize
    }
}
