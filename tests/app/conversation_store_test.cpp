#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>
#include <set>

#include <filesystem>
#include <sys/stat.h>

using namespace perilune;

namespace {

Message said(Role role, const std::string &text)
{
    Message message;
    message.role = role;
    message.parts.emplace_back(TextPart{text});
    return message;
}

ReplyPiece piece(const std::string &text)
{
    ReplyPiece made;
    made.text = text;
    return made;
}

std::string textOf(const StoredMessage &message)
{
    return message.message.parts.empty() ? "" : std::get<TextPart>(message.message.parts[0]).text;
}

void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class ConversationStoreTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void keepsEveryKindOfPart();
    void listsNewestUpdateFirst();
    void titleComesFromTheFirstWords_data();
    void titleComesFromTheFirstWords();
    void answerGrowsByPieces();
    void statisticsComeBack();
    void abandonedAnswerIsClosedWithItsText();
    void livingWritersAnswerIsLeftAlone();
    void treeOnlyGrows();
    void branchesAreFoundFromEachSide();
    void binKeepsAndRestores();
    void emptyBinRemovesForGood();
    void mediaAreCopiedOnceAndChecked();
    void draftsPerConversation();
    void choicesStayWithTheirMedia();
    void pipesAmongTheMediaAreMissing();
    void searchFindsAnyScript();
    void twoProgramsWriteSideBySide();
    void backupOpensAsAStore();
    void importKeepsTheTree();

private:
    std::unique_ptr<ConversationStore> open()
    {
        auto opened = ConversationStore::open(m_folder->path().toStdString());
        if (!opened)
            qWarning("%s", opened.error().message.c_str());
        return opened ? std::move(*opened) : nullptr;
    }
    MediaPart picture(const QString &name, const QByteArray &bytes)
    {
        writeFile(m_folder->filePath(name), bytes);
        MediaPart part;
        part.path = m_folder->filePath(name).toStdString();
        part.name = name.toStdString();
        return part;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void ConversationStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void ConversationStoreTest::keepsEveryKindOfPart()
{
    const auto store = open();
    Message message = said(Role::User, "héllo 世界 \xF0\x9F\x98\x80 \" ' ; --");
    message.name = "Ada";
    message.parts.emplace_back(picture("cat.png", "bytes"));
    const StoredMessage question = *store->appendUserMessage(0, 0, message);
    Message tool = said(Role::Tool, "-3 °C");
    tool.toolCallId = "functions.f:0";
    const StoredMessage result = *store->append(question.conversation, question.id, tool);

    const StoredConversation loaded = *open()->load(question.conversation);

    QCOMPARE(loaded.path.size(), std::size_t(2));
    Message expected = message;
    auto &media = std::get<MediaPart>(expected.parts[1]);
    media.path = std::get<MediaPart>(loaded.path[0].message.parts[1]).path;
    QVERIFY(loaded.path[0].message == expected);
    QVERIFY(QFile::exists(QString::fromStdString(media.path)));
    QVERIFY(loaded.path[1].message == tool);
    QCOMPARE(loaded.path[1].parent, question.id);
    QCOMPARE(loaded.path[1].id, result.id);
}

void ConversationStoreTest::listsNewestUpdateFirst()
{
    const auto store = open();
    const auto a = *store->create("a");
    const auto b = *store->create("b");
    QTest::qSleep(5);
    QVERIFY(store->append(a, 0, said(Role::User, "x")));

    const auto rows = *store->list();

    QCOMPARE(rows.size(), std::size_t(2));
    QCOMPARE(rows[0].id, a);
    QCOMPARE(rows[0].messages, std::uint64_t(1));
    QCOMPARE(rows[1].id, b);
}

void ConversationStoreTest::titleComesFromTheFirstWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("title");

    QTest::newRow("short") << "What is this?"
                           << "What is this?";
    QTest::newRow("first line") << "\n\n  One \ntwo"
                                << "One";
    QTest::newRow("cut at a word")
        << "Please explain to me in great detail how the engine of a ship is cooled"
        << "Please explain to me in great detail how the engine of a…";
    QTest::newRow("cut between characters")
        << QString(100, QChar(0x4e2d)) << QString(60, QChar(0x4e2d)) + "…";
}

void ConversationStoreTest::titleComesFromTheFirstWords()
{
    QFETCH(QString, text);
    QFETCH(QString, title);
    const auto store = open();

    const StoredMessage first = *store->appendUserMessage(0, 0, said(Role::User, text.toStdString()));
    QVERIFY(store->append(first.conversation, first.id, said(Role::User, "later words")));

    QCOMPARE(QString::fromStdString((*store->list())[0].title), title);
    QVERIFY(store->rename(first.conversation, "Mine"));
    QVERIFY(store->append(first.conversation, first.id, said(Role::User, "other words")));
    QCOMPARE((*store->list())[0].title, std::string("Mine"));
}

void ConversationStoreTest::answerGrowsByPieces()
{
    const auto store = open();
    const StoredMessage question = *store->appendUserMessage(0, 0, said(Role::User, "q"));
    const MessageId reply = *store->beginReply(question.conversation, question.id);
    ReplyPiece thought = piece("hm");
    thought.kind = ReplyPiece::Kind::Thinking;

    QVERIFY(store->checkpointReply(reply, std::vector{thought, piece("one "), piece("two ")}));
    const StoredMessage growing = *store->message(reply);
    QCOMPARE(growing.state, MessageState::Streaming);
    QCOMPARE(growing.message.parts, (std::vector<Part>{ThinkingPart{"hm"}, TextPart{"one two "}}));
    QVERIFY(store->checkpointReply(reply, std::vector{piece("three")}));
    const auto done = store->finishReply(reply, std::vector{piece("!")}, {});

    QVERIFY(done);
    QCOMPARE(done->message.parts, (std::vector<Part>{ThinkingPart{"hm"}, TextPart{"one two three!"}}));
    QCOMPARE(done->state, MessageState::Complete);
    QVERIFY(!store->finishReply(reply, {}, {})); // an answer ends once
    QCOMPARE(*store->database().integer("SELECT count(*) FROM reply_piece"), std::int64_t(0));
}

void ConversationStoreTest::statisticsComeBack()
{
    const auto store = open();
    const StoredMessage question = *store->appendUserMessage(0, 0, said(Role::User, "q"));
    const MessageId reply = *store->beginReply(question.conversation, question.id);
    ReplyStats stats;
    stats.model = "demo";
    stats.device = "llvmpipe";
    stats.sampling.temperature = 0.25f;
    stats.sampling.topK = 40;
    stats.maxNewTokens = 99;
    stats.summary.finish = ReplySummary::Finish::Length;
    stats.summary.promptTokens = 100;
    stats.summary.cachedTokens = 60;
    stats.summary.newTokens = 7;
    stats.summary.seed = 0xfedcba9876543210u; // the upper half of its range
    stats.summary.decodeSeconds = 1.5;
    stats.firstTokenSeconds = 0.5;

    QVERIFY(store->finishReply(reply, {}, {MessageState::Complete, {}, stats}));

    const auto loaded = store->message(reply)->stats;
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->model, stats.model);
    QCOMPARE(loaded->sampling.temperature, 0.25f);
    QCOMPARE(loaded->sampling.topK, 40u);
    QCOMPARE(loaded->maxNewTokens, 99u);
    QCOMPARE(loaded->summary.finish, ReplySummary::Finish::Length);
    QCOMPARE(loaded->summary.promptTokens, 100u);
    QCOMPARE(loaded->summary.cachedTokens, 60u);
    QCOMPARE(loaded->summary.newTokens, 7u);
    QCOMPARE(loaded->summary.seed, stats.summary.seed);
    QCOMPARE(loaded->summary.decodeSeconds, 1.5);
    QCOMPARE(loaded->firstTokenSeconds, 0.5);
}

