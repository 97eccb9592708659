import QtQuick
import Perilune

// A call that the model made, with the question whether it may be run; or what came back.
BlockFrame {
    id: root

    required property int index
    required property string text
    required property string found
    required property string title
    required property var message
    required property int call
    required property int step
    required property bool expanded
    required property string iconName

    signal toggled()
    signal decided(int answer)

    contentHeight: card.height

    Rectangle {
        id: card
        width: parent.width
        height: content.height + 12
        radius: Theme.radius
        color: root.step === ToolCallStep.Failed ? Theme.dangerSoft : Theme.sunken
        border { width: 1; color: root.step === ToolCallStep.Asking ? Theme.accent : Theme.line }

        Column {
            id: content
            y: 6
            width: parent.width
            spacing: 6

            FoldButton {
                anchors { left: parent.left; leftMargin: 14 }
                iconName: root.step === ToolCallStep.Failed ? "warning" : root.iconName
                text: root.title
                expanded: root.expanded
                lively: root.step === ToolCallStep.Running
                onClicked: root.toggled()
            }
            CodeBox {
                width: parent.width
                height: implicitHeight
                visible: root.expanded
                code: root.expanded ? root.text : ""
                found: root.found
            }
            Flow {
                anchors { left: parent.left; leftMargin: 14 }
                width: parent.width - 28
                visible: root.step === ToolCallStep.Asking
                spacing: Theme.small
                bottomPadding: 6
                PillButton {
                    text: qsTr("Allow once")
                    primary: true
                    onClicked: root.decided(ToolCallStep.Once)
                }
                PillButton { text: qsTr("In this chat"); onClicked: root.decided(ToolCallStep.ThisChat) }
                PillButton { text: qsTr("Always"); onClicked: root.decided(ToolCallStep.Always) }
                PillButton { text: qsTr("Don't allow"); onClicked: root.decided(ToolCallStep.Refused) }
            }
        }
    }
}
