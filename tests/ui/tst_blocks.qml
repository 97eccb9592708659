import QtQuick
import QtTest
import Perilune

Item {
    id: stage
    width: 500
    height: 400

    Component { id: markdown; MarkdownBlock { found: ""; startsMessage: false; text: "<p><a href=\"https://example.org\">here is a link</a></p>"; width: 500 } }
    Component { id: thinking; ThinkingBlock { found: ""; startsMessage: true; index: 0; text: "one\ntwo"; label: "Thought for 4 seconds"; open: false; expanded: false; width: 500 } }
    Component { id: code; CodeBlock { found: ""; startsMessage: false; text: "# تعليق\nx = 1"; label: "python"; width: 500 } }
    Component { id: table; TableBlock { found: ""; startsMessage: false; columns: 12; text: "<table><tr><th>a</th></tr></table>"; width: 500 } }
    Component { id: actions; ActionsBlock { startsMessage: false; text: "seed 1"; label: "3 tokens"; message: 7; branch: 1; branches: 2; busy: false; width: 500 } }
    Component { id: failure; FailureBlock { startsMessage: false; text: "the device went away"; label: "Continue"; message: 7; width: 500 } }
    SignalSpy { id: spy }

    function findButton(item, name) {
        for (let at = 0; at < item.children.length; ++at) {
            const child = item.children[at]
            if (child.clicked !== undefined && child.text === name)
                return child
            const found = findButton(child, name)
            if (found)
                return found
        }
        return null
    }

    TestCase {
        name: "Blocks"
        when: windowShown

        function init() { spy.target = null; spy.clear() }

        function test_linkIsOnlyPassedOn() {
            const block = createTemporaryObject(markdown, stage)
            spy.signalName = "linkClicked"
            spy.target = block
            mouseClick(block, 40, block.gap + 8)
            compare(spy.count, 1)
            compare(spy.signalArguments[0][0], "https://example.org")
        }

        function test_thoughtsFold() {
            const block = createTemporaryObject(thinking, stage)
            const folded = block.implicitHeight
            spy.signalName = "toggled"
            spy.target = block
            const button = findButton(block, "Thought for 4 seconds")
            verify(button)
            mouseClick(button)
            compare(spy.count, 1)
            block.expanded = true
            verify(block.implicitHeight > folded + 20)
        }

        function test_thoughtsFoldByKeyboard() {
            const block = createTemporaryObject(thinking, stage)
            spy.signalName = "toggled"
            spy.target = block
            findButton(block, "Thought for 4 seconds").forceActiveFocus()
            keyClick(Qt.Key_Space)
            keyClick(Qt.Key_Return)
            compare(spy.count, 2)
        }

        function test_codeCopies() {
            const block = createTemporaryObject(code, stage)
            spy.signalName = "copied"
            spy.target = block
            mouseClick(findButton(block, "Copy code"))
            compare(spy.count, 1)
        }

        function test_wideTableScrollsInItself() {
            const block = createTemporaryObject(table, stage)
            compare(block.width, 500)
            verify(block.columnWidth <= 500)
        }

        function test_actionsKnowTheirBranch() {
            const block = createTemporaryObject(actions, stage)
            verify(findButton(block, "The branch before").enabled)
            verify(!findButton(block, "The branch after").enabled)
            spy.signalName = "branchWanted"
            spy.target = block
            mouseClick(findButton(block, "The branch before"))
            compare(spy.signalArguments[0][0], -1)
        }

        function test_failureOffersAWayOn() {
            const block = createTemporaryObject(failure, stage)
            spy.signalName = "retried"
            spy.target = block
            mouseClick(findButton(block, "Try again"))
            compare(spy.count, 1)
        }
    }
}
