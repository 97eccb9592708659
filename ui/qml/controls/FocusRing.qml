import QtQuick
import Perilune

// The outline of the control that has the keyboard.
Rectangle {
    id: root

    required property bool shown

    anchors.fill: parent
    anchors.margins: -2
    radius: Theme.radius + 2
    color: "transparent"
    border { width: 2; color: Theme.accent }
    visible: root.shown
}
