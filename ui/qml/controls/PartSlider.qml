import QtQuick
import QtQuick.Controls.Basic
import Perilune

// Chooses a part of a clip. On the dark ground of the viewer.
RangeSlider {
    id: root

    required property SeenChoices choices

    to: root.choices.duration
    stepSize: 0.1
    Accessible.name: qsTr("Part of the clip")
    first.onMoved: root.choices.setPart(root.first.value, root.second.value)
    second.onMoved: root.choices.setPart(root.first.value, root.second.value)
    background: Rectangle {
        x: root.leftPadding
        y: (root.height - height) / 2
        width: root.availableWidth
        height: 4
        radius: 2
        color: "#3a3d45"
        Rectangle {
            x: root.first.visualPosition * parent.width
            width: (root.second.visualPosition - root.first.visualPosition) * parent.width
            height: parent.height
            radius: 2
            color: "#93a0ff"
        }
    }
    first.handle: SliderKnob { range: root; place: root.first.visualPosition; pressed: root.first.pressed }
    second.handle: SliderKnob { range: root; place: root.second.visualPosition; pressed: root.second.pressed }

    // What is chosen elsewhere moves the knobs too.
    Binding { target: root.first; property: "value"; value: root.choices.from }
    Binding { target: root.second; property: "value"; value: root.choices.to }
}
