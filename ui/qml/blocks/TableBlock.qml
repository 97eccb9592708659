import QtQuick
import QtQuick.Controls.Basic
import Perilune

// A table; one that is wider than the column scrolls sideways.
BlockFrame {
    id: root

    required property string text
    required property string found
    required property int columns

    signal linkClicked(string url)
    signal linkHovered(string url)

    contentHeight: view.height + (scroll.contentWidth > scroll.width ? 12 : 0)

    Flickable {
        id: scroll
        width: parent.width
        height: root.contentHeight
        contentWidth: Math.max(view.width, view.contentWidth)
        contentHeight: view.height
        flickableDirection: Flickable.HorizontalFlick
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.horizontal: SlimScrollBar { }

        RichTextView {
            id: view
            width: Math.max(root.columnWidth, root.columns * 110)
            html: root.text
            found: root.found
            font.pixelSize: Theme.labelSize + 1
            onLinkActivated: link => root.linkClicked(link)
            onLinkHovered: link => root.linkHovered(link)
        }
    }
}
