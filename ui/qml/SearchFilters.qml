import QtQuick
import Perilune

// What a search is narrowed to: who wrote it, when, and under which tag.
Flow {
    id: root

    required property ConversationListModel conversations
    readonly property var roles: [{ key: "", name: qsTr("Anybody") }, { key: "user", name: qsTr("You") }, { key: "assistant", name: qsTr("The model") }]
    readonly property var times: [
        { key: 0, name: qsTr("Any time") }, { key: 1, name: qsTr("Today") }, { key: 7, name: qsTr("7 days") },
        { key: 31, name: qsTr("A month") }, { key: 366, name: qsTr("A year") }
    ]
    readonly property var tags: [{ key: "", name: qsTr("Any tag") }, ...Array.from(root.conversations.tags, tag => ({ key: tag, name: tag }))]

    spacing: 6

    FilterChip {
        objectName: "roleFilter"
        about: qsTr("Who wrote it")
        choices: root.roles
        chosen: root.conversations.roleFilter
        onWanted: key => root.conversations.roleFilter = key
    }
    FilterChip {
        objectName: "timeFilter"
        about: qsTr("When it was written")
        choices: root.times
        chosen: root.conversations.daysFilter
        onWanted: key => root.conversations.daysFilter = key
    }
    FilterChip {
        objectName: "tagFilter"
        visible: root.conversations.tags.length > 0
        about: qsTr("Tag of the chat")
        choices: root.tags
        chosen: root.conversations.tagFilter
        onWanted: key => root.conversations.tagFilter = key
    }
}
