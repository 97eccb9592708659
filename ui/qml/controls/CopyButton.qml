import QtQuick
import Perilune

// Shows for a moment that it has copied.
IconButton {
    id: root

    property bool done: false

    implicitWidth: 30
    implicitHeight: 30
    iconSize: 17
    iconName: root.done ? "check" : "copy"
    iconColor: root.done ? Theme.good : Theme.muted
    onClicked: (root.done = true, timer.restart())

    Timer { id: timer; interval: 1600; onTriggered: root.done = false }
}
