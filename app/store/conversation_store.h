#pragma once

#include "app/store/backup.h"
#include "app/store/blob_folder.h"
#include "app/store/database.h"
#include "app/store/stored_types.h"
#include "app/store/writer_lock.h"
#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perilune {

class Statement;

/// What `check` found.
struct CheckReport {
    struct Finding {
        std::string what; ///< a sentence
        bool repaired = false;
    };
    std::vector<Finding> findings;
    std::uint64_t conversations = 0, messages = 0, media = 0;

    /// Nothing is damaged, or all of it was repaired.
    bool sound() const;
};

/// Conversations in and out of one folder: `conversations.db` (SQLite) and `media/` (files by SHA-256).
///
/// Messages form a tree that only grows: an edit or another answer is a new branch, nothing is rewritten,
/// and there is no call that saves a whole conversation. Each function is one transaction and is on disk
/// when it returns. Lives on, and is touched by, one thread; other programs may have the folder open too.
class ConversationStore {
public:
    /// Opens the store in `folder`, making both where there never was one. A database that is missing
    /// though the folder had one is ErrorCode::NotFound, a damaged one Corrupt: neither is replaced.
    /// A newer program's database opens for reading only: see readOnlyReason().
    /// Answers that a dead program left unfinished are closed as cut off, with their text.
    static Result<std::unique_ptr<ConversationStore>> open(const std::filesystem::path &folder);

    /// The conversations in `folder` for reading alone: nothing there is changed, neither upgraded (an older
    /// program's are in a copy in memory) nor indexed. NotFound where there are none.
    static Result<std::unique_ptr<ConversationStore>> openForReading(const std::filesystem::path &folder);

    /// Conversations that leave no trace on the disk: a database in memory, and media in `mediaFolder`, which
    /// should lie in memory too. Its numbers are those for which isTemporary() holds.
    static Result<std::unique_ptr<ConversationStore>> temporary(const std::filesystem::path &mediaFolder);

    /// What stands in for a store that could not be opened, for `reason`: empty, and for reading only.
    static std::unique_ptr<ConversationStore> standIn(const std::filesystem::path &folder,
                                                      const std::string &reason);

    /// Why nothing can be written, as a sentence; empty where writing works.
    const std::string &readOnlyReason() const { return m_readOnlyReason; }
    const std::filesystem::path &folder() const { return m_folder; }

    Result<ConversationId> create(std::string_view title = {}, std::string_view systemPrompt = {});

    enum class Which { Live, Deleted }; ///< Live: the archived ones too
    /// Newest update first.
    Result<std::vector<ConversationRow>> list(Which which = Which::Live);

    /// The conversation along the branch in view. Damaged messages are in it, marked in their `note`.
    Result<StoredConversation> load(ConversationId id);

    /// Every message of every branch, parents before children.
    Result<std::vector<StoredMessage>> loadTree(ConversationId id);

    /// The messages from the first to `last`, whatever branch is in view.
    Result<std::vector<StoredMessage>> loadPath(MessageId last);

    /// One message.
    Result<StoredMessage> message(MessageId id);

    /// Adds a whole message under `parent` (0: at the beginning; `id` 0: of a new conversation) and makes it
    /// the end of the branch in view. Media files are copied into the store first; what comes back names the
    /// copies. A first message of the person gives a conversation without title its title.
    Result<StoredMessage> append(ConversationId id, MessageId parent, const Message &message);
    /// The same, for what the person sends; clears the conversation's draft in the same transaction.
    Result<StoredMessage> appendUserMessage(ConversationId id, MessageId parent, const Message &message);

    /// Where a conversation from elsewhere stands in the list.
    struct ImportPlace {
        std::string folder{}; ///< by name, made where need be; empty: in none
        std::vector<std::string> tags{};
        bool pinned = false, archived = false;
    };
    /// Adds a whole conversation from elsewhere, in one transaction: `tree` has parents before children and
    /// ids of its own; `tip` ends the branch in view. States, times, notes and statistics are kept;
    /// MediaPart::path names a file, and where there is none, words in its place say so.
    Result<ConversationId> import(std::string_view title, std::string_view systemPrompt,
                                  const std::vector<StoredMessage> &tree, MessageId tip,
                                  const ImportPlace &place);
    Result<ConversationId> import(std::string_view title, std::string_view systemPrompt,
                                  const std::vector<StoredMessage> &tree, MessageId tip)
    {
        return import(title, systemPrompt, tree, tip, {});
    }

