import QtQuick
import Perilune

// A paragraph, heading or list of an answer.
BlockFrame {
    id: root

    required property string text
    required property string found

    signal linkClicked(string url)
    signal linkHovered(string url)

    contentHeight: view.height

    RichTextView {
        id: view
        width: parent.width
        html: root.text
        found: root.found
        onLinkActivated: link => root.linkClicked(link)
        onLinkHovered: link => root.linkHovered(link)
    }
}
