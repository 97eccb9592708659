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

    Shortcut { sequences: [StandardKey.New]; onActivated: page.startNew() }
    Shortcut { sequences: ["Ctrl+B"]; onActivated: page.toggleSidebar() }
    Shortcut { sequences: [StandardKey.Find]; onActivated: page.find() }
    Shortcut { sequences: ["Ctrl+O"]; onActivated: page.attach() }
    Shortcut { sequences: ["Ctrl+L"]; onActivated: page.write() }
    Shortcut { sequences: [StandardKey.Quit]; onActivated: root.close() }

    WindowPage {
        id: page
        anchors.fill: parent
        model: root.model
        narrow: root.narrow
        sidebarShown: root.sidebarShown
        onSidebarToggled: root.sidebarShown = !root.sidebarShown
    }
}
