import QtQuick
import Perilune

// A picture or clip that will be sent: what it is, and what it costs.
Rectangle {
    id: root

    required property int index
    required property string name
    required property string detail
    required property var thumbnail
    required property bool reading
    required property bool failed
    required property bool video

    signal removed()
    signal opened()

    width: Math.min(340, Math.max(160, Math.max(title.implicitWidth, facts.implicitWidth) + 96))
    height: 56
    radius: 12
    color: root.failed ? Theme.dangerSoft : Theme.sunken
    border { width: 1; color: root.failed ? Theme.danger : Theme.line }
    Accessible.role: Accessible.ListItem
    Accessible.name: root.name + ", " + root.detail

    PixelImage {
        anchors { left: parent.left; leftMargin: 6 }
        y: 6
        width: 44
        height: 44
        radius: 8
        image: root.thumbnail
        Icon {
            anchors.centerIn: parent
            visible: root.reading || root.failed || root.video
            width: 22
            height: 22
            name: root.failed ? "warning" : root.video ? "play" : "picture"
            color: root.failed ? Theme.danger : root.reading ? Theme.faint : "#ffffff"
        }
    }
    Column {
        anchors { left: parent.left; leftMargin: 58; right: removeButton.left; verticalCenter: parent.verticalCenter }
        spacing: 2
        Text {
            id: title
            width: parent.width
            text: root.name
            textFormat: Text.PlainText
            elide: Text.ElideMiddle
            color: Theme.text
            font { pixelSize: Theme.labelSize; weight: Font.Medium }
        }
        Text {
            id: facts
            width: parent.width
            text: root.detail
            textFormat: Text.PlainText
            elide: root.failed ? Text.ElideRight : Text.ElideMiddle // the tokens stand at its end
            color: root.failed ? Theme.danger : Theme.muted
            font.pixelSize: Theme.captionSize
        }
    }
    IconButton {
        id: removeButton
        anchors { right: parent.right; rightMargin: 4; verticalCenter: parent.verticalCenter }
        implicitWidth: 28
        implicitHeight: 28
        iconSize: 15
        iconName: "close"
        text: qsTr("Remove %1").arg(root.name)
        onClicked: root.removed()
    }
    activeFocusOnTab: !root.reading && !root.failed
    Keys.onReturnPressed: root.opened()
    Keys.onSpacePressed: root.opened()
    Accessible.onPressAction: root.opened()
    FocusRing { shown: root.activeFocus; radius: 14 }
    TapHandler {
        enabled: !root.reading && !root.failed
        onTapped: root.opened()
    }
    HoverHandler {
        id: hover
        cursorShape: root.reading || root.failed ? Qt.ArrowCursor : Qt.PointingHandCursor
    }
    Tip { visible: hover.hovered && !root.reading && !root.failed; text: qsTr("Show what the model sees") }
    Tip { visible: hover.hovered && root.failed; text: root.detail; width: Math.min(implicitWidth, 360) }
}
