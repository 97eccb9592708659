// What must hold of the documents of any chat.
#include "app/export/html.h"
#include "app/export/json.h"
#include "app/export/markdown.h"
#include "app/markdown/blocks.h"
#include "tests/support/random_chat.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <set>

using namespace perilune;

namespace {

constexpr unsigned kChats = 120;

ExportedChat randomChat(unsigned seed, const ExportChoices &choices)
{
    std::mt19937 random(seed);
    const std::vector<StoredMessage> tree = test::randomTree(random);
    StoredConversation conversation;
    conversation.row.title = "A *title* with <marks> & 中文";
    conversation.path = test::randomPath(tree, random);
    return chosen(conversation, tree, choices);
}

/// The sources of all blocks, in order.
std::vector<std::string> blocksOf(std::string_view text)
{
    std::vector<std::string> sources;
    for (const MarkdownBlock &block : markdownBlocks(text))
        sources.emplace_back(text.substr(block.begin, block.end - block.begin));
    return sources;
}

/// The blocks of all messages, in the order in which they are exported.
std::vector<std::string> blocksOfMessages(const ExportedChat &chat)
{
    std::vector<std::string> blocks;
    for (const ExportSection &section : sectionsOf(chat)) {
        for (const StoredMessage *message : section.messages) {
            // Parts side by side are one text: a list may go on from one to the next.
            std::string text;
            for (const Part &part : message->message.parts) {
                text += withClosedFence(std::get<TextPart>(part).text);
                text += text.ends_with('\n') ? "\n" : "\n\n";
            }
            for (std::string &source : blocksOf(text))
                blocks.push_back(std::move(source));
        }
    }
    return blocks;
}

QString readable(const std::vector<std::string> &lines)
{
    QString text;
    for (const std::string &line : lines)
        text += QString::fromStdString(line) + "\n%%\n";
    return text;
}

/// The text that a browser shows of `html`, without blanks.
QString shownText(QString html)
{
    static const QRegularExpression head("<head>.*</head>", QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression tag("<[^>]*>");
    html.remove(head).remove(tag);
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    static const QRegularExpression blanks("\\s");
    return html.remove(blanks);
}

} // namespace

class ExportPropertyTest : public QObject {
    Q_OBJECT

private slots:
    void markdownHasTheBlocksOfEachMessage();
    void jsonComesBackTheSame();
    void everyMessageIsInOneSection();
    void htmlHasOnlyOurTags();
    void htmlShowsWhatPeopleWrote();
    void leavingToolsOutKeepsTheTreeWhole();
};

void ExportPropertyTest::markdownHasTheBlocksOfEachMessage()
{
    for (unsigned seed = 0; seed < kChats; ++seed) {
        ExportChoices choices;
        choices.allBranches = true;
        choices.thinking = choices.toolCalls = choices.statistics = false;
        const ExportedChat chat = randomChat(seed, choices);
        const std::vector<std::string> expected = blocksOfMessages(chat);

        const std::vector<std::string> found = blocksOf(toMarkdown(chat));

        // Between them stand our headings and notes; take out what isn't expected, in order.
        std::size_t next = 0;
        for (const std::string &source : found) {
            if (next < expected.size() && source == expected[next])
                ++next;
        }
        if (next != expected.size())
            QFAIL(qPrintable(QString("seed %1, block %2:\n").arg(seed).arg(next) +
                             readable({expected[next]}) + "in\n" + QString::fromStdString(toMarkdown(chat))));
        const auto ours = std::ranges::count_if(found, [](const std::string &source) {
            return source.starts_with("# ") || source.starts_with("## ") || source.starts_with("*(");
        });
        QVERIFY(static_cast<std::size_t>(ours) + expected.size() >= found.size()); // and nothing else
    }
}

void ExportPropertyTest::jsonComesBackTheSame()
{
    for (unsigned seed = 0; seed < kChats; ++seed) {
        const ExportedChat chat = randomChat(seed, {.allBranches = true});

        const Result<ImportedConversation> back = fromJson(toJson(chat));

        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->tree.size(), chat.tree.size());
        QCOMPARE(back->tip, chat.conversation.path.back().id);
        for (std::size_t i = 0; i < chat.tree.size(); ++i) {
            const StoredMessage &was = chat.tree[i];
            const StoredMessage &is = back->tree[i];
            QVERIFY(is.message == was.message);
            QCOMPARE(is.id, was.id);
            QCOMPARE(is.parent, was.parent);
            QCOMPARE(is.state, was.state);
            QCOMPARE(is.createdMs, was.createdMs);
            QCOMPARE(is.stats.has_value(), was.stats.has_value());
            if (was.stats)
                QCOMPARE(is.stats->summary.seed, was.stats->summary.seed);
        }
    }
}

