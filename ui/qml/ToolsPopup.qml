import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Perilune

// A switch for each tool that the model may call in the conversation in view.
Popup {
    id: root

    required property ToolList tools

    padding: 5
    width: Math.min(360, root.parent ? root.parent.Window.width - 2 * Theme.medium : 360)
    height: Math.min(implicitHeight, root.parent ? root.parent.Window.height / 2 : 400)
    focus: true
    onOpened: list.forceActiveFocus()

    contentItem: ListView {
        id: list
        implicitHeight: contentHeight
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        keyNavigationEnabled: true
        model: root.tools
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Tools in this chat")
        ScrollBar.vertical: SlimScrollBar { }
        Keys.onSpacePressed: root.tools.toggle(list.currentIndex)
        Keys.onReturnPressed: root.tools.toggle(list.currentIndex)

        delegate: AbstractButton {
            id: tool
            required property int index
            required property string name
            required property string about
            required property bool on

            width: ListView.view.width
            padding: 8
            leftPadding: 10
            text: tool.name
            checked: tool.on
            hoverEnabled: true
            focusPolicy: Qt.NoFocus
            onClicked: root.tools.toggle(tool.index)
            Accessible.role: Accessible.CheckBox
            Accessible.name: tool.name
            Accessible.description: tool.about
            Accessible.checkable: true
            Accessible.checked: tool.on

            contentItem: RowLayout {
                spacing: 10
                Icon {
                    Layout.preferredWidth: 18
                    Layout.preferredHeight: 18
                    Layout.alignment: Qt.AlignTop
                    opacity: tool.on ? 1 : 0
                    name: "check"
                    color: Theme.accent
                }
                ColumnLayout {
                    spacing: 1
                    Text {
                        Layout.fillWidth: true
                        text: tool.name
                        textFormat: Text.PlainText
                        elide: Text.ElideRight
                        color: tool.on ? Theme.accent : Theme.text
                        font { pixelSize: Theme.labelSize; weight: Font.Medium }
                    }
                    Text {
                        Layout.fillWidth: true
                        text: tool.about
                        textFormat: Text.PlainText
                        wrapMode: Text.Wrap
                        maximumLineCount: 3
                        elide: Text.ElideRight
                        color: Theme.muted
                        font.pixelSize: Theme.captionSize
                    }
                }
            }
            background: Rectangle {
                radius: 6
                color: tool.hovered || (tool.ListView.isCurrentItem && list.activeFocus) ? Theme.hover : "transparent"
            }
        }
    }
    background: Rectangle {
        radius: Theme.radius
        color: Theme.raised
        border { width: 1; color: Theme.strongLine }
    }
}
