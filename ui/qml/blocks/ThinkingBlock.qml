import QtQuick
import Perilune

// What the model thought, folded away behind how long it took.
BlockFrame {
    id: root

    required property int index
    required property string text
    required property string found
    required property string label
    required property bool open
    required property bool expanded

    signal toggled()

    contentHeight: button.height + (root.expanded ? thoughts.height + 8 : 0)

    FoldButton {
        id: button
        anchors.left: parent.left
        iconName: "thought"
        text: root.open ? qsTr("Thinking…") : root.label
        expanded: root.expanded
        lively: root.open
        onClicked: root.toggled()
    }
    Rectangle {
        anchors { left: parent.left; leftMargin: 8 }
        y: button.height + 8
        visible: root.expanded
        width: 2
        height: thoughts.height
        radius: 1
        color: Theme.line
    }
    PlainTextView {
        id: thoughts
        anchors { left: parent.left; leftMargin: 22 }
        y: button.height + 8
        width: parent.width - 22
        visible: root.expanded
        plain: root.expanded ? root.text : ""
        found: root.found
        color: Theme.muted
        font.pixelSize: Theme.labelSize + 1
    }
}
