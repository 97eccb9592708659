// ConversationStore: looking for damage.
#include "app/store/conversation_store.h"
#include "app/store/statement.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace perilune {

namespace {

void add(CheckReport &report, std::string what, bool repaired = false)
{
    report.findings.push_back({std::move(what), repaired});
}

/// What SQLite itself finds: pages, indexes, constraints. Returns whether it found nothing.
bool checkDatabase(Database &database, CheckReport &report)
{
    const std::size_t before = report.findings.size();
    Statement integrity(database, "PRAGMA integrity_check");
    while (integrity.row()) {
        if (const std::string line = integrity.text(0); line != "ok")
            add(report, "the database is damaged: " + line);
    }
    if (Status read = integrity.status(); !read)
        add(report, read.error().message);
    Statement references(database, "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check");
    while (references.row())
        add(report, "row " + references.text(1) + " of " + references.text(0) + " refers to a row of " +
                        references.text(2) + " that isn't there");
    if (Status read = references.status(); !read)
        add(report, read.error().message);
    return report.findings.size() == before;
}

std::uint64_t count(Database &database, const std::string &table)
{
    const Result<std::int64_t> rows = database.integer("SELECT count(*) FROM " + table);
    return rows ? static_cast<std::uint64_t>(*rows) : 0;
}

} // namespace

bool CheckReport::sound() const
{
    return std::ranges::all_of(findings, &Finding::repaired);
}

Result<CheckReport> ConversationStore::check()
{
    CheckReport report;
    checkIndex(report); // first: from SQLite 3.44 on its own check looks into the index, too
    const auto first = static_cast<std::ptrdiff_t>(report.findings.size());
    if (!checkDatabase(m_database, report) && m_readOnlyReason.empty()) {
        // Indexes hold nothing that the tables don't: making them anew loses nothing.
        const Status rebuilt = m_database.run("REINDEX");
        CheckReport again;
        if (rebuilt && checkDatabase(m_database, again)) {
            std::for_each(report.findings.begin() + first, report.findings.end(),
                          [](CheckReport::Finding &finding) { finding.repaired = true; });
        }
    }
    report.conversations = count(m_database, "conversation");
    report.messages = count(m_database, "message");
    report.media = count(m_database, "media");
    checkTips(report);
    checkMedia(report);
    return report;
}

void ConversationStore::checkIndex(CheckReport &report)
{
    if (!m_readOnlyReason.empty())
        return;
    if (m_database.run("INSERT INTO search_index (search_index) VALUES ('integrity-check')"))
        return;
    add(report, "the index for searching was damaged, and is made anew", clearIndex().has_value());
}

void ConversationStore::checkTips(CheckReport &report)
{
    // What can be seen: of a branch in the bin only the first message is marked, and what follows it is
    // hidden, too.
    Statement query(m_database,
                    "WITH RECURSIVE seen (id, conversation_id) AS ("
                    " SELECT id, conversation_id FROM message WHERE parent_id IS NULL AND deleted_ms IS NULL"
                    " UNION ALL SELECT m.id, m.conversation_id FROM seen JOIN message m"
                    " ON m.conversation_id = seen.conversation_id AND m.parent_id = seen.id"
                    " WHERE m.deleted_ms IS NULL),"
                    " newest (conversation_id, id) AS ("
                    " SELECT conversation_id, max(id) FROM seen GROUP BY conversation_id)"
                    " SELECT c.id, c.title, newest.id FROM conversation c"
                    " JOIN newest ON newest.conversation_id = c.id"
                    " WHERE c.tip_id IS NULL OR c.tip_id NOT IN (SELECT id FROM seen)");
    std::vector<std::pair<ConversationId, MessageId>> lost;
    std::vector<std::string> titles;
    while (query.row()) {
        lost.emplace_back(query.integer(0), query.integer(2));
        titles.push_back(query.text(1));
    }
    for (std::size_t i = 0; i < lost.size(); ++i) {
        Statement repair(m_database, "UPDATE conversation SET tip_id = ? WHERE id = ?");
        repair.bind(lost[i].second, lost[i].first);
        const bool repaired = m_readOnlyReason.empty() && repair.run().has_value();
        add(report, "conversation " + std::to_string(lost[i].first) + " (" + titles[i] + ") had lost its end",
            repaired);
    }
}

void ConversationStore::checkMedia(CheckReport &report)
{
    std::set<std::string> known;
    Statement query(m_database,
                    "SELECT sha256, (SELECT media_name FROM part WHERE media_sha256 = sha256 LIMIT 1)"
                    " FROM media");
    while (query.row()) {
        const std::string sha256 = query.text(0);
        const std::string name = query.isNull(1) || query.text(1).empty() ? "an attachment" : query.text(1);
        known.insert(sha256);
        const Status whole = m_blobs.verify(sha256);
        if (!whole && whole.error().code == ErrorCode::NotFound)
            add(report, "the file of " + name + " is missing: " + m_blobs.pathOf(sha256).string());
        else if (!whole)
            add(report, "the file of " + name + " is damaged: " + whole.error().message);
    }
    if (Status read = query.status(); !read)
        add(report, read.error().message);

    const Result<std::vector<std::string>> files = m_blobs.all();
    if (!files) {
        add(report, files.error().message);
        return;
    }
    std::vector<std::string> unused;
    std::ranges::copy_if(*files, std::back_inserter(unused),
                         [&known](const std::string &file) { return !known.contains(file); });
    if (unused.empty() || !query.status())
        return;
    // Left by a program that died between copying a file and keeping its message; removed only where nothing
    // could still come to name them.
    const bool removed = m_readOnlyReason.empty() && removeUnused(unused).has_value();
    add(report, std::to_string(unused.size()) + " media files belong to no message", removed);
}

Status ConversationStore::hasRoom()
{
    constexpr std::uint64_t enough = 1 << 20; // bytes; a long answer with its index
    if (Status may = writable(); !may)
        return may;
    if (Status room = m_blobs.hasRoom(enough); !room)
        return room;
    // The database may be full for reasons of its own. What is put in here is taken out again.
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    Statement insert(m_database, "INSERT INTO draft (conversation_id, text, updated_ms) VALUES (NULL, ?, 0)");
    insert.bind(std::string(enough / 4, ' '));
    return insert.run(); // and is rolled back
}

} // namespace perilune
