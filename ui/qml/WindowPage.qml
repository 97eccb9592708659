import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import Perilune

// The whole of the window: conversations at the left, the chat beside them. In a narrow window the
// conversations are a drawer.
Item {
    id: root

    required property WindowModel model
    required property bool narrow
    required property bool sidebarShown

    signal sidebarToggled()

    function startNew() { root.model.chat.openNew(); drawer.close(); chat.write() }
    function toggleSidebar() { root.narrow ? (drawer.opened ? drawer.close() : drawer.open()) : root.sidebarToggled() }
    function find() { root.narrow ? drawer.open() : undefined; root.narrow ? drawerList.find() : sidebar.find() }
    function attach() { chat.attach() }
    function write() { chat.write() }
    function editLast() { chat.editLast() }
    function goToEnd() { chat.goToEnd() }

    Sidebar {
        id: sidebar
        width: Theme.sidebarWidth
        height: parent.height
        anchors { left: parent.left; leftMargin: root.narrow || !root.sidebarShown ? -width : 0 }
        visible: anchors.leftMargin > -width
        model: root.model
        onNewChat: root.startNew()
        onClosed: root.toggleSidebar()
        Behavior on anchors.leftMargin { NumberAnimation { duration: Theme.quick; easing.type: Easing.OutCubic } }
    }

    Drawer {
        id: drawer
        edge: root.model.mirrored ? Qt.RightEdge : Qt.LeftEdge
        width: Math.min(root.width - 48, 320)
        height: root.height
        interactive: root.narrow
        T.Overlay.modal: Rectangle { color: Theme.shade }
        background: Rectangle { color: Theme.sidebar }

        Sidebar {
            id: drawerList
            anchors.fill: parent
            model: root.model
            onNewChat: root.startNew()
            onClosed: drawer.close()
            onPicked: drawer.close()
        }
    }

    ChatPage {
        id: chat
        anchors {
            left: sidebar.right
            right: parent.right
            top: parent.top
            bottom: parent.bottom
        }
        model: root.model
        sidebarOpen: sidebar.visible
        onMenuClicked: root.toggleSidebar()
        onNewChat: root.startNew()
    }

    DropOverlay {
        anchors.fill: parent
        onFilesDropped: urls => root.model.composer.addFiles(urls)
    }

    TransferDialog { objectName: "transferDialog"; transfer: root.model.transfer }

    Toast {
        id: toast
        anchors {
            horizontalCenter: chat.horizontalCenter
            bottom: parent.bottom
            bottomMargin: 120
        }
        maximumWidth: root.width - 2 * Theme.huge
        onUndone: root.model.undo()
    }

    Connections {
        target: root.model
        function onExportWanted(conversation, title) { (root.narrow ? drawerList : sidebar).exportChat(conversation, title) }
        function onToast(sentence, undo) { toast.show(sentence, undo) }
    }
}