void ConversationStoreTest::abandonedAnswerIsClosedWithItsText()
{
    MessageId reply = 0;
    {
        const auto store = open();
        const StoredMessage question = *store->appendUserMessage(0, 0, said(Role::User, "q"));
        reply = *store->beginReply(question.conversation, question.id);
        QVERIFY(store->checkpointReply(reply, std::vector{piece("half an ans")}));
    } // its writer is gone

    const StoredMessage closed = *open()->message(reply);

    QCOMPARE(closed.state, MessageState::Cancelled);
    QCOMPARE(textOf(closed), std::string("half an ans"));
    QCOMPARE(closed.note, std::string("Perilune ended before this answer was complete"));
}

void ConversationStoreTest::livingWritersAnswerIsLeftAlone()
{
    const auto window = open();
    const StoredMessage question = *window->appendUserMessage(0, 0, said(Role::User, "q"));
    const MessageId reply = *window->beginReply(question.conversation, question.id);
    QVERIFY(window->checkpointReply(reply, std::vector{piece("so far")}));

    const auto commandLine = open();
    const StoredMessage seen = *commandLine->message(reply);

    QCOMPARE(seen.state, MessageState::Streaming);
    QCOMPARE(textOf(seen), std::string("so far"));
    QVERIFY(window->finishReply(reply, std::vector{piece(" and on")}, {}));
    QCOMPARE(textOf(*commandLine->message(reply)), std::string("so far and on"));
}

