import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import Perilune

// One picture as large as the window; the wheel and a click zoom.
Popup {
    id: root

    property string source: ""
    property string name: ""
    property real zoom: 1

    function show(source, name) { root.source = source; root.name = name; root.zoom = 1; root.open() }

    parent: T.Overlay.overlay
    width: parent?.width ?? 0
    height: parent?.height ?? 0
    padding: 0
    modal: true
    focus: true
    closePolicy: Popup.CloseOnEscape
    background: Rectangle { color: "#e6101114" }
    onClosed: root.source = ""

    contentItem: Item {
        Flickable {
            id: flick
            anchors.fill: parent
            clip: true
            contentWidth: Math.max(width, picture.width)
            contentHeight: Math.max(height, picture.height)
            boundsBehavior: Flickable.StopAtBounds

            Image {
                id: picture
                readonly property real fit: Math.min((flick.width - 64) / Math.max(1, implicitWidth),
                                                     (flick.height - 128) / Math.max(1, implicitHeight))
                readonly property real shownScale: Math.min(fit, 4) * root.zoom
                x: Math.max(0, (flick.width - width) / 2)
                y: Math.max(0, (flick.height - height) / 2)
                width: implicitWidth * shownScale
                height: implicitHeight * shownScale
                source: root.source
                sourceSize { width: 2400; height: 2400 }
                asynchronous: true
                smooth: true
                mipmap: true
                Accessible.role: Accessible.Graphic
                Accessible.name: root.name
            }
            TapHandler { onTapped: root.zoom = root.zoom > 1 ? 1 : 2.5 }
        }
        WheelHandler {
            target: null
            onWheel: event => root.zoom = Math.min(8, Math.max(1, root.zoom * Math.pow(1.0015, event.angleDelta.y)))
        }

        Text {
            anchors { left: parent.left; top: parent.top; right: closeButton.left; margins: Theme.large }
            text: root.name
            textFormat: Text.PlainText
            elide: Text.ElideMiddle
            color: "#e8e8e6"
            font.pixelSize: Theme.labelSize
        }
        IconButton {
            id: closeButton
            anchors { right: parent.right; top: parent.top; margins: Theme.small }
            iconName: "close"
            iconColor: "#e8e8e6"
            text: qsTr("Close")
            focus: true
            onClicked: root.close()
            contentItem: Item {
                Icon { anchors.centerIn: parent; name: "close"; color: "#e8e8e6" }
            }
        }
    }
}
