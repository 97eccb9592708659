import QtQuick
import QtQuick.Controls.Basic
import Perilune

Menu {
    id: root

    padding: 5
    delegate: PlainMenuItem { }
    background: Rectangle {
        implicitWidth: 180
        radius: Theme.radius
        color: Theme.raised
        border { width: 1; color: Theme.strongLine }
    }
}
