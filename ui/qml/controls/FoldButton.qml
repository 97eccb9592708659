import QtQuick
import QtQuick.Controls.Basic
import Perilune

// The line that opens and closes what stands below it.
AbstractButton {
    id: root

    required property string iconName
    required property bool expanded
    property bool lively: false

    implicitHeight: 30
    implicitWidth: row.implicitWidth + 16
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    Accessible.role: Accessible.Button
    Accessible.name: root.expanded ? qsTr("%1, hide").arg(root.text) : qsTr("%1, show").arg(root.text)
    Keys.onReturnPressed: root.clicked()

    contentItem: Item {
        Row {
            id: row
            anchors { left: parent.left; verticalCenter: parent.verticalCenter }
            spacing: 6
            Icon { anchors.verticalCenter: parent.verticalCenter; width: 17; height: 17; name: root.iconName; color: Theme.muted }
            Text {
                anchors.verticalCenter: parent.verticalCenter
                text: root.text
                textFormat: Text.PlainText
                color: root.hovered ? Theme.text : Theme.muted
                font { pixelSize: Theme.labelSize; weight: Font.Medium }
                SequentialAnimation on opacity {
                    running: root.lively
                    loops: Animation.Infinite
                    alwaysRunToEnd: true
                    NumberAnimation { from: 1; to: 0.45; duration: 700 }
                    NumberAnimation { from: 0.45; to: 1; duration: 700 }
                }
            }
            Icon {
                anchors.verticalCenter: parent.verticalCenter
                width: 14
                height: 14
                name: "chevron"
                color: Theme.faint
                rotation: root.expanded ? 90 : root.mirrored ? 180 : 0
                Behavior on rotation { NumberAnimation { duration: Theme.quick } }
            }
        }
    }
    background: Rectangle {
        x: root.mirrored ? 8 : -8
        radius: 8
        width: root.width
        color: root.hovered ? Theme.hover : "transparent"
        FocusRing { shown: root.visualFocus }
    }
}
