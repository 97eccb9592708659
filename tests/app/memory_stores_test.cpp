// Stores without a file, space on the disk, titles from the model, the order of pinned chats, taking over.
#include "app/store/conversation_store.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>

using namespace perilune;

namespace {

Message said(Role role, const std::string &text)
{
    Message message;
    message.role = role;
    message.parts.emplace_back(TextPart{text});
    return message;
}

std::size_t filesIn(const QTemporaryDir &folder)
{
    const std::filesystem::recursive_directory_iterator entries(folder.path().toStdString());
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

} // namespace

class MemoryStoresTest : public QObject {
    Q_OBJECT

private slots:
    void temporaryStoreTouchesNoFile();
    void standInSaysWhyAndKeepsNothing();
    void roomIsMissedWhereThereIsNone();
    void modelNamesWhatNobodyNamed();
    void pinnedOnesAreSorted();
    void conversationIsTakenOver();
};

void MemoryStoresTest::temporaryStoreTouchesNoFile()
{
    const QTemporaryDir folder, media;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path().toStdString());
    {
        const auto store = std::move(*ConversationStore::temporary(media.path().toStdString()));
        const StoredMessage question = *store->append(0, 0, said(Role::User, "secret"));
        QVERIFY(isTemporary(question.conversation));
        QVERIFY(isTemporary(question.id));
        const MessageId reply = *store->beginReply(question.conversation, question.id);
        const ReplyPiece piece{ReplyPiece::Kind::Text, "answer", {}, {}};
        QVERIFY(store->finishReply(reply, {&piece, 1}, {}));
        QCOMPARE(store->load(question.conversation)->path.size(), std::size_t(2));
        QCOMPARE(store->search("secret", 10)->size(), std::size_t(2)); // the title, and the message
    }
    std::filesystem::current_path(before);
    QCOMPARE(filesIn(folder), std::size_t(0));

    const auto kept = std::move(*ConversationStore::open(folder.path().toStdString()));
    QVERIFY(!isTemporary(*kept->create("kept")));
}

void MemoryStoresTest::standInSaysWhyAndKeepsNothing()
{
    const QTemporaryDir folder;
    const auto store = ConversationStore::standIn(folder.path().toStdString(), "the disk is on fire");

    QCOMPARE(store->readOnlyReason(), std::string("the disk is on fire"));
    QVERIFY(store->list()->empty());
    const auto refused = store->append(0, 0, said(Role::User, "words"));
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("the disk is on fire") != std::string::npos);
    QCOMPARE(filesIn(folder), std::size_t(0));
}

void MemoryStoresTest::roomIsMissedWhereThereIsNone()
{
    const QTemporaryDir folder;
    const auto store = std::move(*ConversationStore::open(folder.path().toStdString()));
    QVERIFY(store->hasRoom());
    const auto pages = *store->database().integer("PRAGMA page_count");
    QVERIFY(store->database().integer("PRAGMA max_page_count = " + std::to_string(pages + 2)));

    const Status room = store->hasRoom();

    QVERIFY(!room);
    QCOMPARE(room.error().code, ErrorCode::NoSpace);
    QVERIFY(store->database().integer("PRAGMA max_page_count = 1000000"));
    QVERIFY(store->hasRoom());
    QVERIFY(*store->draft(0) == Draft{}); // nothing is left of the probe
    QVERIFY(store->blobs().all()->empty());
    QCOMPARE(filesIn(folder) > 0, true);
    for (const auto &entry : std::filesystem::directory_iterator(folder.path().toStdString() + "/media"))
        QFAIL(entry.path().c_str());
}

void MemoryStoresTest::modelNamesWhatNobodyNamed()
{
    const QTemporaryDir folder;
    const auto store = std::move(*ConversationStore::open(folder.path().toStdString()));
    const StoredMessage question = *store->append(0, 0, said(Role::User, "How far is the Moon?"));
    QVERIFY(!*store->wantsTitle(question.conversation)); // there is no answer yet
    const MessageId reply = *store->beginReply(question.conversation, question.id);
    QVERIFY(store->finishReply(reply, {}, {}));
    QVERIFY(*store->wantsTitle(question.conversation));

    QVERIFY(*store->nameByModel(question.conversation, "Distance to the Moon"));
    QCOMPARE(store->list()->front().title, std::string("Distance to the Moon"));
    QVERIFY(!*store->wantsTitle(question.conversation));
    QVERIFY(!*store->nameByModel(question.conversation, "Once more"));

    QVERIFY(store->rename(question.conversation, "Mine"));
    QVERIFY(!*store->nameByModel(question.conversation, "The model's"));
    QCOMPARE(store->list()->front().title, std::string("Mine"));
}

void MemoryStoresTest::pinnedOnesAreSorted()
{
    const QTemporaryDir folder;
    const auto store = std::move(*ConversationStore::open(folder.path().toStdString()));
    std::vector<ConversationId> ids;
    for (const char *title : {"a", "b", "c"})
        ids.push_back(*store->create(title));
    const auto order = [&store] {
        std::map<std::int64_t, std::string> placed;
        const std::vector<ConversationRow> rows = *store->list();
        for (const ConversationRow &row : rows) {
            if (row.pinOrder > 0)
                placed[row.pinOrder] = row.title;
        }
        std::string titles;
        for (const auto &[place, title] : placed)
            titles += title;
        return titles;
    };

    QVERIFY(store->placePinned(ids[0], 0));
    QVERIFY(store->placePinned(ids[1], ids[0]));
    QCOMPARE(order(), std::string("ba"));
    QVERIFY(store->placePinned(ids[2], ids[0]));
    QCOMPARE(order(), std::string("bca"));
    QVERIFY(store->placePinned(ids[1], 0));
    QCOMPARE(order(), std::string("cab"));
    QVERIFY(store->setPinned(ids[0], false));
    QCOMPARE(order(), std::string("cb"));
    QVERIFY(!store->placePinned(4711, 0));
}

void MemoryStoresTest::conversationIsTakenOver()
{
    const QTemporaryDir here, there;
    const auto from = std::move(*ConversationStore::open(there.path().toStdString()));
    const auto store = std::move(*ConversationStore::open(here.path().toStdString()));
    const StoredMessage one = *from->append(0, 0, said(Role::User, "one"));
    (void)*from->append(one.conversation, one.id, said(Role::Assistant, "two"));
    (void)*from->append(one.conversation, one.id, said(Role::Assistant, "two, again"));
    QVERIFY(from->addTag(one.conversation, "tag") && from->setPinned(one.conversation, true));
    QVERIFY(from->moveToFolder(one.conversation, *from->folder("Folder")));
    QVERIFY(from->database().run("UPDATE conversation SET created_ms = 5, updated_ms = 6"));

    const ConversationId copy = *store->takeOver(*from, one.conversation);

    QVERIFY(copy != 0);
    const ConversationRow row = store->list()->front();
    QCOMPARE(row.createdMs, std::int64_t(5));
    QCOMPARE(row.updatedMs, std::int64_t(6));
    QCOMPARE(row.tags, std::vector<std::string>{"tag"});
    QVERIFY(row.pinnedMs != 0);
    QCOMPARE(store->folders()->front().name, std::string("Folder"));
    QCOMPARE(store->loadTree(copy)->size(), std::size_t(3));
    QCOMPARE(*store->takeOver(*from, one.conversation), ConversationId(0));
    QCOMPARE(store->list()->size(), std::size_t(1));
}

QTEST_APPLESS_MAIN(MemoryStoresTest)
#include "memory_stores_test.moc"
