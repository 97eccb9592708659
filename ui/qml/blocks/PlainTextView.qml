import QtQuick
import Perilune

// Plain text to read and select.
RichTextView {
    id: root

    property string plain: ""

    html: ""
    text: root.plain
    textFormat: TextEdit.PlainText
}
