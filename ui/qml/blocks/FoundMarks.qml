import QtQuick
import Perilune

// What was searched for, marked behind the words of a text.
Item {
    id: root

    required property var document
    required property string words
    required property size room

    Repeater {
        model: finder.places
        Rectangle {
            required property rect modelData
            x: modelData.x - 2
            y: modelData.y
            width: modelData.width + 4
            height: modelData.height
            radius: 4
            color: Theme.found
        }
    }
    FoundText {
        id: finder
        document: root.document
        words: root.words
        room: root.room
    }
}
