// ConversationStore: finding words.
#include "app/store/conversation_store.h"
#include "app/store/message_rows.h"
#include "app/store/search_text.h"
#include "app/store/statement.h"

#include <algorithm>
#include <array>

namespace perilune {

namespace {

using Hit = ConversationStore::Hit;

constexpr int kFolding = 1;                // the way of folding; counted up when foldText or gramsOf changes
constexpr std::size_t kReadAllUpTo = 1000; // messages that are looked at one by one, without the index
constexpr std::size_t kLongestQuery = 50'000; // bytes
constexpr std::array kPlaces = {"title", "text", "thinking", "tool_call", "attachment"};

/// What a message has to be searched, one entry a part.
struct SearchedPart {
    Hit::Place place = Hit::Place::Text;
    std::string text;
};

Hit::Place placeOf(const std::string &kind)
{
    if (kind == "thinking")
        return Hit::Place::Thinking;
    if (kind == "tool_call")
        return Hit::Place::ToolCall;
    return kind == "text" ? Hit::Place::Text : Hit::Place::Attachment;
}

/// The parts of one message after the other, with one prepared statement.
class PartReader {
public:
    explicit PartReader(Database &database)
        : m_query(database, "SELECT kind, text, media_name, call_name FROM part WHERE message_id = ?"
                            " ORDER BY position")
    {
    }

    /// False where they can't be read.
    bool read(MessageId message, std::vector<SearchedPart> &parts)
    {
        parts.clear();
        m_query.reset();
        m_query.bind(message);
        while (m_query.row()) {
            const Hit::Place place = placeOf(m_query.text(0));
            parts.push_back({place, m_query.text(place == Hit::Place::Attachment ? 2 : 1)});
            if (place == Hit::Place::ToolCall)
                parts.back().text.insert(0, m_query.text(3) + " ");
        }
        return m_query.status().has_value();
    }

private:
    Statement m_query;
};

std::string gramsOfAll(const std::vector<SearchedPart> &parts)
{
    std::string folded;
    for (const SearchedPart &part : parts)
        folded += foldText(part.text).text + ' ';
    return gramsOf(folded);
}

/// Whether all terms are in the parts; if so, which part shows the first of them, and where.
bool findIn(const std::vector<SearchedPart> &parts, const std::vector<std::string> &terms, Hit &hit)
{
    std::vector<bool> seen(terms.size(), false);
    bool shown = false;
    for (const SearchedPart &part : parts) {
        const std::vector<ByteRange> marks = findTerms(part.text, terms);
        if (marks.empty())
            continue;
        const std::string folded = foldText(part.text).text;
        for (std::size_t i = 0; i < terms.size(); ++i)
            seen[i] = seen[i] || folded.find(terms[i]) != std::string::npos;
        // The words of an answer say more than what was thought before it.
        if (!shown || (hit.place == Hit::Place::Thinking && part.place == Hit::Place::Text)) {
            Excerpt excerpt = excerptAround(part.text, marks);
            hit.excerpt = std::move(excerpt.text);
            hit.marks = std::move(excerpt.marks);
            hit.place = part.place;
            shown = true;
        }
    }
    return std::ranges::all_of(seen, [](bool one) { return one; });
}

/// The conditions of `query` on a conversation `c`, as SQL; folder, tag and the times are parameters 2 to 5.
constexpr const char *kChatConditions = " c.deleted_ms IS NULL AND (?2 = 0 OR c.folder_id = ?2)"
                                        " AND (?3 = '' OR EXISTS (SELECT 1 FROM conversation_tag t"
                                        " WHERE t.conversation_id = c.id AND t.name = ?3))";

} // namespace

const char *placeName(ConversationStore::Hit::Place place)
{
    return kPlaces[static_cast<std::size_t>(place)];
}

/// One search: candidates go in, hits come out.
class ConversationStore::Search {
public:
    Search(ConversationStore &store, const SearchQuery &query)
        : m_query(query),
          m_terms(searchTerms(query.text)),
          m_database(store.m_database),
          m_parts(m_database),
          m_head(m_database, std::string("SELECT c.id, c.title, m.role, m.created_ms FROM message m"
                                         " JOIN conversation c ON c.id = m.conversation_id WHERE m.id = ?1"
                                         " AND m.deleted_ms IS NULL AND m.created_ms >= ?4"
                                         " AND m.created_ms < ?5 AND (?6 = '' OR m.role = ?6) AND") +
                                 kChatConditions)
    {
    }

    bool wanted() const { return !m_terms.empty() && m_query.limit > 0; }

