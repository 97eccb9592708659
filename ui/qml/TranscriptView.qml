import QtQuick
import QtQuick.Controls.Basic
import Qt.labs.qmlmodels
import Perilune

// What was said. It follows its end until someone scrolls away from it, and never moves while they read.
Item {
    id: root

    required property Chat chat

    signal pictureOpened(string source, string name)
    signal editWanted(var message)
    signal detailsWanted(string details)

    function goToEnd() { list.following = true; scroller.goToEnd() }

    ListView {
        id: list

        property bool following: true
        property int foundRow: -1 // what was searched for
        readonly property bool nearEnd: contentHeight + originY - contentY - height < 48

        anchors.fill: parent
        clip: true
        reuseItems: true
        cacheBuffer: 1200
        boundsBehavior: Flickable.StopAtBounds
        maximumFlickVelocity: 6000
        model: root.chat.transcript
        topMargin: Theme.small
        activeFocusOnTab: count > 0
        currentIndex: list.foundRow
        highlightFollowsCurrentItem: true
        highlightMoveDuration: 0
        highlightResizeDuration: 0
        highlight: Item {
            Rectangle {
                anchors { fill: parent; topMargin: 4; bottomMargin: -6; leftMargin: 4; rightMargin: 12 }
                radius: Theme.radius
                color: Theme.accentSoft
            }
        }
        Accessible.role: Accessible.List
        Accessible.name: qsTr("Messages")
        onMovementStarted: list.following = false
        onMovementEnded: list.following = list.nearEnd
        onContentHeightChanged: list.following ? scroller.goToEnd() : undefined
        onHeightChanged: list.following ? scroller.goToEnd() : undefined
        Keys.onPressed: event => event.accepted = scroller.handleKey(event.key)

        ScrollBar.vertical: SlimScrollBar {
            onPressedChanged: list.following = !pressed && list.nearEnd
        }

        delegate: DelegateChooser {
            role: "kind"
            DelegateChoice { roleValue: RowKind.UserText; UserTextBlock { } }
            DelegateChoice {
                roleValue: RowKind.Unread
                UnreadBlock { onWanted: root.chat.read(message) }
            }
            DelegateChoice {
                roleValue: RowKind.Media
                MediaBlock { onOpened: (source, name) => root.pictureOpened(source, name) }
            }
            DelegateChoice {
                roleValue: RowKind.Markdown
                MarkdownBlock {
                    onLinkClicked: url => root.chat.openLink(url)
                    onLinkHovered: url => linkBar.text = url
                }
            }
            DelegateChoice {
                roleValue: RowKind.Quote
                QuoteBlock {
                    onLinkClicked: url => root.chat.openLink(url)
                    onLinkHovered: url => linkBar.text = url
                }
            }
            DelegateChoice {
                roleValue: RowKind.Table
                TableBlock {
                    onLinkClicked: url => root.chat.openLink(url)
                    onLinkHovered: url => linkBar.text = url
                }
            }
            DelegateChoice { roleValue: RowKind.Rule; RuleBlock { } }
            DelegateChoice {
                roleValue: RowKind.Code
                CodeBlock { onCopied: root.chat.copyText(text) }
            }
            DelegateChoice {
                roleValue: RowKind.Formula
                FormulaBlock { onCopied: root.chat.copyText(text) }
            }
            DelegateChoice {
                roleValue: RowKind.Thinking
                ThinkingBlock { onToggled: root.chat.transcript.setExpanded(index, !expanded) }
            }
            DelegateChoice {
                roleValue: RowKind.ToolCall
                ToolBlock {
                    iconName: "tool"
                    onToggled: root.chat.transcript.setExpanded(index, !expanded)
                    onDecided: answer => root.chat.decide(message, call, answer)
                }
            }
            DelegateChoice {
                roleValue: RowKind.ToolResult
                ToolBlock { iconName: "check"; onToggled: root.chat.transcript.setExpanded(index, !expanded) }
            }
            DelegateChoice {
                roleValue: RowKind.Failure
                FailureBlock {
                    enabled: !root.chat.busy
                    onRetried: root.chat.answerAgain(message)
                    onOnwardWanted: root.chat.goOn(message)
                }
            }
            DelegateChoice {
                roleValue: RowKind.Notice
                NoticeBlock {
                    required property var message
                    busy: root.chat.busy
                    onOnwardWanted: root.chat.goOn(message)
                }
            }
            DelegateChoice {
                roleValue: RowKind.Actions
                ActionsBlock {
                    busy: root.chat.busy
                    onCopied: root.chat.copyMessage(message)
                    onRetried: root.chat.answerAgain(message)
                    onBranchWanted: step => root.chat.showBranch(message, step)
                    onDetailsWanted: root.detailsWanted(text)
                    onEditWanted: root.editWanted(message)
                    onForkWanted: root.chat.fork(message)
                    onKeepWanted: root.chat.keepOnlyThis()
                    onRemoveWanted: root.chat.removeMessage(message)
                }
            }
            DelegateChoice {
                roleValue: RowKind.QuestionActions
                QuestionActionsBlock {
                    busy: root.chat.busy
                    onAnswerWanted: root.chat.answer(message)
                    onCopied: root.chat.copyMessage(message)
                    onBranchWanted: step => root.chat.showBranch(message, step)
                    onEditWanted: root.editWanted(message)
                    onForkWanted: root.chat.fork(message)
                    onRemoveWanted: root.chat.removeMessage(message)
                }
            }
        }

        footer: StatusLine {
            width: ListView.view.width
            shown: root.chat.busy
            writing: root.chat.writing
            text: root.chat.status
            progress: root.chat.progress
        }
    }

    TranscriptScroller {
        id: scroller
        view: list
        transcript: root.chat.transcript
        onMoved: list.following = list.nearEnd
        onArrived: row => list.foundRow = row
    }

    Connections {
        target: root.chat
        function onShown() { list.foundRow = -1; list.following = true; scroller.goToEnd() }
        function onSent() { list.foundRow = -1; list.following = true; scroller.goToEnd() }
        function onFound(row) { list.foundRow = -1; list.following = false; scroller.goToRow(row) }
    }

    IconButton {
        anchors { horizontalCenter: parent.horizontalCenter; bottom: parent.bottom; bottomMargin: Theme.medium }
        visible: !list.nearEnd && !list.following
        iconName: "down"
        text: qsTr("Go to the end")
        onClicked: root.goToEnd()
        background: Rectangle {
            radius: 17
            color: Theme.raised
            border { width: 1; color: Theme.strongLine }
        }
    }

    Rectangle {
        anchors { left: parent.left; bottom: parent.bottom; margins: Theme.small }
        visible: linkBar.text.length > 0
        width: linkBar.width + 16
        height: linkBar.height + 8
        radius: 6
        color: Theme.raised
        border { width: 1; color: Theme.line }
        Text {
            id: linkBar
            x: 8
            y: 4
            width: Math.min(implicitWidth, root.width - 48)
            textFormat: Text.PlainText
            elide: Text.ElideMiddle
            color: Theme.muted
            font.pixelSize: Theme.captionSize
        }
    }
}
