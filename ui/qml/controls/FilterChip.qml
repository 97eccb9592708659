import QtQuick
import QtQuick.Controls.Basic
import Perilune

// A choice out of a few, as a small button with a menu; marked where it isn't the first of them.
AbstractButton {
    id: root

    required property string about
    required property var choices // maps of key and name
    required property var chosen  // the key of one of them
    readonly property int index: Math.max(0, root.choices.findIndex(choice => choice.key === root.chosen))
    readonly property color ink: root.index > 0 ? Theme.accent : Theme.muted

    signal wanted(var key)

    implicitHeight: 26
    implicitWidth: Math.min(row.implicitWidth + 18, 160)
    hoverEnabled: true
    focusPolicy: Qt.StrongFocus
    text: root.choices[root.index].name
    Accessible.role: Accessible.ButtonMenu
    Accessible.name: qsTr("%1: %2").arg(root.about).arg(root.text)
    Keys.onReturnPressed: root.clicked()
    onClicked: menu.popup(root, 0, root.height)

    contentItem: Item {
        Row {
            id: row
            anchors { left: parent.left; verticalCenter: parent.verticalCenter; leftMargin: 9 }
            spacing: 3
            Text {
                id: label
                anchors.verticalCenter: parent.verticalCenter
                width: Math.min(implicitWidth, 120)
                text: root.text
                textFormat: Text.PlainText
                elide: Text.ElideRight
                color: root.ink
                font { pixelSize: Theme.captionSize; weight: Font.Medium }
            }
            Icon { anchors.verticalCenter: parent.verticalCenter; width: 12; height: 12; name: "chevron"; rotation: 90; color: root.ink }
        }
    }
    background: Rectangle {
        radius: 13
        color: root.index > 0 ? Theme.accentSoft : root.hovered ? Theme.hover : "transparent"
        border { width: 1; color: root.index > 0 ? "transparent" : Theme.line }
        FocusRing { shown: root.visualFocus; radius: 15 }
    }

    PlainMenu {
        id: menu
        Instantiator {
            model: root.choices
            delegate: PlainMenuItem {
                required property var modelData
                text: modelData.name
                iconName: modelData.key === root.chosen ? "check" : ""
                onTriggered: root.wanted(modelData.key)
            }
            onObjectAdded: (index, object) => menu.insertItem(index, object)
            onObjectRemoved: (index, object) => menu.removeItem(object)
        }
    }
}
