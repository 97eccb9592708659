import QtQuick
import QtQuick.Templates as T

// What is moved of a slider, on the dark ground of the viewer.
Rectangle {
    id: root

    required property T.RangeSlider range
    required property real place // 0 to 1
    required property bool pressed

    x: root.range.leftPadding + root.place * (root.range.availableWidth - width)
    y: (root.range.height - height) / 2
    implicitWidth: 16
    implicitHeight: 16
    radius: 8
    color: root.pressed ? "#c9d0fb" : "#ffffff"
    border { width: root.activeFocus ? 3 : 0; color: "#93a0ff" }
}
