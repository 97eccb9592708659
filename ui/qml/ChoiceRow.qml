import QtQuick
import QtQuick.Controls.Basic
import Perilune

// Choices of which one holds, each with its cost. On the dark ground of the viewer.
Flow {
    id: root

    required property ChoiceList choices

    visible: root.choices.count > 0
    spacing: 6
    Accessible.role: Accessible.Grouping
    Accessible.name: root.choices.title

    Text {
        width: Math.max(84, implicitWidth)
        height: 28
        verticalAlignment: Text.AlignVCenter
        text: root.choices.title
        textFormat: Text.PlainText
        color: "#c8c8c4"
        font.pixelSize: Theme.captionSize
    }
    Repeater {
        model: root.choices
        AbstractButton {
            id: button
            required property int index
            required property string label
            required property string cost
            required property bool chosen
            implicitHeight: 28
            implicitWidth: words.implicitWidth + 22
            hoverEnabled: true
            focusPolicy: Qt.StrongFocus
            text: qsTr("%1 · %2").arg(button.label).arg(button.cost)
            Accessible.role: Accessible.RadioButton
            Accessible.name: button.text
            Accessible.checkable: true
            Accessible.checked: button.chosen
            onClicked: root.choices.choose(button.index)
            Keys.onReturnPressed: button.clicked()
            contentItem: Item {
                Text {
                    id: words
                    anchors.centerIn: parent
                    text: button.text
                    textFormat: Text.PlainText
                    color: button.chosen ? "#14161d" : "#e8e8e6"
                    font { pixelSize: Theme.captionSize; weight: Font.Medium }
                }
            }
            background: Rectangle {
                radius: 14
                color: button.chosen ? "#93a0ff" : button.hovered ? "#3a3d45" : "#2a2c33"
                border { width: button.visualFocus ? 2 : 0; color: "#ffffff" }
            }
        }
    }
}