    Result<std::vector<Hit>> run()
    {
        if (Status read = titles(); !read)
            return std::move(read).error();
        const std::size_t titleHits = m_hits.size();
        if (Status read = narrow(); !read)
            return std::move(read).error();
        if (m_allowed && m_allowed->size() <= kReadAllUpTo) {
            const std::size_t most = titleHits + m_query.limit;
            for (auto id = m_allowed->rbegin(); id != m_allowed->rend() && m_hits.size() < most; ++id) {
                if (m_query.stop.stop_requested())
                    return stopped();
                look(*id);
            }
            if (m_hits.size() > m_query.limit)
                m_hits.resize(m_query.limit);
            return std::move(m_hits);
        }
        // What isn't in the index yet is read; there is little of it.
        if (Status read = each("SELECT id FROM message WHERE indexed = 0 ORDER BY id DESC", {}); !read)
            return std::move(read).error();
        const std::string match = matchFor(m_terms);
        const Status indexed =
            match.empty()
                ? Status(Error{ErrorCode::Unsupported, "no index"})
                : each("SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC",
                       match);
        // A damaged index finds nothing; the messages themselves do.
        if (!indexed) {
            if (Status read = each("SELECT id FROM message WHERE indexed <> 0 ORDER BY id DESC", {}); !read)
                return std::move(read).error();
        }
        const auto messages = m_hits.begin() + static_cast<std::ptrdiff_t>(titleHits);
        std::sort(messages, m_hits.end(), [](const Hit &a, const Hit &b) { return a.message > b.message; });
        if (m_hits.size() > m_query.limit)
            m_hits.resize(m_query.limit);
        return std::move(m_hits);
    }

private:
    static Error stopped() { return {ErrorCode::Cancelled, "the search was stopped"}; }

    /// Titles are few enough to be read.
    Status titles()
    {
        if (m_query.role || m_query.fromMs != 0 || m_query.beforeMs != INT64_MAX)
            return Done{};
        Statement query(m_database, std::string("SELECT c.id, c.title, c.updated_ms, ?1 FROM conversation c"
                                                " WHERE") +
                                        kChatConditions + " ORDER BY c.updated_ms DESC, c.id DESC");
        query.bind(0, m_query.folder, m_query.tag);
        while (m_hits.size() < m_query.limit && query.row()) {
            if (m_query.stop.stop_requested())
                return stopped();
            Hit hit;
            hit.conversation = query.integer(0);
            if (hit.conversation == m_query.except)
                continue;
            hit.title = query.text(1);
            hit.timeMs = query.integer(2);
            if (!findIn(
                    {
                        {Hit::Place::Title, hit.title}
            },
                    m_terms, hit))
                continue;
            m_hits.push_back(std::move(hit));
        }
        return query.status();
    }

    /// Looks at the messages that `sql` names, newest first, until there are enough.
    Status each(const char *sql, const std::string &match)
    {
        const std::size_t before = m_hits.size();
        Statement query(m_database, sql);
        if (!match.empty())
            query.bind(match);
        while (m_hits.size() - before < m_query.limit && query.row()) {
            if (m_query.stop.stop_requested())
                return stopped();
            const MessageId id = query.integer(0);
            if (!m_allowed || std::ranges::binary_search(*m_allowed, id))
                look(id);
        }
        return query.status();
    }

    /// The messages that the filters let through, where there are filters. A word may be everywhere but
    /// there: to look at each message that has it would take as long as the store is large.
    Status narrow()
    {
        const bool chats = m_query.folder != 0 || !m_query.tag.empty();
        if (!chats && !m_query.role && m_query.fromMs == 0 && m_query.beforeMs == INT64_MAX)
            return Done{};
        std::string sql = "SELECT m.id FROM message m WHERE m.deleted_ms IS NULL AND m.created_ms >= ?4"
                          " AND m.created_ms < ?5 AND (?6 = '' OR m.role = ?6)";
        if (chats)
            sql += std::string(" AND m.conversation_id IN (SELECT c.id FROM conversation c WHERE") +
                   kChatConditions + ")";
        Statement query(m_database, sql);
        query.bind(0, m_query.folder, m_query.tag, m_query.fromMs, m_query.beforeMs,
                   m_query.role ? roleName(*m_query.role) : "");
        m_allowed.emplace();
        while (query.row()) {
            if (m_query.stop.stop_requested())
                return stopped();
            m_allowed->push_back(query.integer(0));
        }
        std::ranges::sort(*m_allowed);
        return query.status();
    }

    void look(MessageId message)
    {
        m_head.reset();
        m_head.bind(message, m_query.folder, m_query.tag, m_query.fromMs, m_query.beforeMs,
                    m_query.role ? roleName(*m_query.role) : "");
        if (!m_head.row() || m_head.integer(0) == m_query.except)
            return;
        Hit hit;
        hit.message = message;
        if (!m_parts.read(message, m_buffer) || !findIn(m_buffer, m_terms, hit))
            return;
        hit.conversation = m_head.integer(0);
        hit.title = m_head.text(1);
        hit.role = roleFromName(m_head.text(2));
        hit.timeMs = m_head.integer(3);
        m_hits.push_back(std::move(hit));
    }

