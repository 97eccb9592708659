// The tree of messages: laws that hold whatever is done to it, the bin, copies, and sorting chats.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>
#include <set>
#include <sqlite3.h>

using namespace perilune;

namespace {

Message said(Role role, const std::string &text)
{
    Message message;
    message.role = role;
    message.parts.emplace_back(TextPart{text});
    return message;
}

std::string textOf(const StoredMessage &message)
{
    return message.message.parts.empty() ? "" : std::get<TextPart>(message.message.parts[0]).text;
}

/// What the tree must be, in the simplest form.
struct Model {
    struct Node {
        MessageId parent = 0;
        std::string text;
        bool removed = false;
    };
    std::map<MessageId, Node> nodes;

    bool live(MessageId id) const
    {
        for (; id != 0; id = nodes.at(id).parent) {
            if (nodes.at(id).removed)
                return false;
        }
        return true;
    }
    std::vector<MessageId> allLive() const
    {
        std::vector<MessageId> ids;
        for (const auto &[id, node] : nodes) {
            if (live(id))
                ids.push_back(id);
        }
        return ids;
    }
};

} // namespace

class TreeTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void lawsHoldUnderRandomEdits_data();
    void lawsHoldUnderRandomEdits();
    void deletedBranchComesBack();
    void goingOnBringsTheBranchBack();
    void lastMessageCanBeDeleted();
    void siblingsAreCountedAlike();
    void importIsOneTransaction();
    void onlyThePathStays();
    void forkIsAChatOfItsOwn();
    void binIsEmptiedOfBranches();
    void pinsArchiveFoldersAndTags();

private:
    MessageId add(ConversationId id, MessageId parent, const std::string &text, Role role = Role::User)
    {
        return m_store->append(id, parent, said(role, text))->id;
    }
    std::vector<std::string> path(ConversationId id)
    {
        std::vector<std::string> texts;
        const StoredConversation conversation = *m_store->load(id);
        for (const StoredMessage &message : conversation.path)
            texts.push_back(textOf(message));
        return texts;
    }
    void compareWith(const Model &model, ConversationId id);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ConversationStore> m_store;
};

using Texts = std::vector<std::string>;

void TreeTest::init()
{
    m_store.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::move(*ConversationStore::open(m_folder->path().toStdString()));
}

void TreeTest::compareWith(const Model &model, ConversationId id)
{
    const std::vector<StoredMessage> tree = *m_store->loadTree(id);
    std::vector<MessageId> ids;
    for (const StoredMessage &message : tree) {
        ids.push_back(message.id);
        const Model::Node &node = model.nodes.at(message.id);
        QCOMPARE(message.parent, node.parent);
        QCOMPARE(textOf(message), node.text);
        const std::vector<MessageId> siblings = *m_store->children(id, message.parent);
        QCOMPARE(std::size_t(message.branches), siblings.size());
        QCOMPARE(siblings[message.branch], message.id);
    }
    QCOMPARE(ids, model.allLive()); // nothing is lost, nothing comes back by itself

    const std::vector<StoredMessage> inView = m_store->load(id)->path;
    QCOMPARE(inView.empty(), ids.empty());
    MessageId parent = 0;
    for (const StoredMessage &message : inView) {
        QCOMPARE(message.parent, parent);
        QVERIFY(model.live(message.id));
        parent = message.id;
    }
}

void TreeTest::lawsHoldUnderRandomEdits_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 6; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TreeTest::lawsHoldUnderRandomEdits()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto below = [&random](std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
    };
    const ConversationId id = *m_store->create("tree");
    Model model;
    std::vector<MessageId> removed;

    for (int step = 0; step < 150; ++step) {
        const std::vector<MessageId> live = model.allLive();
        const std::size_t what = below(10);
        if (what < 5 || live.empty()) { // another answer, an edit, a next message: all the same to the tree
            const MessageId parent = live.empty() || below(8) == 0 ? 0 : live[below(live.size())];
            const std::string text = "message " + std::to_string(step);
            const MessageId added = add(id, parent, text, below(2) ? Role::User : Role::Assistant);
            model.nodes[added] = {parent, text, false};
            QCOMPARE(m_store->load(id)->path.back().id, added);
        } else if (what < 7) {
            const MessageId chosen = live[below(live.size())];
            QVERIFY(m_store->selectBranch(chosen));
            const auto shown = m_store->load(id)->path;
            QVERIFY(std::ranges::find(shown, chosen, &StoredMessage::id) != shown.end());
        } else if (what == 7) {
            const MessageId chosen = live[below(live.size())];
            QVERIFY(m_store->removeBranch(chosen));
            model.nodes[chosen].removed = true;
            removed.push_back(chosen);
        } else if (what == 8 && !removed.empty()) {
            const MessageId back = removed[below(removed.size())];
            model.nodes[back].removed = false;
            std::erase(removed, back);
            // Two, so that one which hangs on another deleted one isn't to come into view.
            QVERIFY(m_store->restoreBranches({back, back}));
        } else if (below(4) == 0) {
            const std::vector<MessageId> others = *m_store->keepOnlyPath(id);
            for (const MessageId gone : others) {
                model.nodes[gone].removed = true;
                removed.push_back(gone);
            }
        }
        compareWith(model, id);
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(m_store->check()->findings.empty());
    QVERIFY(m_store->restoreBranches(removed));
    for (auto &[message, node] : model.nodes)
        node.removed = false;
    compareWith(model, id);
}

