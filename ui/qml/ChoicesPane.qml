import QtQuick
import Perilune

// How much of an attachment the model is to see. Every choice says what it costs.
Column {
    id: root

    required property SeenChoices choices

    spacing: 6

    ChoiceRow { width: root.width; choices: root.choices.kinds }
    ChoiceRow { width: root.width; choices: root.choices.details }
    ChoiceRow { width: root.width; choices: root.choices.frames }
    ChoiceRow { width: root.width; choices: root.choices.fits }
    Flow {
        width: root.width
        visible: root.choices.hasPart
        spacing: 6
        Text {
            width: Math.max(84, implicitWidth)
            height: 28
            verticalAlignment: Text.AlignVCenter
            text: qsTr("Part")
            textFormat: Text.PlainText
            color: "#c8c8c4"
            font.pixelSize: Theme.captionSize
        }
        // Made anew for each clip: a slider takes no value beyond the length of the clip before.
        Loader {
            active: root.choices.hasPart
            width: Math.min(320, root.width)
            height: 28
            sourceComponent: PartSlider { choices: root.choices }
        }
        Text {
            height: 28
            verticalAlignment: Text.AlignVCenter
            text: root.choices.partText
            textFormat: Text.PlainText
            color: "#e8e8e6"
            font.pixelSize: Theme.captionSize
        }
    }
}