void ConversationStoreTest::treeOnlyGrows()
{
    const auto store = open();
    std::mt19937 random(5);
    const ConversationId id = *store->create();
    std::vector<StoredMessage> known;
    for (int i = 0; i < 120; ++i) {
        const MessageId parent = known.empty() || random() % 8 == 0 ? 0 : known[random() % known.size()].id;
        known.push_back(
            *store->append(id, parent, said(i % 2 ? Role::Assistant : Role::User, std::to_string(i))));
        if (random() % 4 == 0)
            QVERIFY(store->selectBranch(known[random() % known.size()].id));
    }

    // Everything that was ever said is there, unchanged, and each message's path leads to its beginning.
    const auto tree = *store->loadTree(id);
    QCOMPARE(tree.size(), known.size());
    std::map<MessageId, StoredMessage> byId;
    for (std::size_t i = 0; i < known.size(); ++i) {
        QCOMPARE(tree[i].id, known[i].id);
        QCOMPARE(tree[i].parent, known[i].parent);
        QVERIFY(tree[i].message == known[i].message);
        byId[tree[i].id] = tree[i];
    }
    for (const StoredMessage &message : tree) {
        const auto path = *store->loadPath(message.id);
        QCOMPARE(path.back().id, message.id);
        QCOMPARE(path.front().parent, MessageId(0));
        for (std::size_t i = 1; i < path.size(); ++i)
            QCOMPARE(path[i].parent, path[i - 1].id);
        const auto siblings = *store->children(id, message.parent);
        QCOMPARE(message.branches, std::uint32_t(siblings.size()));
        QCOMPARE(siblings[message.branch], message.id);
    }
}

void ConversationStoreTest::branchesAreFoundFromEachSide()
{
    const auto store = open();
    const StoredMessage question = *store->appendUserMessage(0, 0, said(Role::User, "q"));
    const ConversationId id = question.conversation;
    const StoredMessage first = *store->append(id, question.id, said(Role::Assistant, "first"));
    const StoredMessage more = *store->append(id, first.id, said(Role::User, "more"));
    const StoredMessage second = *store->append(id, question.id, said(Role::Assistant, "second"));
    QCOMPARE(store->load(id)->path.back().id, second.id);

    QVERIFY(store->selectBranch(first.id));

    QCOMPARE(store->load(id)->path.back().id, more.id); // down to the end of that branch
    QCOMPARE(*store->children(id, question.id), (std::vector{first.id, second.id}));
}

void ConversationStoreTest::binKeepsAndRestores()
{
    const auto store = open();
    const StoredMessage question = *store->appendUserMessage(0, 0, said(Role::User, "q"));

    QVERIFY(store->remove(question.conversation));
    QVERIFY(store->list()->empty());
    QCOMPARE(store->list(ConversationStore::Which::Deleted)->size(), std::size_t(1));
    QVERIFY(store->restore(question.conversation));

    QCOMPARE(store->list()->size(), std::size_t(1));
    QCOMPARE(store->load(question.conversation)->path.size(), std::size_t(1));
    QCOMPARE(store->remove(4711).error().code, ErrorCode::NotFound);
}

