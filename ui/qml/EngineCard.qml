import QtQuick
import QtQuick.Layouts
import Perilune

// Which model answers, on what, and how far its loading is.
Item {
    id: root

    required property EngineStatus engine

    implicitHeight: column.implicitHeight + 2 * Theme.medium
    Accessible.role: Accessible.StatusBar
    Accessible.name: root.engine.modelName + ". " + root.engine.detail + ". " + root.engine.note

    Rectangle { width: parent.width; height: 1; color: Theme.line }

    ColumnLayout {
        id: column
        anchors { fill: parent; margins: Theme.medium; leftMargin: Theme.large; rightMargin: Theme.large }
        spacing: 3

        RowLayout {
            Layout.fillWidth: true
            spacing: Theme.small
            Rectangle {
                Layout.preferredWidth: 8
                Layout.preferredHeight: 8
                radius: 4
                color: root.engine.failed ? Theme.danger : root.engine.ready ? Theme.good : Theme.faint
            }
            Text {
                Layout.fillWidth: true
                text: root.engine.modelName
                textFormat: Text.PlainText
                elide: Text.ElideMiddle
                color: Theme.text
                font { pixelSize: Theme.labelSize; weight: Font.Medium }
            }
        }
        Text {
            Layout.fillWidth: true
            text: root.engine.detail
            textFormat: Text.PlainText
            elide: root.engine.failed ? Text.ElideNone : Text.ElideRight
            wrapMode: root.engine.failed ? Text.Wrap : Text.NoWrap
            maximumLineCount: root.engine.failed ? 6 : 1
            color: root.engine.failed ? Theme.danger : Theme.muted
            font.pixelSize: Theme.captionSize
        }
        Text {
            objectName: "engineNote"
            Layout.fillWidth: true
            visible: text.length > 0
            text: root.engine.note
            textFormat: Text.PlainText
            wrapMode: Text.WrapAtWordBoundaryOrAnywhere
            maximumLineCount: 6
            elide: Text.ElideRight
            color: Theme.muted
            font.pixelSize: Theme.captionSize
        }
        Rectangle {
            Layout.fillWidth: true
            Layout.topMargin: 3
            Layout.preferredHeight: 3
            visible: root.engine.loading
            radius: 1.5
            color: Theme.line
            Rectangle {
                width: parent.width * Math.max(0.03, root.engine.progress)
                height: parent.height
                radius: 1.5
                color: Theme.accent
            }
        }
        PillButton {
            Layout.topMargin: Theme.tiny
            visible: root.engine.failed
            text: qsTr("Try again")
            iconName: "redo"
            onClicked: root.engine.load()
        }
    }
}
