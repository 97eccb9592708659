import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QtQuick.Templates as T
import Perilune

// A dialog in the middle of the window: a heading, what it is about, and a way out.
Popup {
    id: root

    required property string heading
    property int widest: 520
    default property alias body: content.data

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(root.widest, (parent?.width ?? 600) - 2 * Theme.large)
    height: Math.min(implicitHeight, (parent?.height ?? 600) - 2 * Theme.large)
    padding: Theme.large
    modal: true
    focus: true
    T.Overlay.modal: Rectangle { color: Theme.shade }
    background: Rectangle { radius: 14; color: Theme.raised; border { width: 1; color: Theme.line } }

    contentItem: ColumnLayout {
        spacing: Theme.medium

        RowLayout {
            Layout.fillWidth: true
            Text {
                Layout.fillWidth: true
                text: root.heading
                textFormat: Text.PlainText
                elide: Text.ElideRight
                color: Theme.text
                font { pixelSize: Theme.titleSize; weight: Font.DemiBold }
                Accessible.role: Accessible.Heading
                Accessible.name: root.heading
            }
            IconButton { iconName: "close"; text: qsTr("Close"); onClicked: root.close() }
        }
        ColumnLayout {
            id: content
            spacing: Theme.medium
        }
    }
}
