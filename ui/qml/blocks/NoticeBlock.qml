import QtQuick
import Perilune

BlockFrame {
    id: root

    required property string text

    contentHeight: words.height

    Text {
        id: words
        width: parent.width
        text: root.text
        textFormat: Text.PlainText
        wrapMode: Text.Wrap
        color: Theme.muted
        font { pixelSize: Theme.labelSize; italic: true }
    }
}
