import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Perilune

// How the window looks, and how answers are chosen. What is changed here holds at once.
DialogFrame {
    id: root

    required property Appearance appearance
    required property AnswerParameters parameters

    signal shortcutsWanted()

    component Caption: Text {
        Layout.fillWidth: true
        Layout.topMargin: Theme.small
        textFormat: Text.PlainText
        color: Theme.muted
        font { pixelSize: Theme.captionSize; weight: Font.Medium }
        Accessible.role: Accessible.Heading
        Accessible.name: text
    }

    heading: qsTr("Settings")

    ScrollView {
        id: scroll
        Layout.fillWidth: true
        Layout.fillHeight: true
        contentWidth: availableWidth
        clip: true
        ScrollBar.vertical: SlimScrollBar {
            parent: scroll
            x: scroll.width - width
            height: scroll.height
        }

        ColumnLayout {
            width: scroll.availableWidth - Theme.medium
            spacing: Theme.medium

            Caption { text: qsTr("Colours") }
            Flow {
                Layout.fillWidth: true
                spacing: 6
                ToggleChip { iconName: "settings"; text: qsTr("As the system"); checked: root.appearance.scheme === Appearance.System; onClicked: root.appearance.scheme = Appearance.System }
                ToggleChip { iconName: "spark"; text: qsTr("Light"); checked: root.appearance.scheme === Appearance.Light; onClicked: root.appearance.scheme = Appearance.Light }
                ToggleChip { iconName: "moon"; text: qsTr("Dark"); checked: root.appearance.scheme === Appearance.Dark; onClicked: root.appearance.scheme = Appearance.Dark }
                ToggleChip { iconName: "check"; text: qsTr("High contrast"); checked: root.appearance.highContrast; onClicked: root.appearance.highContrast = !root.appearance.highContrast }
                ToggleChip { iconName: "check"; text: qsTr("Less motion"); checked: root.appearance.reducedMotion; onClicked: root.appearance.reducedMotion = !root.appearance.reducedMotion }
            }

            Caption { text: qsTr("Size of the text: %1 %").arg(Math.round(root.appearance.textScale * 100)) }
            RowLayout {
                spacing: Theme.small
                PillButton { text: qsTr("Smaller"); enabled: root.appearance.textScale > 0.8; onClicked: root.appearance.stepText(-1) }
                PillButton { text: qsTr("Larger"); enabled: root.appearance.textScale < 2; onClicked: root.appearance.stepText(1) }
                PillButton { text: qsTr("As usual"); enabled: root.appearance.textScale !== 1; onClicked: root.appearance.textScale = 1 }
            }

            Caption { text: qsTr("Answers") }
            Repeater {
                model: root.parameters
                delegate: ParameterField {
                    id: parameter
                    required property int index
                    Layout.fillWidth: true
                    onWritten: text => parameter.refused = !root.parameters.set(parameter.index, text)
                    onResetWanted: (root.parameters.reset(parameter.index), parameter.refused = false)
                }
            }

            PillButton { text: qsTr("Keyboard shortcuts…"); onClicked: root.shortcutsWanted() }
        }
    }
}
