import QtQuick
import QtQuick.Controls.Basic
import Perilune

ScrollBar {
    id: root

    minimumSize: 0.06
    padding: 3
    implicitWidth: 12
    implicitHeight: 12

    contentItem: Rectangle {
        implicitWidth: 6
        implicitHeight: 6
        radius: 3
        color: Theme.text
        opacity: root.size >= 1 ? 0 : root.pressed ? 0.45 : root.hovered ? 0.35 : root.active ? 0.25 : 0.12
        Behavior on opacity { NumberAnimation { duration: Theme.quick } }
    }
}