    /// Adds a conversation of another store, with its times, folder, tags and pin, in one transaction. 0
    /// where it is here already: begun at the same moment, with the same title and as many messages.
    Result<ConversationId> takeOver(ConversationStore &from, ConversationId id);

    /// An empty answer in state Streaming under `parent`.
    Result<MessageId> beginReply(ConversationId id, MessageId parent);
    /// Adds what arrived since the last call; costs in proportion to `pieces`.
    Status checkpointReply(MessageId reply, std::span<const ReplyPiece> pieces);
    /// Adds the last pieces and closes the answer.
    Result<StoredMessage> finishReply(MessageId reply, std::span<const ReplyPiece> pieces,
                                      const ReplyOutcome &outcome);

    /// The children of `parent` (0: the beginnings of `id`), oldest first.
    Result<std::vector<MessageId>> children(ConversationId id, MessageId parent);
    /// Puts the branch through `message` in view, down to its newest end.
    Status selectBranch(MessageId message);

    Status rename(ConversationId id, std::string_view title);
    /// Whether its title is still the beginning of its first message, and there is an answer in it.
    Result<bool> wantsTitle(ConversationId id);
    /// A title from the model. It never takes the place of a person's: false where it didn't.
    Result<bool> nameByModel(ConversationId id, std::string_view title);
    Result<std::string> systemPrompt(ConversationId id);
    Status setSystemPrompt(ConversationId id, std::string_view prompt);
    /// Into the bin, and out of it.
    Status remove(ConversationId id);
    Status restore(ConversationId id);
    /// The branch that begins with `message` into the bin; where it was in view, a sibling's takes its place.
    Status removeBranch(MessageId message);
    /// Puts all branches of the conversation but the one in view into the bin; gives their first messages.
    Result<std::vector<MessageId>> keepOnlyPath(ConversationId id);
    /// Takes branches out of the bin; a single one comes into view.
    Status restoreBranches(const std::vector<MessageId> &messages);
    /// Removes what has been in the bin since before `olderThanMs` for good, and media that nothing names
    /// any more. Returns the number of conversations removed.
    Result<std::uint64_t> emptyBin(std::int64_t olderThanMs);

    /// A new conversation with copies of the messages up to `last`.
    Result<ConversationId> fork(MessageId last);

    Status setPinned(ConversationId id, bool pinned);
    /// Pins it, if need be, and puts it before `before` among those that are pinned; `before` 0: at their
    /// end.
    Status placePinned(ConversationId id, ConversationId before);
    Status setArchived(ConversationId id, bool archived);
    /// By name.
    Result<std::vector<FolderRow>> folders();
    /// The folder of that name, made where there is none.
    Result<FolderId> folder(std::string_view name);
    Status renameFolder(FolderId id, std::string_view name);
    /// Its conversations stay, in no folder.
    Status removeFolder(FolderId id);
    /// `folder` 0: into none.
    Status moveToFolder(ConversationId id, FolderId folder);
    Status addTag(ConversationId id, std::string_view name);
    Status removeTag(ConversationId id, std::string_view name);
    /// All tags in use, by name.
    Result<std::vector<std::string>> tags();

    /// `id` 0 is the draft of the chat that isn't begun. An empty draft is none.
    Result<Draft> draft(ConversationId id);
    /// The paths of all files that a draft has attached.
    Result<std::vector<std::string>> draftFiles();
    Status saveDraft(ConversationId id, const Draft &draft);

