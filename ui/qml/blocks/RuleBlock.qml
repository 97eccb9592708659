import QtQuick
import Perilune

BlockFrame {
    id: root

    contentHeight: 13

    Rectangle {
        y: 6
        width: parent.width
        height: 1
        color: Theme.line
    }
}
