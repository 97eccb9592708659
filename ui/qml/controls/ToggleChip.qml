import QtQuick
import QtQuick.Controls.Basic
import Perilune

// A setting that is on or off, as a small button.
AbstractButton {
    id: root

    required property string iconName
    readonly property color ink: root.checked ? Theme.accent : Theme.muted

    implicitHeight: Theme.controlHeight - 6
    implicitWidth: row.implicitWidth + 20
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.CheckBox
    Accessible.name: root.text
    Accessible.checkable: true
    Accessible.checked: root.checked
    Keys.onReturnPressed: root.clicked()

    contentItem: Item {
        Row {
            id: row
            anchors.centerIn: parent
            spacing: 5
            Icon { anchors.verticalCenter: parent.verticalCenter; width: Theme.iconSize - 3; height: Theme.iconSize - 3; name: root.iconName; color: root.ink }
            Text {
                anchors.verticalCenter: parent.verticalCenter
                text: root.text
                textFormat: Text.PlainText
                color: root.ink
                font { pixelSize: Theme.labelSize; weight: Font.Medium }
            }
        }
    }
    background: Rectangle {
        radius: height / 2
        color: root.checked ? Theme.accentSoft : root.hovered ? Theme.hover : "transparent"
        FocusRing { shown: root.visualFocus; radius: height / 2 }
    }
}