void TreeTest::deletedBranchComesBack()
{
    const ConversationId id = *m_store->create();
    const MessageId question = add(id, 0, "question");
    const MessageId first = add(id, question, "first", Role::Assistant);
    const MessageId more = add(id, first, "more");
    const MessageId second = add(id, question, "second", Role::Assistant);
    QVERIFY(m_store->selectBranch(first));
    QCOMPARE(path(id), (Texts{"question", "first", "more"}));

    QVERIFY(m_store->removeBranch(first));

    QCOMPARE(path(id), (Texts{"question", "second"}));
    QCOMPARE(m_store->load(id)->path[1].branches, 1U);
    QVERIFY(!m_store->removeBranch(first)); // it is gone already
    QVERIFY(m_store->restoreBranches({first}));
    QCOMPARE(path(id), (Texts{"question", "first", "more"}));
    QVERIFY(m_store->removeBranch(second)); // not in view: the view stays
    QCOMPARE(path(id), (Texts{"question", "first", "more"}));
    QVERIFY(m_store->removeBranch(more));
    QCOMPARE(path(id), (Texts{"question", "first"}));
}

void TreeTest::goingOnBringsTheBranchBack()
{
    const Result<ConversationId> id = m_store->create();
    QVERIFY(id);
    const MessageId first = add(*id, 0, "first");
    const MessageId answer = add(*id, first, "answer", Role::Assistant);
    QVERIFY(m_store->removeBranch(first));
    // Another program deleted it while this one was about to go on from its end.
    const MessageId more = add(*id, answer, "more");
    const auto loaded = m_store->load(*id);
    QVERIFY(loaded);
    QCOMPARE(loaded->path.size(), 3u);
    QCOMPARE(loaded->path.back().id, more);
    const auto report = m_store->check();
    QVERIFY(report && report->findings.empty());
}

void TreeTest::siblingsAreCountedAlike()
{
    std::mt19937 random(5);
    const StoredMessage first = *m_store->append(0, 0, said(Role::User, "first"));
    std::vector<MessageId> ids{0, first.id};
    for (int i = 0; i < 60; ++i)
        ids.push_back(add(first.conversation, ids[random() % std::min<std::size_t>(ids.size(), 12)], "m"));
    for (int i = 0; i < 6; ++i)
        (void)m_store->removeBranch(ids[10 + random() % 50]);
    const std::vector<StoredMessage> tree = *m_store->loadTree(first.conversation);
    QVERIFY(tree.size() > 20);
    for (const StoredMessage &message : tree) {
        const StoredMessage alone = *m_store->message(message.id);
        QCOMPARE(message.branch, alone.branch);
        QCOMPARE(message.branches, alone.branches);
    }
}

void TreeTest::importIsOneTransaction()
{
    const StoredMessage first = *m_store->append(0, 0, said(Role::User, "first"));
    const std::vector<StoredMessage> tree = *m_store->loadTree(first.conversation);
    ConversationStore::ImportPlace place{.folder = "Trips", .tags = {}, .pinned = true, .archived = true};
    for (int i = 0; i < 500; ++i)
        place.tags.push_back("tag " + std::to_string(1000 + i));
    int commits = 0;
    sqlite3_commit_hook(
        m_store->database().handle(),
        [](void *count) {
            ++*static_cast<int *>(count);
            return 0;
        },
        &commits);

    const Result<ConversationId> id = m_store->import("t", {}, tree, tree.back().id, place);

    QVERIFY2(id, id ? "" : id.error().message.c_str());
    QCOMPARE(commits, 1);
    const ConversationRow row = m_store->load(*id)->row;
    QCOMPARE(row.tags, place.tags);
    QVERIFY(row.pinnedMs > 0 && row.archivedMs > 0);
    QCOMPARE(m_store->folders()->at(0).id, row.folder);

    place.folder = "Another";
    place.tags.emplace_back(" ");
    QVERIFY(!m_store->import("t", {}, tree, tree.back().id, place)); // then nothing of it is there
    QCOMPARE(m_store->folders()->size(), std::size_t(1));
    QCOMPARE(m_store->list()->size(), std::size_t(2));
    sqlite3_commit_hook(m_store->database().handle(), nullptr, nullptr);
}

