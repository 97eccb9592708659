import QtQuick
import Perilune

// A call that the model made, or what came back.
BlockFrame {
    id: root

    required property int index
    required property string text
    required property string label
    required property bool expanded
    required property bool result

    signal toggled()

    contentHeight: card.height

    Rectangle {
        id: card
        width: parent.width
        height: fold.height + 12 + (root.expanded ? code.height + 12 : 0)
        radius: Theme.radius
        color: Theme.sunken
        border { width: 1; color: Theme.line }

        FoldButton {
            id: fold
            x: 14
            y: 6
            iconName: root.result ? "check" : "tool"
            text: root.result ? qsTr("%1 answered").arg(root.label) : qsTr("Called %1").arg(root.label)
            expanded: root.expanded
            onClicked: root.toggled()
        }
        CodeBox {
            id: code
            y: fold.height + 12
            width: parent.width
            height: implicitHeight
            visible: root.expanded
            code: root.expanded ? root.text : ""
        }
    }
}
