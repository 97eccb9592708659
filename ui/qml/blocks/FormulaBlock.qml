import QtQuick
import QtQuick.Controls.Basic
import Perilune

// A formula on lines of its own, in the middle; one that is wider than the column scrolls sideways. What can't be
// set is shown as its source, with the reason.
BlockFrame {
    id: root

    required property string text

    signal copied()

    contentHeight: formula.fault.length > 0 ? source.height : scroll.height

    Flickable {
        id: scroll
        visible: formula.fault.length === 0
        width: parent.width
        height: formula.implicitHeight + (contentWidth > width ? 14 : 0)
        contentWidth: formula.implicitWidth
        contentHeight: formula.implicitHeight
        flickableDirection: Flickable.HorizontalFlick
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.horizontal: SlimScrollBar { }

        FormulaItem {
            id: formula
            x: Math.max(0, (scroll.width - width) / 2)
            width: implicitWidth
            height: implicitHeight
            latex: root.text
            pixelSize: Theme.bodySize
            color: Theme.text
            Accessible.role: Accessible.Graphic
            Accessible.name: qsTr("Formula: %1").arg(root.text)
        }
    }
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
            PlainMenuItem { text: qsTr("Copy LaTeX"); iconName: "copy"; onTriggered: root.copied() }
        }
    }
    Column {
        id: source
        visible: formula.fault.length > 0
        width: parent.width
        spacing: Theme.tiny

        Rectangle {
            width: parent.width
            height: code.height + 20
            radius: Theme.radius
            color: Theme.sunken
            border { width: 1; color: Theme.line }

            CodeBox {
                id: code
                y: 10
                width: parent.width
                height: implicitHeight
                code: root.text
                language: "latex"
            }
        }
        Text {
            width: parent.width
            text: formula.fault
            textFormat: Text.PlainText
            wrapMode: Text.Wrap
            color: Theme.muted
            font.pixelSize: Theme.captionSize
        }
    }
}