void TreeTest::lastMessageCanBeDeleted()
{
    const ConversationId id = *m_store->create();
    const MessageId only = add(id, 0, "only");

    QVERIFY(m_store->removeBranch(only));

    QVERIFY(path(id).empty());
    add(id, 0, "again");
    QCOMPARE(path(id), Texts{"again"});
    QVERIFY(m_store->restoreBranches({only}));
    QCOMPARE(path(id), Texts{"only"});
}

void TreeTest::onlyThePathStays()
{
    const ConversationId id = *m_store->create();
    const MessageId a = add(id, 0, "a");
    add(id, 0, "other beginning");
    const MessageId b = add(id, a, "b");
    add(id, a, "other b");
    QVERIFY(m_store->selectBranch(b));

    const std::vector<MessageId> removed = *m_store->keepOnlyPath(id);

    QCOMPARE(removed.size(), std::size_t(2));
    QCOMPARE(m_store->loadTree(id)->size(), std::size_t(2));
    QVERIFY(m_store->restoreBranches(removed));
    QCOMPARE(m_store->loadTree(id)->size(), std::size_t(4));
    QCOMPARE(path(id), (Texts{"a", "b"}));
}

void TreeTest::forkIsAChatOfItsOwn()
{
    const ConversationId id = *m_store->create("Original", "be brief");
    const MessageId question = add(id, 0, "question");
    const MessageId reply = *m_store->beginReply(id, question);
    ReplyOutcome outcome;
    outcome.stats = ReplyStats{};
    outcome.stats->summary.newTokens = 17;
    QVERIFY(m_store->finishReply(reply,
                                 std::vector<ReplyPiece>{
                                     {ReplyPiece::Kind::Text, "answer", {}, {}}
    },
                                 outcome));
    add(id, reply, "later");

    const ConversationId copy = *m_store->fork(reply);

    QCOMPARE(path(copy), (Texts{"question", "answer"}));
    const StoredConversation forked = *m_store->load(copy);
    QCOMPARE(forked.row.title, std::string("Original"));
    QCOMPARE(forked.systemPrompt, std::string("be brief"));
    QCOMPARE(forked.path[1].stats.value_or(ReplyStats{}).summary.newTokens, 17U);
    add(copy, forked.path[1].id, "elsewhere");
    QCOMPARE(path(id), (Texts{"question", "answer", "later"}));
    QVERIFY(!m_store->fork(99'999));
}

void TreeTest::binIsEmptiedOfBranches()
{
    const ConversationId id = *m_store->create();
    const MessageId a = add(id, 0, "a");
    const MessageId b = add(id, a, "b");
    add(id, b, "c");
    QVERIFY(m_store->removeBranch(b));

    QCOMPARE(*m_store->emptyBin(nowMs() - 1000), std::uint64_t(0));
    QCOMPARE(*m_store->database().integer("SELECT count(*) FROM message"), std::int64_t(3));
    QCOMPARE(*m_store->emptyBin(nowMs() + 1000), std::uint64_t(0));

    QCOMPARE(*m_store->database().integer("SELECT count(*) FROM message"), std::int64_t(1));
    QCOMPARE(*m_store->database().integer("SELECT count(*) FROM part"), std::int64_t(1));
    QCOMPARE(path(id), Texts{"a"});
    QVERIFY(m_store->check()->findings.empty());
}

void TreeTest::pinsArchiveFoldersAndTags()
{
    const ConversationId id = *m_store->create("chat");
    const FolderId folder = *m_store->folder("  Work ");
    QCOMPARE(*m_store->folder("Work"), folder);
    QVERIFY(!m_store->folder(" "));
    QVERIFY(m_store->setPinned(id, true));
    QVERIFY(m_store->setArchived(id, true));
    QVERIFY(m_store->moveToFolder(id, folder));
    QVERIFY(m_store->addTag(id, "b c"));
    QVERIFY(m_store->addTag(id, "a"));
    QVERIFY(m_store->addTag(id, "a"));

    ConversationRow row = m_store->list()->front();
    QVERIFY(row.pinnedMs > 0 && row.archivedMs > 0);
    QCOMPARE(row.folder, folder);
    QCOMPARE(row.tags, (Texts{"a", "b c"}));
    QCOMPARE(*m_store->tags(), (Texts{"a", "b c"}));
    QCOMPARE(m_store->folders()->front().conversations, std::uint64_t(1));
    QVERIFY(!m_store->moveToFolder(id, 999));
    QVERIFY(!m_store->setPinned(999, true));

    QVERIFY(m_store->setPinned(id, false));
    QVERIFY(m_store->setArchived(id, false));
    QVERIFY(m_store->removeTag(id, "a"));
    QVERIFY(m_store->renameFolder(folder, "Home"));
    QVERIFY(m_store->removeFolder(folder));
    row = m_store->list()->front(); // the folder went, the chat didn't
    QVERIFY(row.pinnedMs == 0 && row.archivedMs == 0 && row.folder == 0);
    QCOMPARE(row.tags, Texts{"b c"});
}

QTEST_GUILESS_MAIN(TreeTest)
#include "tree_test.moc"