    const SearchQuery &m_query;
    std::vector<std::string> m_terms;
    Database &m_database;
    PartReader m_parts;
    Statement m_head;
    std::vector<SearchedPart> m_buffer;
    std::vector<Hit> m_hits;
    std::optional<std::vector<MessageId>> m_allowed; ///< by the filters, the oldest first; none: all are
};

Result<std::vector<ConversationStore::Hit>> ConversationStore::search(const SearchQuery &query)
{
    if (query.text.size() > kLongestQuery)
        return Error{ErrorCode::InvalidInput,
                     "the text to search for is too long: " + std::to_string(query.text.size()) +
                         " bytes, at most " + std::to_string(kLongestQuery)};
    (void)indexMessages(kIndexedBySearch); // as far as it goes: what isn't in the index is read
    Search search(*this, query);
    if (!search.wanted())
        return std::vector<Hit>();
    Result<std::vector<Hit>> hits = search.run();
    if (!hits)
        return std::move(hits).error().during("searching");
    return hits;
}

Result<std::vector<ConversationStore::Hit>> ConversationStore::search(std::string_view text,
                                                                      std::uint32_t limit)
{
    SearchQuery query;
    query.text = text;
    query.limit = limit;
    return search(query);
}

Result<bool> ConversationStore::indexMessages(std::uint32_t most)
{
    if (!m_readOnlyReason.empty())
        return false;
    Statement pending(m_database, "SELECT id FROM message WHERE indexed = 0 AND state <> 'streaming'"
                                  " ORDER BY id LIMIT ?");
    pending.bind(most);
    std::vector<MessageId> ids;
    while (pending.row())
        ids.push_back(pending.integer(0));
    if (Status read = pending.status(); !read)
        return std::move(read).error();
    if (ids.empty())
        return false;
    Result<Transaction> transaction = Transaction::begin(m_database);
    if (!transaction)
        return std::move(transaction).error();
    PartReader reader(m_database);
    // Marked first: where another program was quicker, the row isn't ours to add.
    Statement mark(m_database, "UPDATE message SET indexed = ? WHERE id = ? AND indexed = 0");
    Statement insert(m_database, "INSERT INTO search_index (rowid, grams) VALUES (?, ?)");
    std::vector<SearchedPart> parts;
    for (const MessageId id : ids) {
        mark.reset();
        mark.bind(kFolding, id);
        if (Status marked = mark.run(); !marked)
            return std::move(marked).error();
        if (m_database.changes() == 0 || !reader.read(id, parts))
            continue;
        insert.reset();
        insert.bind(id, gramsOfAll(parts));
        if (Status inserted = insert.run(); !inserted)
            return std::move(inserted).error();
    }
    if (Status committed = transaction->commit(); !committed)
        return std::move(committed).error();
    return ids.size() == most;
}

Status ConversationStore::forgetIndexed(const std::vector<MessageId> &messages)
{
    PartReader reader(m_database);
    Statement entry(m_database, "SELECT indexed FROM message WHERE id = ?");
    Statement remove(m_database,
                     "INSERT INTO search_index (search_index, rowid, grams) VALUES ('delete', ?, ?)");
    std::vector<SearchedPart> parts;
    for (const MessageId id : messages) {
        entry.reset();
        entry.bind(id);
        if (!entry.row() || entry.integer(0) == 0 || !reader.read(id, parts))
            continue;
        remove.reset();
        remove.bind(id, gramsOfAll(parts));
        if (Status removed = remove.run(); !removed)
            return removed;
    }
    return entry.status();
}

Status ConversationStore::clearIndex()
{
    // A table whose records are damaged can't even be dropped; so they are first those of an empty one, as
    // FTS5 writes them: 1 holds averages, 10 the structure (a cookie, no levels, no segments, nothing
    // written).
    Status cleared = m_database.run(
        "SAVEPOINT clearing;"
        "DELETE FROM search_index_data; DELETE FROM search_index_idx; DELETE FROM search_index_docsize;"
        "INSERT INTO search_index_data (id, block) VALUES (1, x''), (10, x'00000000000000');"
        "DROP TABLE search_index;"
        "CREATE VIRTUAL TABLE search_index USING fts5 (grams, content = '', detail = 'none', tokenize = "
        "'ascii');"
        "UPDATE message SET indexed = 0 WHERE indexed <> 0;"
        "RELEASE clearing;");
    if (!cleared)
        (void)m_database.run("ROLLBACK TO clearing; RELEASE clearing;");
    return cleared;
}

} // namespace perilune
