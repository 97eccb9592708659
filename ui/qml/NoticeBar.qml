import QtQuick
import Perilune

// Sentences that stay until they are dismissed.
Column {
    id: root

    required property var notices

    signal dismissed(int index)

    leftPadding: Theme.large
    rightPadding: Theme.large
    topPadding: root.notices.length > 0 ? Theme.small : 0
    spacing: Theme.small

    Repeater {
        model: root.notices
        delegate: Rectangle {
            id: notice

            required property string modelData
            required property int index

            width: root.width - 2 * Theme.large
            height: message.height + 20
            radius: Theme.radius
            color: Theme.dangerSoft
            Accessible.role: Accessible.AlertMessage
            Accessible.name: notice.modelData

            Icon {
                anchors { left: parent.left; leftMargin: Theme.medium }
                y: 11
                width: 18
                height: 18
                name: "warning"
                color: Theme.danger
            }
            TextEdit {
                id: message
                anchors { left: parent.left; leftMargin: 40 }
                y: 10
                width: parent.width - 84
                text: notice.modelData
                textFormat: TextEdit.PlainText
                wrapMode: TextEdit.Wrap
                readOnly: true
                selectByMouse: true
                color: Theme.text
                selectionColor: Theme.selection
                selectedTextColor: Theme.text
                font.pixelSize: Theme.labelSize
            }
            IconButton {
                anchors { right: parent.right; top: parent.top; margins: 4 }
                implicitWidth: 30
                implicitHeight: 30
                iconSize: 16
                iconName: "close"
                text: qsTr("Dismiss")
                onClicked: root.dismissed(notice.index)
            }
        }
    }
}
