import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Perilune

// Everything that can be done now, found by its name.
Popup {
    id: root

    required property Commands commands

    function show() { root.commands.filter = ""; root.commands.refresh(); field.clear(); root.open(); field.forceActiveFocus() }
    function run(row) { root.close(); root.commands.runRow(row) }

    parent: T.Overlay.overlay
    x: Math.round(((parent?.width ?? 600) - width) / 2)
    y: Math.round((parent?.height ?? 600) * 0.12)
    width: Math.min(560, (parent?.width ?? 600) - 2 * Theme.large)
    height: Math.min(implicitHeight, (parent?.height ?? 600) * 0.76)
    padding: Theme.small
    modal: true
    focus: true
    T.Overlay.modal: Rectangle { color: Theme.shade }
    background: Rectangle { radius: 14; color: Theme.raised; border { width: 1; color: Theme.line } }

    contentItem: ColumnLayout {
        spacing: Theme.small

        SearchField {
            id: field
            objectName: "commandField"
            Layout.fillWidth: true
            placeholderText: qsTr("What would you like to do?")
            Accessible.name: qsTr("Search the commands")
            onTextChanged: (root.commands.filter = text, list.currentIndex = 0)
            onAccepted: root.run(list.currentIndex)
            Keys.onEscapePressed: root.close()
            Keys.onDownPressed: list.incrementCurrentIndex()
            Keys.onUpPressed: list.decrementCurrentIndex()
        }
        ListView {
            id: list
            Layout.fillWidth: true
            Layout.fillHeight: true
            implicitHeight: contentHeight
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            keyNavigationWraps: true
            highlightMoveDuration: 0
            model: root.commands
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Commands")
            ScrollBar.vertical: SlimScrollBar { }
            section.property: "group"
            section.delegate: Text {
                required property string section
                width: ListView.view.width
                horizontalAlignment: Text.AlignLeft
                leftPadding: Theme.medium
                rightPadding: Theme.medium
                topPadding: Theme.small
                bottomPadding: Theme.tiny
                text: section
                textFormat: Text.PlainText
                color: Theme.faint
                font { pixelSize: Theme.captionSize; weight: Font.Medium }
            }
            delegate: AbstractButton {
                id: row
                required property int index
                required property string title
                required property string keys
                width: ListView.view.width
                implicitHeight: Theme.controlHeight
                text: row.title
                hoverEnabled: true
                focusPolicy: Qt.NoFocus
                onClicked: root.run(row.index)
                Accessible.role: Accessible.ListItem
                Accessible.name: row.title
                Accessible.description: row.keys
                contentItem: RowLayout {
                    Text {
                        Layout.fillWidth: true
                        Layout.leftMargin: Theme.medium
                        text: row.title
                        textFormat: Text.PlainText
                        elide: Text.ElideRight
                        color: Theme.text
                        font.pixelSize: Theme.labelSize
                    }
                    KeyCap { Layout.rightMargin: Theme.medium + 2; keys: row.keys }
                }
                background: Rectangle {
                    radius: Theme.radius - 2
                    color: row.ListView.isCurrentItem ? Theme.selected : row.hovered ? Theme.hover : "transparent"
                }
            }
        }
        Text {
            Layout.fillWidth: true
            Layout.margins: Theme.large
            visible: list.count === 0
            horizontalAlignment: Text.AlignHCenter
            text: qsTr("There is no such command.")
            textFormat: Text.PlainText
            color: Theme.faint
            font.pixelSize: Theme.labelSize
        }
    }
}
