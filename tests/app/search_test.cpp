// Finding words: every script, every substring, and still right where the index is not.
#include "app/store/conversation_store.h"
#include "app/store/search_text.h"
#include "app/store/statement.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string_view>

using namespace perilune;

namespace {

Message said(Role role, const std::string &text)
{
    Message message;
    message.role = role;
    message.parts.emplace_back(TextPart{text});
    return message;
}

/// Up to `longest` characters of Chinese, Japanese and Korean, with some Latin and marks between.
QString cjk(std::mt19937 &random, int longest)
{
    static const QString letters =
        QStringLiteral("的一是不了人我在有他这中大来上国指针悬空字漢𠮷𪚥"
                       "あいうえおがぎぐアイウエオガギパピ한국어글말하늘가나다aB1_。、%\"");
    QList<uint> points;
    const QList<uint> all = letters.toUcs4();
    for (int left = std::uniform_int_distribution(1, longest)(random); left > 0; --left)
        points.append(all[std::uniform_int_distribution<qsizetype>(0, all.size() - 1)(random)]);
    return QString::fromUcs4(reinterpret_cast<const char32_t *>(points.constData()), points.size());
}

} // namespace

class SearchTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void findsAnyScript_data();
    void findsAnyScript();
    void findsEverySubstringOfChinese();
    void marksWhatWasFound();
    void allWordsMustBeThere();
    void filters();
    void filtersLimitWhatIsRead();
    void thoughtsCallsAndNamesOfFiles();
    void whatIsDeletedIsNotFound();
    void damagedIndexStillFinds();
    void brokenUtf8IsSearched();

private:
    std::size_t hits(const std::string &needle) { return m_store->search(needle, 100)->size(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ConversationStore> m_store;
};

void SearchTest::init()
{
    m_store.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::move(*ConversationStore::open(m_folder->path().toStdString()));
}

void SearchTest::findsAnyScript_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found");   // what must find it, split by |
    QTest::addColumn<QString>("missing"); // what must not

    QTest::newRow("Chinese") << "指针悬空了" << "指|悬空|针悬空|指针悬空了" << "空悬|悬空指";
    QTest::newRow("Japanese") << "ガラスの靴とハハ" << "ガ|ガラ|の靴|ハハ|ｶﾞﾗｽ" << "カラス|パパ";
    QTest::newRow("Korean") << "한국어를 배워요" << "한|국어|배워" << "한어|배우";
    QTest::newRow("Korean, taken apart")
        << QStringLiteral("\u1112\u1161\u11ab\u1100\u116e\u11a8") << "한국|한" << "하국";
    QTest::newRow("Arabic") << "مُحَمَّد يكتب إلى القـــاهرة" << "محمد|الى|القاهره|القاهرة|كتب" << "احمد";
    QTest::newRow("Hebrew") << "שָׁלוֹם" << "שלום" << "שלומ";
    QTest::newRow("accents") << "Çà et là: naïve Łódź, Straße, ﬁn" << "ca et|naive|NAÏVE|lodz|STRASSE|fin"
                             << "nave";
    QTest::newRow("accents apart") << QStringLiteral("re\u0301sume\u0301") << "résumé|resume" << "resumee";
    QTest::newRow("Greek, Russian, Turkish")
        << "ΟΔΟΣ Ёлка İstanbul" << "οδος|οδοσ|елка|ЁЛКА|istanbul" << "одос";
    QTest::newRow("width") << "ＦＵＬＬ　ｗｉｄｔｈ１２" << "full|width12" << "fullwidth";
    QTest::newRow("Hindi") << "हिन्दी भाषा" << "हिन्दी|भाषा" << "भूषा";
    QTest::newRow("Thai") << "ภาษาไทย" << "ไทย|ษา" << "ไทยภ";
    QTest::newRow("identifiers") << "auto m = std::map<K,V>::find_if(kMaxSize);"
                                 << "find_if|::find|map<K|maxsize|_if(|>::|;"
                                 << "findif|find-if";
    QTest::newRow("special") << R"(100%_sure "quoted" \d+ C++ a*b NOT (x OR y) ^$ -- ' # {} ~)"
                             << R"(100%|%_|\d|c++|a*b|not (x|(x|or y)|^$|--|'|#|{}|~|"|"qu|+)"
                             << "100x|a?b|___";
    QTest::newRow("emoji") << "done 👍🏽 and 👨‍👩‍👧"
                           << "👍|👍🏽|👨‍👩‍👧|done 👍" << "👎";
    QTest::newRow("Latin, short") << "The quick brown fox" << "q|ui|qui|x|uick bro|\"uick bro\""
                                  << "\"brown quick\"|zz";
}