void ConversationStoreTest::emptyBinRemovesForGood()
{
    const auto store = open();
    Message shared = said(Role::User, "shared");
    shared.parts.emplace_back(picture("shared.png", "shared bytes"));
    Message own = shared;
    own.parts.emplace_back(picture("own.png", "own bytes"));
    const StoredMessage kept = *store->appendUserMessage(0, 0, shared);
    const StoredMessage gone = *store->appendUserMessage(0, 0, own);
    const StoredMessage reply = *store->append(gone.conversation, gone.id, said(Role::Assistant, "a"));
    Q_UNUSED(reply)

    QVERIFY(store->remove(gone.conversation));
    QCOMPARE(*store->emptyBin(nowMs() - 1000), std::uint64_t(0)); // not old enough
    QCOMPARE(*store->emptyBin(nowMs() + 1000), std::uint64_t(1));

    QCOMPARE(store->load(gone.conversation).error().code, ErrorCode::NotFound);
    QCOMPARE(store->blobs().all()->size(), std::size_t(1));
    QVERIFY(store->load(kept.conversation)->path[0].note.empty());
    QVERIFY(store->check()->findings.empty());
}

void ConversationStoreTest::mediaAreCopiedOnceAndChecked()
{
    const auto store = open();
    Message message = said(Role::User, "twice");
    message.parts.emplace_back(picture("a.png", "abc"));
    message.parts.emplace_back(picture("b.png", "abc"));
    const StoredMessage stored = *store->appendUserMessage(0, 0, message);
    const std::string path = std::get<MediaPart>(stored.message.parts[1]).path;

    // SHA-256 of "abc", FIPS 180-2 appendix B.1
    const std::string name = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    QCOMPARE(*store->blobs().all(), std::vector{name});
    QVERIFY(path.ends_with("/media/ba/" + name));
    QVERIFY(store->blobs().verify(name));
    writeFile(QString::fromStdString(path), "abd");
    QCOMPARE(store->blobs().verify(name).error().code, ErrorCode::Corrupt);
    QVERIFY(!store->check()->sound());

    Message unreadable = said(Role::User, "x");
    MediaPart missing;
    missing.path = "/nowhere/x.png";
    unreadable.parts.emplace_back(missing);
    QCOMPARE(store->appendUserMessage(0, 0, unreadable).error().code, ErrorCode::NotFound);
    QCOMPARE(store->list()->size(), std::size_t(1)); // no conversation was begun for it
}

void ConversationStoreTest::draftsPerConversation()
{
    const auto store = open();
    const StoredMessage first = *store->appendUserMessage(0, 0, said(Role::User, "q"));
    MediaPart clip;
    clip.kind = MediaPart::Kind::Video;
    clip.path = "/home/me/a clip.mp4";
    clip.name = "a clip.mp4";
    const Draft begun{"unfin", {clip}};

    QVERIFY(store->saveDraft(0, begun));
    QVERIFY(store->saveDraft(first.conversation, {"other", {}}));
    QVERIFY(store->saveDraft(first.conversation, {"other words", {}}));

    const auto again = open();
    QVERIFY(*again->draft(0) == begun);
    QCOMPARE(again->draft(first.conversation)->text, std::string("other words"));
    QVERIFY(again->appendUserMessage(first.conversation, first.id, said(Role::User, "other words")));
    QVERIFY(*again->draft(first.conversation) == Draft{}); // sent with the same commit
    QVERIFY(*again->draft(0) == begun);
    QVERIFY(again->saveDraft(0, {}));
    QCOMPARE(*again->database().integer("SELECT count(*) FROM draft"), std::int64_t(0));
    QCOMPARE(*again->database().integer("SELECT count(*) FROM draft_media"), std::int64_t(0));
}

