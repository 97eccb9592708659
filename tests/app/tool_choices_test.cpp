// Which tools are on in which chats, and what was approved.
#include "app/tools/builtin_tools.h"
#include "app/tools/tool_choices.h"
#include "tests/support/test_tool.h"

#include <QTest>

using namespace perilune;
using Lines = std::vector<std::string>;

namespace {

/// "a" and "b", which are usually on, and "c", which isn't.
ToolRegistry threeTools()
{
    const auto nothing = [](const JsonValue &, const std::stop_token &) { return ToolResult{}; };
    ToolRegistry registry;
    for (const char *name : {"a", "b", "c"}) {
        if (!registry.add(std::make_shared<test::TestTool>(nothing, name),
                          *name == 'c' ? Usually::Off : Usually::On))
            qFatal("a tool was refused");
    }
    return registry;
}

} // namespace

class ToolChoicesTest : public QObject {
    Q_OBJECT

private slots:
    void anotherProgramsYesIsKept();
    void choicesOutliveTheProgram();
    void everyToolHasASwitch();
};

void ToolChoicesTest::choicesOutliveTheProgram()
{
    std::string kept;
    const auto keep = [&kept](const std::string &json) { kept = json; };
    const ToolRegistry registry = threeTools();
    ToolChoices choices({}, keep);
    choices.setOn(0, true);
    choices.adopt(7);
    QCOMPARE(choices.toolsOn(7, registry), (Lines{"a", "b"}));
    QVERIFY(choices.toolsOn(0, registry).empty());
    choices.setTool(9, "c", true, registry);
    choices.approve(7, "a", Approval::ThisChat);
    choices.approve(7, "b", Approval::Always);
    choices.approve(7, "c", Approval::Once);
    const ToolChoices again(kept, keep);
    QCOMPARE(again.toolsOn(7, registry), (Lines{"a", "b"}));
    QCOMPARE(again.toolsOn(9, registry), (Lines{"c"}));
    QVERIFY(again.toolsOn(8, registry).empty());
    QVERIFY(again.approved(7, "a") && !again.approved(8, "a"));
    QVERIFY(again.approved(8, "b") && !again.approved(7, "c"));
    ToolChoices parked({}, keep); // a chat that is sent and out of view before it is one
    parked.setTool(0, "c", true, registry);
    parked.adopt(-3);
    QVERIFY(parked.toolsOn(0, registry).empty() && kept.find("-3") == std::string::npos);
    parked.setTool(0, "a", true, registry);
    parked.adopt(8, -3);
    QCOMPARE(parked.toolsOn(8, registry), (Lines{"c"}));
    QCOMPARE(parked.toolsOn(0, registry), (Lines{"a"}));
    parked.adopt(-4, 8);
    parked.adopt(0, -4); // comes back where something else has begun
    QCOMPARE(parked.toolsOn(0, registry), (Lines{"a"}));
    for (const char *nonsense : {"", "[]", "{\"on\":3,\"approved\":[1],\"always\":{},\"chosen\":[7]}", "{",
                                 "{\"chosen\":{\"7\":[\"a\"]}}"})
        QVERIFY(ToolChoices(nonsense, keep).toolsOn(7, registry).empty());
}

void ToolChoicesTest::everyToolHasASwitch()
{
    const ToolRegistry registry = threeTools();
    std::string kept;
    ToolChoices choices({}, [&kept](const std::string &json) { kept = json; });
    const auto switchTool = [&](const char *tool, bool on) {
        kept.clear();
        choices.setTool(7, tool, on, registry);
        return choices.toolsOn(7, registry);
    };
    QCOMPARE(switchTool("c", true), (Lines{"c"})); // from off: this one and no other
    QCOMPARE(switchTool("a", true), (Lines{"a", "c"}));
    QCOMPARE(switchTool("a", true), (Lines{"a", "c"}));
    QVERIFY(kept.empty()); // nothing changed
    QCOMPARE(switchTool("b", true), (Lines{"a", "b", "c"}));
    QCOMPARE(switchTool("c", false), (Lines{"a", "b"})); // the usual ones again
    QVERIFY(kept.find("\"chosen\": {}") != std::string::npos);
    QCOMPARE(switchTool("unknown", true), (Lines{"a", "b"}));
    QCOMPARE(switchTool("a", false), (Lines{"b"}));
    QCOMPARE(switchTool("b", false), Lines());
    QVERIFY(kept.find("\"on\": []") != std::string::npos);
    // A tool that was chosen and isn't there any more is off, and comes back with the program that has it.
    choices.setTool(7, "c", true, registry);
    QVERIFY(choices.toolsOn(7, builtinTools()).empty());
    QCOMPARE(choices.toolsOn(7, registry), (Lines{"c"}));
}

void ToolChoicesTest::anotherProgramsYesIsKept()
{
    // Two programs with the same file in memory; each is told something by the person.
    std::string window, terminal;
    ToolChoices first({}, [&window](const std::string &json) { window = json; });
    ToolChoices second({}, [&terminal](const std::string &json) { terminal = json; });
    second.approve(0, "calculator", Approval::Always);
    second.approve(5, "read_file", Approval::ThisChat);
    first.approve(5, "search_chats", Approval::ThisChat);
    first.setOn(7, true);

    const ToolChoices both(ToolChoices::withApprovalsOf(window, terminal));

    QVERIFY(both.approved(3, "calculator"));
    QVERIFY(both.approved(5, "read_file") && both.approved(5, "search_chats"));
    QVERIFY(!both.approved(6, "read_file"));
    QVERIFY(!both.toolsOn(7, threeTools()).empty());
    QVERIFY(ToolChoices(ToolChoices::withApprovalsOf(window, "{ damaged")).approved(5, "search_chats"));
}

QTEST_GUILESS_MAIN(ToolChoicesTest)
#include "tool_choices_test.moc"
