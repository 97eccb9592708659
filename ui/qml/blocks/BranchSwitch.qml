import QtQuick
import Perilune

// Which of several messages at the same place is in view, and the way to the others.
Row {
    id: root

    required property int branch
    required property int branches
    required property bool busy

    signal wanted(int step)

    visible: root.branches > 1
    height: 30
    Accessible.role: Accessible.Grouping
    Accessible.name: qsTr("Branch %1 of %2").arg(root.branch + 1).arg(root.branches)

    IconButton {
        implicitWidth: 24
        implicitHeight: 30
        iconSize: 14
        iconName: "back"
        text: qsTr("The branch before")
        enabled: root.branch > 0 && !root.busy
        onClicked: root.wanted(-1)
    }
    Text {
        height: 30
        verticalAlignment: Text.AlignVCenter
        text: qsTr("%1 of %2").arg(root.branch + 1).arg(root.branches)
        textFormat: Text.PlainText
        color: Theme.muted
        font.pixelSize: Theme.captionSize
    }
    IconButton {
        implicitWidth: 24
        implicitHeight: 30
        iconSize: 14
        iconName: "chevron"
        text: qsTr("The branch after")
        enabled: root.branch + 1 < root.branches && !root.busy
        onClicked: root.wanted(1)
    }
}
