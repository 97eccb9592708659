import QtQuick
import Perilune

// Text to read and select. What is given as rich text was made by rich_text.cpp, which lets nothing through
// that loads or runs.
TextEdit {
    id: root

    required property string html
    property string found: "" // words that are marked

    text: Theme.richTextStyle + formulas.text
    textFormat: TextEdit.RichText
    wrapMode: TextEdit.Wrap
    readOnly: true
    selectByMouse: true
    activeFocusOnPress: true
    color: Theme.text
    selectionColor: Theme.selection
    selectedTextColor: Theme.text
    font.pixelSize: Theme.bodySize
    Accessible.role: Accessible.StaticText
    Accessible.name: formulas.withSources(root.getText(0, root.length), "")
    Accessible.readOnly: true

    Keys.onPressed: event => event.accepted = event.matches(StandardKey.Copy)
        && formulas.copy(root.selectedText, root.getText(0, root.selectionStart))

    FormulaText {
        id: formulas
        html: root.html
        font: root.font
        color: root.color
        ratio: Screen.devicePixelRatio
    }
    Loader {
        active: root.found.length > 0
        z: -1
        sourceComponent: FoundMarks { document: root.textDocument; words: root.found; room: Qt.size(root.width, root.height) }
    }
    HoverHandler { cursorShape: root.hoveredLink.length > 0 ? Qt.PointingHandCursor : Qt.IBeamCursor }
    TapHandler {
        acceptedButtons: Qt.RightButton
        onTapped: menu.active = true
    }
    Loader {
        id: menu
        active: false
        onLoaded: (menu.item as PlainMenu).popup()
        sourceComponent: PlainMenu {
            onClosed: menu.active = false
            PlainMenuItem {
                text: qsTr("Copy")
                iconName: "copy"
                enabled: root.selectedText.length > 0
                opacity: enabled ? 1 : 0.4
                onTriggered: formulas.copy(root.selectedText, root.getText(0, root.selectionStart))
            }
            PlainMenuItem { text: qsTr("Select all"); iconName: "check"; onTriggered: root.selectAll() }
        }
    }
}