void SearchTest::findsAnyScript()
{
    QFETCH(QString, text);
    QFETCH(QString, found);
    QFETCH(QString, missing);
    QVERIFY(m_store->append(*m_store->create("chat"), 0, said(Role::Assistant, text.toStdString())));

    for (const QString &needle : found.split('|'))
        QVERIFY2(hits(needle.toStdString()) == 1, qPrintable(needle));
    for (const QString &needle : missing.split('|'))
        QVERIFY2(hits(needle.toStdString()) == 0, qPrintable(needle));
}

void SearchTest::findsEverySubstringOfChinese()
{
    std::mt19937 random(20261201);
    QStringList texts;
    const ConversationId id = *m_store->create("-"); // a title of its own, which nothing here finds
    MessageId last = 0;
    for (int i = 0; i < 60; ++i) {
        texts += cjk(random, 40);
        last = m_store->append(id, last, said(Role::User, texts.back().toStdString()))->id;
    }
    while (*m_store->indexMessages(25)) {
    }
    QCOMPARE(*m_store->database().integer("SELECT count(*) FROM message WHERE indexed = 0"), std::int64_t(0));

    for (const QString &text : texts) {
        const QList<uint> points = text.toUcs4();
        for (int trial = 0; trial < 12; ++trial) {
            const auto begin = std::uniform_int_distribution<qsizetype>(0, points.size() - 1)(random);
            const auto length = std::uniform_int_distribution<qsizetype>(1, points.size() - begin)(random);
            const QString needle =
                QString::fromUcs4(reinterpret_cast<const char32_t *>(points.constData()) + begin, length);
            const auto expected = std::ranges::count_if(
                texts, [&needle](const QString &any) { return any.contains(needle, Qt::CaseInsensitive); });
            const bool plain = !needle.contains('"'); // a pair of them is syntax
            QVERIFY2(!plain || hits(needle.toStdString()) == std::size_t(expected), qPrintable(needle));
        }
    }
}

void SearchTest::marksWhatWasFound()
{
    const std::string text =
        std::string(300, 'x') + " das Straßenfest und die STRASSE " + std::string(300, 'y');
    QVERIFY(m_store->append(*m_store->create("chat"), 0, said(Role::User, text)));

    const auto found = m_store->search("strasse", 10);

    QCOMPARE(found->size(), std::size_t(1));
    const ConversationStore::Hit &hit = found->front();
    QVERIFY(hit.excerpt.starts_with("…"));
    QVERIFY(hit.excerpt.ends_with("…"));
    QCOMPARE(hit.marks.size(), std::size_t(2));
    const auto marked = [&hit](std::size_t i) {
        return hit.excerpt.substr(hit.marks[i].first, hit.marks[i].second - hit.marks[i].first);
    };
    QCOMPARE(marked(0), std::string("Straße"));
    QCOMPARE(marked(1), std::string("STRASSE"));
}

