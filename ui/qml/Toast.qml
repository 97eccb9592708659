import QtQuick
import QtQuick.Controls.Basic
import Perilune

// Says something for a moment; it can offer to take it back.
Rectangle {
    id: root

    property real maximumWidth: 480
    property bool undo: false

    signal undone()

    function show(sentence, undo) { message.text = sentence; root.undo = undo; root.opacity = 1; timer.restart() }

    width: row.implicitWidth + 2 * Theme.large
    height: 44
    radius: 22
    color: Theme.dark ? "#f0f0ee" : "#26282d"
    opacity: 0
    visible: opacity > 0
    Accessible.role: Accessible.AlertMessage
    Accessible.name: message.text
    Behavior on opacity { NumberAnimation { duration: Theme.quick } }

    Timer { id: timer; interval: 7000; running: false; onTriggered: root.opacity = 0 }

    Row {
        id: row
        anchors.centerIn: parent
        spacing: Theme.large
        Text {
            id: message
            anchors.verticalCenter: parent.verticalCenter
            width: Math.min(implicitWidth, root.maximumWidth - 120)
            elide: Text.ElideRight
            textFormat: Text.PlainText
            color: Theme.dark ? "#1d1e20" : "#f4f4f2"
            font.pixelSize: Theme.labelSize
        }
        AbstractButton {
            id: button
            anchors.verticalCenter: parent.verticalCenter
            visible: root.undo
            width: visible ? label.implicitWidth + 16 : 0
            height: 30
            text: qsTr("Undo")
            focusPolicy: Qt.StrongFocus
            Accessible.role: Accessible.Button
            Accessible.name: text
            Keys.onReturnPressed: clicked()
            onClicked: (root.undone(), root.opacity = 0)
            contentItem: Text {
                id: label
                text: button.text
                horizontalAlignment: Text.AlignHCenter
                verticalAlignment: Text.AlignVCenter
                color: Theme.dark ? "#4757c9" : "#aab4ff"
                font { pixelSize: Theme.labelSize; weight: Font.DemiBold }
            }
            background: Rectangle {
                radius: 15
                color: button.hovered ? "#30808080" : "transparent"
                border { width: button.visualFocus ? 2 : 0; color: label.color }
            }
        }
    }
}
