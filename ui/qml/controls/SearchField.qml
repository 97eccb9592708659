import QtQuick
import QtQuick.Controls.Basic
import Perilune

TextField {
    id: root

    implicitHeight: Theme.controlHeight
    leftPadding: root.LayoutMirroring.enabled ? 30 : 34
    rightPadding: root.LayoutMirroring.enabled ? 34 : 30
    color: Theme.text
    placeholderText: qsTr("Search")
    placeholderTextColor: Theme.faint
    selectByMouse: true
    font.pixelSize: Theme.labelSize
    Accessible.name: qsTr("Search conversations")
    Keys.onEscapePressed: root.clear()

    background: Rectangle {
        radius: Theme.radius
        color: Theme.raised
        border { width: root.activeFocus ? 2 : 1; color: root.activeFocus ? Theme.accent : Theme.line }
        Icon {
            anchors { left: parent.left; leftMargin: 10; verticalCenter: parent.verticalCenter }
            width: 17
            height: 17
            name: "search"
            color: Theme.faint
        }
    }

    IconButton {
        anchors { right: parent.right; rightMargin: 3; verticalCenter: parent.verticalCenter }
        visible: root.text.length > 0
        implicitWidth: 28
        implicitHeight: 28
        iconSize: 15
        iconName: "close"
        text: qsTr("Clear search")
        onClicked: root.clear()
    }
}