void ExportPropertyTest::everyMessageIsInOneSection()
{
    for (unsigned seed = 0; seed < kChats; ++seed) {
        const ExportedChat chat = randomChat(seed, {.allBranches = true});
        std::set<MessageId> seen;
        for (const ExportSection &section : sectionsOf(chat)) {
            MessageId last = 0;
            for (const StoredMessage *message : section.messages) {
                QVERIFY(seen.insert(message->id).second);
                QVERIFY(last == 0 || message->parent == last);
                last = message->id;
            }
        }
        QCOMPARE(seen.size(), chat.tree.size());
        QCOMPARE(sectionsOf(randomChat(seed, {})).size(), std::size_t(1));
    }
}

void ExportPropertyTest::htmlHasOnlyOurTags()
{
    const std::set<QString> known = {
        "!doctype", "html",       "head",    "meta",    "style",   "title",  "body",   "h1",
        "h2",       "h3",         "h4",      "h5",      "h6",      "p",      "div",    "span",
        "time",     "pre",        "code",    "i",       "em",      "strong", "s",      "a",
        "br",       "hr",         "ul",      "ol",      "li",      "table",  "tr",     "th",
        "td",       "blockquote", "details", "summary", "article", "img",    "figure", "figcaption"};
    static const QRegularExpression tag("<(/?)([!a-zA-Z][a-zA-Z0-9]*)");
    for (unsigned seed = 0; seed < kChats; ++seed) {
        std::string document;
        const ExportTarget target{[&document](std::string_view piece) -> Status {
            document += piece;
            return Done{};
        }};
        QVERIFY(writeHtml(randomChat(seed, {.allBranches = true}), {}, target));
        const QString html = QString::fromStdString(document);
        QStringList open;
        for (const QRegularExpressionMatch &match : tag.globalMatch(html)) {
            const QString name = match.captured(2).toLower();
            QVERIFY2(known.contains(name), qPrintable(name));
            const bool single =
                name == "meta" || name == "br" || name == "hr" || name == "img" || name == "!doctype";
            if (match.captured(1).isEmpty() && !single)
                open += name;
            else if (!single)
                QCOMPARE(open.isEmpty() ? QString() : open.takeLast(), name);
        }
        QVERIFY(open.isEmpty());
        QVERIFY(!html.contains("javascript:"));
    }
}

void ExportPropertyTest::htmlShowsWhatPeopleWrote()
{
    for (unsigned seed = 0; seed < kChats; ++seed) {
        const ExportedChat chat = randomChat(seed, {});
        std::string document;
        QVERIFY(writeHtml(chat, {}, {[&document](std::string_view piece) -> Status {
                              document += piece;
                              return Done{};
                          }}));
        const QString shown = shownText(QString::fromStdString(document));
        for (const StoredMessage &message : chat.conversation.path) {
            for (const Part &part : message.message.parts) {
                const auto *text = std::get_if<TextPart>(&part);
                if (!text || message.message.role != Role::User)
                    continue;
                QString words = QString::fromStdString(text->text);
                words.remove(QRegularExpression("\\s"));
                QVERIFY2(shown.contains(words), qPrintable(words));
            }
        }
    }
}

void ExportPropertyTest::leavingToolsOutKeepsTheTreeWhole()
{
    for (unsigned seed = 0; seed < kChats; ++seed) {
        const ExportedChat chat =
            randomChat(seed, {.allBranches = true, .thinking = false, .toolCalls = false});
        std::set<MessageId> ids{0};
        for (const StoredMessage &message : chat.tree) {
            QVERIFY(message.message.role != Role::Tool);
            QVERIFY(ids.contains(message.parent));
            ids.insert(message.id);
            for (const Part &part : message.message.parts)
                QVERIFY(std::holds_alternative<TextPart>(part));
        }
    }
}

QTEST_GUILESS_MAIN(ExportPropertyTest)
#include "export_property_test.moc"
