import QtQuick
import Perilune

// Says that the disk is full for as long as it is: nobody can dismiss that.
Item {
    id: root

    required property DiskSpace disk

    visible: root.disk.full
    implicitHeight: root.visible ? card.height + Theme.small : 0
    height: implicitHeight

    Rectangle {
        id: card
        anchors { left: parent.left; right: parent.right; bottom: parent.bottom; leftMargin: Theme.large; rightMargin: Theme.large }
        height: words.height + 24
        radius: Theme.radius
        color: Theme.dangerSoft
        border { width: 1; color: Theme.danger }
        Accessible.role: Accessible.AlertMessage
        Accessible.name: heading.text + " " + detail.text

        Icon { anchors.left: parent.left; anchors.leftMargin: Theme.medium; y: 13; width: 18; height: 18; name: "warning"; color: Theme.danger }
        Column {
            id: words
            anchors { left: parent.left; leftMargin: 40 }
            y: 12
            width: parent.width - 56
            spacing: 3
            Text {
                id: heading
                width: parent.width
                text: qsTr("The disk is full.")
                textFormat: Text.PlainText
                wrapMode: Text.Wrap
                color: Theme.text
                font { pixelSize: Theme.labelSize; weight: Font.DemiBold }
            }
            Text {
                id: detail
                width: parent.width
                text: qsTr("Nothing is lost: what you write and what is being answered waits in memory, and is saved by itself as soon as there is space. Keep Perilune open, and free some space where %1 is.").arg(root.disk.folder)
                textFormat: Text.PlainText
                wrapMode: Text.Wrap
                color: Theme.text
                font.pixelSize: Theme.labelSize
            }
        }
    }
}
