import QtQuick
import QtQuick.Controls.Basic
import Perilune

// Code: never wrapped, always left to right.
Flickable {
    id: root

    required property string code
    property string language: ""
    property string found: ""

    implicitHeight: view.height + (contentWidth > width ? 12 : 0)
    contentWidth: view.width + 28
    contentHeight: view.height
    flickableDirection: Flickable.HorizontalFlick
    boundsBehavior: Flickable.StopAtBounds
    clip: true
    LayoutMirroring.enabled: false // whatever the language of the window
    LayoutMirroring.childrenInherit: true
    ScrollBar.horizontal: SlimScrollBar { }

    PlainTextView {
        id: view
        x: 14
        plain: root.code
        found: root.found
        wrapMode: TextEdit.NoWrap
        horizontalAlignment: TextEdit.AlignLeft
        font { family: Theme.monospace; pixelSize: Theme.labelSize }
        CodeDocument { document: view.textDocument }
        CodeColors { document: view.textDocument; language: root.language; palette: Theme.codePalette }
    }
}
