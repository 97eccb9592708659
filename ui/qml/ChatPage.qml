import QtQuick
import QtQuick.Dialogs
import Perilune

// The chat: its header, what was said, and where to write.
Item {
    id: root

    required property WindowModel model
    required property bool sidebarOpen

    signal menuClicked()
    signal newChat()

    function attach() { files.open() }
    function write() { composer.forceActiveFocus() }
    function goToEnd() { transcript.goToEnd() }
    function edit(message) { editor.edit(message, root.model.chat.wordsOf(message), root.model.chat.isFromPerson(message)) }
    function editLast() { root.edit(root.model.chat.lastMessage(false)) }

    ChatHeader {
        id: header
        width: parent.width
        title: root.model.chat.empty ? "" : root.model.chat.title
        sidebarOpen: root.sidebarOpen
        empty: root.model.chat.empty
        temporary: root.model.chat.temporary
        onMenuClicked: root.menuClicked()
        onNewChat: root.newChat()
        onTemporaryWanted: wanted => (wanted ? root.model.chat.openTemporary() : root.model.chat.openNew(), root.write())
        onKeepWanted: root.model.chat.keepTemporary()
    }

    DiskFullBar {
        id: full
        objectName: "diskFullBar"
        anchors { top: header.bottom; left: parent.left; right: parent.right }
        disk: root.model.disk
    }

    NoticeBar {
        id: notices
        anchors { top: full.bottom; left: parent.left; right: parent.right }
        notices: root.model.notices
        onDismissed: index => root.model.dismissNotice(index)
    }

    TranscriptView {
        id: transcript
        anchors { top: notices.bottom; bottom: composer.top; left: parent.left; right: parent.right }
        visible: !root.model.chat.empty
        chat: root.model.chat
        onPictureOpened: (source, name) => viewer.show(source, name)
        onDetailsWanted: details => about.show(details)
        onEditWanted: message => root.edit(message)
    }

    EmptyState {
        anchors { top: notices.bottom; bottom: composer.top; left: parent.left; right: parent.right }
        visible: root.model.chat.empty
        temporary: root.model.chat.temporary
        modelName: root.model.engine.ready ? root.model.engine.modelName : ""
        onSampleChosen: (file, question) => (root.model.composer.trySample(file, question), root.write())
    }

    ComposerBar {
        id: composer
        anchors { bottom: parent.bottom; left: parent.left; right: parent.right }
        model: root.model
        focus: true
        onAttachClicked: root.attach()
    }

    FileDialog {
        id: files
        title: qsTr("Attach pictures and clips")
        fileMode: FileDialog.OpenFiles
        nameFilters: [
            qsTr("Pictures and clips (%1)").arg("*.png *.jpg *.jpeg *.webp *.bmp *.gif *.mp4 *.mov *.mkv *.webm *.avi *.m4v"),
            qsTr("All files (*)")
        ]
        onAccepted: root.model.composer.addFiles(selectedFiles)
    }

    PictureViewer { id: viewer }

    DetailsDialog { id: about; objectName: "detailsDialog"; onCopied: text => root.model.chat.copyText(text) }

    EditDialog { id: editor; onAccepted: (message, text) => root.model.chat.edit(message, text) }
}
