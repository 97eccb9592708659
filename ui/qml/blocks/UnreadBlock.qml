import QtQuick
import Perilune

// The place of a message that isn't read yet. It asks for it once it has stayed near the view for a frame: who
// scrolls past has nothing read.
BlockFrame {
    id: root

    required property var message

    signal wanted()

    contentHeight: 110
    ListView.onPooled: timer.stop()
    ListView.onReused: timer.restart()
    Accessible.role: Accessible.StaticText
    Accessible.name: qsTr("A message that is being read")

    Timer { id: timer; interval: 20; repeat: true; running: true; onTriggered: root.wanted() }
    Column {
        width: parent.width
        spacing: 10
        Rectangle { width: parent.width * 0.9; height: 12; radius: 6; color: Theme.sunken }
        Rectangle { width: parent.width; height: 12; radius: 6; color: Theme.sunken }
        Rectangle { width: parent.width * 0.6; height: 12; radius: 6; color: Theme.sunken }
    }
}
