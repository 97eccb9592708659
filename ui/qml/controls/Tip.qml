import QtQuick
import QtQuick.Controls.Basic
import Perilune

ToolTip {
    id: root

    delay: 500
    padding: 7
    leftPadding: 10
    rightPadding: 10

    contentItem: Text {
        text: root.text
        color: Theme.window
        font.pixelSize: Theme.captionSize
        textFormat: Text.PlainText
        wrapMode: Text.WrapAtWordBoundaryOrAnywhere
    }
    background: Rectangle {
        radius: 6
        color: Theme.text
        opacity: 0.92
    }
}