void ConversationStoreTest::choicesStayWithTheirMedia()
{
    const QString path = m_folder->filePath("a.gif");
    writeFile(path, "moving");
    MediaPart whole;
    whole.path = path.toStdString();
    MediaPart part = whole; // the same file, taken in another way
    part.kind = MediaPart::Kind::Video;
    part.choice = {.detail = MediaChoice::Detail::Medium,
                   .fit = MediaChoice::Fit::Trim,
                   .firstFrame = true,
                   .fromSeconds = 0.1,
                   .toSeconds = 7.25,
                   .maxFrames = 12};
    MediaPart low = whole;
    low.choice = {.detail = MediaChoice::Detail::Low, .fromSeconds = 0};
    const std::vector<MediaChoice> chosen = {whole.choice, part.choice, low.choice};
    const auto choicesIn = [](const Message &message) {
        std::vector<MediaChoice> choices;
        for (const Part &any : message.parts)
            choices.push_back(std::get<MediaPart>(any).choice);
        return choices;
    };
    Message message = said(Role::User, "");
    message.parts = {whole, part, low};

    MessageId id = 0;
    {
        const auto store = open();
        QVERIFY(store->saveDraft(0, {
                                        "look", {whole, part, low}
        }));
        const StoredMessage stored = *store->appendUserMessage(0, 0, message);
        id = stored.id;
        QVERIFY(choicesIn(stored.message) == chosen);
        QVERIFY(store->saveDraft(stored.conversation, {
                                                          "look", {whole, part, low}
        }));
    }
    const auto again = open();
    const StoredMessage read = *again->message(id);
    QVERIFY(choicesIn(read.message) == chosen);
    QCOMPARE(std::get<MediaPart>(read.message.parts[0]).path,
             std::get<MediaPart>(read.message.parts[1]).path);
    QVERIFY(again->draft(read.conversation)->media == (std::vector<MediaPart>{whole, part, low}));
    QCOMPARE(*again->draftFiles(), std::vector<std::string>(3, path.toStdString()));
    const ConversationId fork = *again->fork(id);
    QVERIFY(choicesIn(again->load(fork)->path[0].message) == chosen);
    const ConversationId imported = *again->import("again", "", {read}, read.id);
    QVERIFY(choicesIn(again->load(imported)->path[0].message) == chosen);
}

/// Nothing waits for what may never come.
void ConversationStoreTest::pipesAmongTheMediaAreMissing()
{
    const QString path = m_folder->filePath("cat.png");
    writeFile(path, "a cat");
    const auto store = open();
    Message message = said(Role::User, "look");
    MediaPart picture;
    picture.path = path.toStdString();
    picture.name = "cat.png";
    message.parts.emplace_back(picture);
    const StoredMessage stored = *store->appendUserMessage(0, 0, message);
    const std::string blob = std::get<MediaPart>(stored.message.parts[1]).path;
    const std::string sha256 = std::filesystem::path(blob).filename().string();
    QVERIFY(std::filesystem::remove(blob));
    QCOMPARE(mkfifo(blob.c_str(), 0600), 0);

    QCOMPARE(store->message(stored.id)->note, std::string("the file of cat.png is missing"));
    const Status verified = store->blobs().verify(sha256);
    QVERIFY(!verified);
    QCOMPARE(verified.error().message, blob + " is a pipe or a device, not a file");
    QVERIFY(!store->blobs().add(blob));
    QVERIFY(store->check());

    // The same picture once more takes its place again.
    QVERIFY(store->append(stored.conversation, stored.id, message));
    QVERIFY(store->blobs().verify(sha256));
    QVERIFY(store->message(stored.id)->note.empty());
}

void ConversationStoreTest::searchFindsAnyScript()
{
    const auto store = open();
    const StoredMessage stored =
        *store->appendUserMessage(0, 0, said(Role::User, "指针悬空了 and 100%_sure\nC++"));
    Message media = said(Role::User, "look");
    media.parts.emplace_back(picture("Holiday.png", "bytes"));
    QVERIFY(store->append(stored.conversation, stored.id, media));
    QVERIFY(store->rename(stored.conversation, "Naïve title"));

    for (const char *needle : {"悬空", "空", "100%_", "c++", "SURE", "holiday", "Naïve"})
        QVERIFY2(store->search(needle, 10)->size() == 1, needle);
    for (const char *needle : {"100x", "%", "\"悬 空\"", "nothing"})
        QVERIFY2(needle == std::string("%") || store->search(needle, 10)->empty(), needle);
    QCOMPARE((*store->search("悬空", 10))[0].message, stored.id);
    QVERIFY(store->remove(stored.conversation));
    QVERIFY(store->search("悬空", 10)->empty());
}