    struct Hit {
        enum class Place { Title, Text, Thinking, ToolCall, Attachment };
        ConversationId conversation = 0;
        MessageId message = 0; ///< 0: the title
        std::string title, excerpt;
        /// What was found in `excerpt`, as bytes from and to.
        std::vector<std::pair<std::size_t, std::size_t>> marks;
        Place place = Place::Title;
        Role role = Role::User;  ///< of the message
        std::int64_t timeMs = 0; ///< of the message; of a title, the conversation's last change
    };
    struct SearchQuery {
        std::string text;
        std::uint32_t limit = 50;
        FolderId folder = 0; ///< 0: any, outside of folders too
        std::string tag;     ///< empty: any
        std::optional<Role> role;
        std::int64_t fromMs = 0, beforeMs = INT64_MAX; ///< when the message was written
        ConversationId except = 0;                     ///< nothing of this one; 0: of none
        std::stop_token stop{};                        ///< ends the search as Cancelled
    };
    /// Titles, messages, thoughts, tool calls and names of attachments with all words of the text; "in
    /// quotes" it is one. A word may be part of a longer one; case, accents, vowel marks, width and forms of
    /// letters make no difference. Titles first, then messages, the newest first.
    Result<std::vector<Hit>> search(const SearchQuery &query);
    Result<std::vector<Hit>> search(std::string_view text, std::uint32_t limit);
    /// Puts up to `most` messages into the search index that aren't in it yet, and says whether there may be
    /// more. Search finds the others too, but slower; so this is for idle moments.
    Result<bool> indexMessages(std::uint32_t most);

    /// Whether a message of some length could be kept now: NoSpace where the disk is full.
    Status hasRoom();

    /// Looks for damage in database and media; repairs what can be repaired without losing anything.
    Result<CheckReport> check();

    /// Copies database and media into `folder`, with a manifest; it then opens as a store of its own, and
    /// restoreBackup() puts it elsewhere. Other programs may go on writing. Nothing is overwritten. A file at
    /// a time is copied; stopped or failed, the folder has no conversations.
    Result<BackupReport> backup(const std::filesystem::path &folder, const BackupStep &step = {});

    /// For tests and for check: the connection below.
    Database &database() { return m_database; }
    const BlobFolder &blobs() const { return m_blobs; }

private:
    ConversationStore(std::filesystem::path folder, Database database, BlobFolder blobs);
    static Result<std::unique_ptr<ConversationStore>> withoutFile(const std::filesystem::path &folder,
                                                                  const std::filesystem::path &mediaFolder);

    class Search;
    static constexpr std::uint32_t kIndexedBySearch =
        200; ///< messages that a search puts into the index first

    Status writable() const;
    Status forgetIndexed(const std::vector<MessageId> &messages);
    Status clearIndex();
    Status closeAbandonedReplies();
    Result<StoredMessage> appendMessage(ConversationId id, MessageId parent, const Message &message,
                                        bool clearDraft);
    Result<StoredMessage> appendInTransaction(ConversationId id, MessageId parent, const Message &message,
                                              bool clearDraft);
    Result<std::vector<BlobFolder::Blob>> keepMedia(const Message &message);
    Status noteMedia(const std::vector<BlobFolder::Blob> &blobs);
    Status putInPlace(ConversationId id, const ImportPlace &place);
    Result<bool> hasSame(const ConversationRow &row);
    Status placeLike(ConversationStore &from, const ConversationRow &row, ConversationId id);
    Status importMessages(ConversationId id, const std::vector<StoredMessage> &tree, MessageId tip);
    /// Makes `tip` the end of what is in view.
    Status moveTip(ConversationId id, MessageId tip);
    Status changeConversation(ConversationId id, Statement &change, std::string_view doing);
    Status changeFolder(FolderId id, Statement &change, std::string_view doing);
    Status leaveBranch(MessageId message);
    Status purge(std::int64_t olderThanMs, std::uint64_t &conversations);
    Status saveDraftInTransaction(ConversationId id, const Draft &draft);
    void checkIndex(CheckReport &report);
    void checkTips(CheckReport &report);
    void checkMedia(CheckReport &report);
    Status removeUnused(const std::vector<std::string> &files);
    Status consolidate(MessageId reply, const ReplyOutcome &outcome);

    std::filesystem::path m_folder;
    std::string m_readOnlyReason;
    ErrorCode m_readOnlyCode = ErrorCode::Unsupported; // of the refusals to write
    Database m_database;
    BlobFolder m_blobs;
    WriterLock m_writer;
};

/// Whether a number is of ConversationStore::temporary(); those of other stores never come near.
constexpr bool isTemporary(ConversationId id)
{
    return id > (ConversationId{1} << 40);
}

/// "title", "text", "thinking", "tool_call" or "attachment".
const char *placeName(ConversationStore::Hit::Place place);

} // namespace perilune