void SearchTest::allWordsMustBeThere()
{
    const ConversationId id = *m_store->create("Garden plans");
    const MessageId first = m_store->append(id, 0, said(Role::User, "tomatoes and basil"))->id;
    QVERIFY(m_store->append(id, first, said(Role::Assistant, "basil needs sun")));

    QCOMPARE(hits("basil"), std::size_t(2));
    QCOMPARE(hits("basil tomato"), std::size_t(1));
    QCOMPARE(hits("basil garlic"), std::size_t(0));
    QCOMPARE(hits("plans garden"), std::size_t(1));
    QCOMPARE(m_store->search("garden", 1)->front().message, MessageId(0));
    QCOMPARE(hits("   "), std::size_t(0));
}

void SearchTest::filters()
{
    const ConversationId plain = *m_store->create("one");
    const ConversationId sorted = *m_store->create("two");
    const MessageId asked = m_store->append(plain, 0, said(Role::User, "moon"))->id;
    QVERIFY(m_store->append(sorted, 0, said(Role::User, "moon")));
    QVERIFY(m_store->append(plain, asked, said(Role::Assistant, "moon")));
    const FolderId folder = *m_store->folder("Space");
    QVERIFY(m_store->moveToFolder(sorted, folder));
    QVERIFY(m_store->addTag(plain, "night"));

    const auto count = [this](const std::function<void(ConversationStore::SearchQuery &)> &narrow) {
        ConversationStore::SearchQuery query;
        query.text = "moon";
        narrow(query);
        return m_store->search(query)->size();
    };

    QCOMPARE(count([](auto &) {}), std::size_t(3));
    QCOMPARE(count([folder](auto &query) { query.folder = folder; }), std::size_t(1));
    QCOMPARE(count([](auto &query) { query.tag = "night"; }), std::size_t(2));
    QCOMPARE(count([](auto &query) { query.role = Role::Assistant; }), std::size_t(1));
    QCOMPARE(count([](auto &query) { query.beforeMs = 1; }), std::size_t(0));
    QCOMPARE(count([](auto &query) { query.fromMs = nowMs() - 60'000; }), std::size_t(3));
}

/// A word that is everywhere, where few may be shown: what is read grows with the few.
void SearchTest::filtersLimitWhatIsRead()
{
    constexpr int messages = 3000;
    std::vector<StoredMessage> tree;
    for (int at = 0; at < messages; ++at) {
        StoredMessage message;
        message.id = at + 1;
        message.parent = at;
        message.message =
            said(at % 2 ? Role::Assistant : Role::User, at % 2 ? "common answer" : "common question");
        message.createdMs = message.finishedMs = 1000 + at;
        tree.push_back(std::move(message));
    }
    const ConversationId large = *m_store->import("large", {}, tree, 0);
    const ConversationId small = *m_store->create("small");
    QVERIFY(m_store->append(small, 0, said(Role::User, "common too")));
    QVERIFY(m_store->addTag(small, "rare"));
    for (Result<bool> more = true; more && *more;)
        more = m_store->indexMessages(1000);
    int read = 0;
    const auto count = [](unsigned, void *counter, void *statement, void *) {
        const char *sql = sqlite3_sql(static_cast<sqlite3_stmt *>(statement));
        if (sql && std::string_view(sql).find("FROM part WHERE message_id") != std::string_view::npos)
            ++*static_cast<int *>(counter);
        return 0;
    };
    sqlite3_trace_v2(m_store->database().handle(), SQLITE_TRACE_ROW, count, &read);

    ConversationStore::SearchQuery query;
    query.text = "common";
    query.tag = "rare";
    QCOMPARE(m_store->search(query)->size(), std::size_t(1));
    QVERIFY(read <= 2);
    query.tag = "none";
    QCOMPARE(m_store->search(query)->size(), std::size_t(0));
    QVERIFY(read <= 2);

    query = {};
    query.text = "common";
    query.role = Role::Assistant; // half of all: more than are looked at one by one
    const auto answers = *m_store->search(query);
    QCOMPARE(answers.size(), std::size_t(50));
    QVERIFY(std::ranges::all_of(answers, [](const auto &hit) { return hit.role == Role::Assistant; }));
    QVERIFY(std::ranges::is_sorted(answers, std::greater(), &ConversationStore::Hit::message));
    QVERIFY(read <= 60);
    query.text = "question";
    QVERIFY(m_store->search(query)->empty());
    QVERIFY(read <= 60);
    query.role.reset();
    query.fromMs = 1000;
    query.beforeMs = 1000 + messages - 1; // but for the last one
    query.text = "answer";
    QCOMPARE(m_store->search(query)->front().timeMs, std::int64_t(1000 + messages - 3));
    QVERIFY(large != small);
}

void SearchTest::thoughtsCallsAndNamesOfFiles()
{
    QFile file(m_folder->filePath("x.png"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("bytes");
    file.close();
    Message message = said(Role::Assistant, "answer");
    message.parts.emplace_back(ThinkingPart{"pondering"});
    message.parts.emplace_back(ToolCallPart{"id", "get_weather", R"({"city":"Oslo"})"});
    MediaPart part;
    part.path = file.fileName().toStdString();
    part.name = "Holiday Ünder.png";
    message.parts.emplace_back(part);
    QVERIFY(m_store->append(*m_store->create("chat"), 0, message));

    const std::pair<const char *, ConversationStore::Hit::Place> cases[] = {
        {"ponder",  ConversationStore::Hit::Place::Thinking  },
        {"oslo",    ConversationStore::Hit::Place::ToolCall  },
        {"weather", ConversationStore::Hit::Place::ToolCall  },
        {"under",   ConversationStore::Hit::Place::Attachment},
    };
    for (const auto &[needle, place] : cases) {
        const auto found = m_store->search(needle, 5);
        QCOMPARE(found->size(), std::size_t(1));
        QCOMPARE(found->front().place, place);
    }
}

void SearchTest::whatIsDeletedIsNotFound()
{
    const ConversationId id = *m_store->create("chat");
    const MessageId first = m_store->append(id, 0, said(Role::User, "kept words"))->id;
    const MessageId second = m_store->append(id, first, said(Role::User, "lost words"))->id;
    QCOMPARE(hits("words"), std::size_t(2));

    QVERIFY(m_store->removeBranch(second));
    QCOMPARE(hits("words"), std::size_t(1));
    QVERIFY(m_store->restoreBranches({second}));
    QCOMPARE(hits("words"), std::size_t(2));
    QVERIFY(m_store->removeBranch(second));
    QVERIFY(m_store->emptyBin(nowMs() + 1));

    QCOMPARE(hits("words"), std::size_t(1));
    // Nothing of it is left in the index either.
    QCOMPARE(*m_store->database().integer(
                 "SELECT count(*) FROM search_index WHERE search_index MATCH '\"los\" AND \"ost\"'"),
             std::int64_t(0));
}

void SearchTest::damagedIndexStillFinds()
{
    QVERIFY(m_store->append(*m_store->create("chat"), 0, said(Role::User, "指针悬空了")));
    while (*m_store->indexMessages(10)) {
    }
    QVERIFY(m_store->database().run("UPDATE search_index_data SET block = x'ffffffffffffffff'"));
    m_store = std::move(*ConversationStore::open(m_folder->path().toStdString()));

    QCOMPARE(hits("悬空"), std::size_t(1));
    const Result<CheckReport> report = m_store->check();
    for (const CheckReport::Finding &finding : report->findings)
        QVERIFY2(finding.repaired, finding.what.c_str());
    QCOMPARE(report->findings.size(), std::size_t(1));
    QCOMPARE(hits("悬空"), std::size_t(1));
    QVERIFY(m_store->check()->findings.empty());
}

void SearchTest::brokenUtf8IsSearched()
{
    QVERIFY(m_store->append(*m_store->create("chat"), 0, said(Role::User, "ab\xff\xfe cd \xe4\xb8 end")));

    QCOMPARE(hits("cd"), std::size_t(1));
    QCOMPARE(hits("end"), std::size_t(1));
}

QTEST_GUILESS_MAIN(SearchTest)
#include "search_test.moc"
