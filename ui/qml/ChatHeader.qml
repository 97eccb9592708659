import QtQuick
import QtQuick.Layouts
import Perilune

Item {
    id: root

    required property string title
    required property bool sidebarOpen
    required property bool empty
    required property bool temporary

    signal temporaryWanted(bool wanted)
    signal keepWanted()
    signal menuClicked()
    signal newChat()

    implicitHeight: 58

    RowLayout {
        anchors { fill: parent; leftMargin: Theme.medium; rightMargin: Theme.medium }
        spacing: Theme.tiny
        IconButton {
            visible: !root.sidebarOpen
            iconName: "sidebar"
            text: qsTr("Show conversations")
            onClicked: root.menuClicked()
        }
        Text {
            Layout.fillWidth: true
            Layout.leftMargin: Theme.small
            text: root.title
            textFormat: Text.PlainText
            elide: Text.ElideRight
            color: Theme.text
            font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
            Accessible.role: Accessible.Heading
            Accessible.name: root.title
        }
        ToggleChip {
            id: temporaryChip
            objectName: "temporaryChip"
            visible: root.empty || root.temporary
            enabled: root.empty
            checked: root.temporary
            iconName: "clock"
            text: qsTr("Temporary")
            Tip { visible: temporaryChip.hovered; text: qsTr("A chat that is never written to the disk") }
            onClicked: root.temporaryWanted(!root.temporary)
        }
        PillButton {
            objectName: "keepButton"
            visible: root.temporary && !root.empty
            implicitHeight: 30
            text: qsTr("Keep this chat")
            onClicked: root.keepWanted()
        }
        IconButton {
            visible: !root.sidebarOpen
            iconName: "compose"
            text: qsTr("New chat")
            onClicked: root.newChat()
        }
    }
    Rectangle {
        anchors { left: parent.left; right: parent.right; bottom: parent.bottom }
        height: 1
        color: Theme.line
        visible: root.title.length > 0
    }
}
