import QtQuick
import QtQuick.Controls.Basic
import Perilune

ApplicationWindow {
    id: root

    required property WindowModel model
    readonly property bool narrow: width < Theme.narrowWidth
    property bool sidebarShown: true

    width: root.model.startWidth
    height: root.model.startHeight
    minimumWidth: 360
    minimumHeight: 480
    visible: true
    visibility: root.model.startMaximized ? Window.Maximized : Window.AutomaticVisibility
    title: root.model.chat.title.length > 0 ? qsTr("%1 – Perilune").arg(root.model.chat.title) : qsTr("Perilune")
    color: Theme.window
    LayoutMirroring.enabled: root.model.mirrored
    LayoutMirroring.childrenInherit: true
    font.pixelSize: Theme.bodySize
    palette {
        window: Theme.window
        windowText: Theme.text
        base: Theme.raised
        text: Theme.text
        highlight: Theme.selection
        highlightedText: Theme.text
        placeholderText: Theme.faint
        button: Theme.raised
        buttonText: Theme.text
        mid: Theme.line
    }
    onWidthChanged: root.model.keepWindow(root.width, root.height, root.visibility === Window.Maximized)
    onHeightChanged: root.model.keepWindow(root.width, root.height, root.visibility === Window.Maximized)
    onVisibilityChanged: root.model.keepWindow(root.width, root.height, root.visibility === Window.Maximized)

    Binding { target: Theme; property: "dark"; value: root.model.appearance.dark }
    Binding { target: Theme; property: "highContrast"; value: root.model.appearance.highContrast }
    Binding { target: Theme; property: "reducedMotion"; value: root.model.appearance.reducedMotion }
    Binding { target: Theme; property: "textScale"; value: root.model.appearance.textScale }

    Instantiator {
        model: root.model.commands.shortcuts
        delegate: Shortcut {
            required property var modelData
            sequences: [modelData.sequence]
            enabled: modelData.sequence.length > 0
            onActivated: root.model.commands.run(modelData.command)
        }
    }
    Connections {
        target: root.model.commands
        function onNewChat() { page.startNew() }
        function onFindChats() { page.find() }
        function onToggleSidebar() { page.toggleSidebar() }
        function onAttach() { page.attach() }
        function onWrite() { page.write() }
        function onEditLast() { page.editLast() }
        function onGoToEnd() { page.goToEnd() }
        function onShowCommands() { commandPalette.show() }
        function onShowShortcuts() { shortcuts.show() }
        function onShowSettings() { settings.open() }
        function onQuit() { root.close() }
    }

    WindowPage {
        id: page
        anchors.fill: parent
        model: root.model
        narrow: root.narrow
        sidebarShown: root.sidebarShown
        onSidebarToggled: root.sidebarShown = !root.sidebarShown
    }

    CommandPalette { id: commandPalette; objectName: "commandPalette"; commands: root.model.commands }
    ShortcutsDialog { id: shortcuts; objectName: "shortcutsDialog"; commands: root.model.commands }
    SettingsDialog {
        id: settings
        objectName: "settingsDialog"
        appearance: root.model.appearance
        parameters: root.model.parameters
        onShortcutsWanted: (settings.close(), shortcuts.show())
    }
}