void ConversationStoreTest::twoProgramsWriteSideBySide()
{
    const auto window = open();
    const auto commandLine = open();
    const ConversationId id = *window->create("shared");
    MessageId last = 0;
    for (int i = 0; i < 40; ++i) {
        ConversationStore &writer = i % 2 ? *window : *commandLine;
        last = writer.append(id, last, said(Role::User, std::to_string(i)))->id;
    }

    QCOMPARE(window->load(id)->path.size(), std::size_t(40));
    QCOMPARE(commandLine->load(id)->path.size(), std::size_t(40));
}

void ConversationStoreTest::backupOpensAsAStore()
{
    const auto store = open();
    Message message = said(Role::User, "look");
    message.parts.emplace_back(picture("cat.png", "bytes"));
    const StoredMessage stored = *store->appendUserMessage(0, 0, message);
    const QTemporaryDir target;
    const std::filesystem::path copy = target.filePath("copy").toStdString();

    QVERIFY(store->backup(copy));

    auto restored = ConversationStore::open(copy);
    QVERIFY(restored);
    const StoredConversation loaded = *(*restored)->load(stored.conversation);
    QCOMPARE(loaded.path.size(), std::size_t(1));
    QVERIFY(std::get<MediaPart>(loaded.path[0].message.parts[1]).path.starts_with(copy.string()));
    QVERIFY((*restored)->check()->findings.empty());
    QVERIFY(!store->backup(copy)); // nothing is overwritten
}

void ConversationStoreTest::importKeepsTheTree()
{
    const auto store = open();
    const StoredMessage other = *store->appendUserMessage(0, 0, said(Role::User, "here before"));
    Q_UNUSED(other)
    std::vector<StoredMessage> tree(4);
    for (int i = 0; i < 4; ++i) {
        tree[std::size_t(i)].id = 100 + i;
        tree[std::size_t(i)].createdMs = 1000 + i;
        tree[std::size_t(i)].message = said(i == 0 ? Role::User : Role::Assistant, std::to_string(i));
    }
    tree[1].parent = tree[2].parent = 100;
    tree[3].parent = 101;
    tree[2].state = MessageState::Failed;
    tree[2].note = "why";
    tree[3].stats.emplace().model = "m";
    MediaPart gone;
    gone.path = "/nowhere/x.png";
    gone.name = "x.png";
    tree[0].message.parts.emplace_back(gone);
    tree[0].message.parts.emplace_back(picture("cat.png", "bytes"));

    const auto id = store->import("From elsewhere", "Be brief.", tree, 103);

    QVERIFY2(id, id ? "" : id.error().message.c_str());
    const auto kept = *store->loadTree(*id);
    QCOMPARE(kept.size(), std::size_t(4));
    QCOMPARE(kept[2].parent, kept[0].id);
    QCOMPARE(kept[3].parent, kept[1].id);
    QCOMPARE(kept[2].state, MessageState::Failed);
    QCOMPARE(kept[2].note, std::string("why"));
    QCOMPARE(kept[3].stats->model, std::string("m"));
    QCOMPARE(kept[1].createdMs, std::int64_t(1001));
    QCOMPARE(std::get<TextPart>(kept[0].message.parts[1]).text,
             std::string("(the file of x.png is missing)"));
    QCOMPARE(std::get<MediaPart>(kept[0].message.parts[2]).name, std::string("cat.png"));
    QCOMPARE(store->load(*id)->path.back().id, kept[3].id);
    QCOMPARE(store->load(*id)->systemPrompt, std::string("Be brief."));
    QVERIFY(store->check()->findings.empty());

    tree[1].parent = 999;
    QVERIFY(!store->import("Broken", "", tree, 103));
    QCOMPARE(store->list()->size(), std::size_t(2)); // nothing of it is left
}

QTEST_GUILESS_MAIN(ConversationStoreTest)
#include "conversation_store_test.moc"
