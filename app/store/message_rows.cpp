#include "app/store/message_rows.h"

#include "engine/base/whole_characters.h"

#include <array>
#include <chrono>
#include <map>
#include <system_error>
#include <utility>

namespace perilune {

namespace {

// In the order of the enumerators.
constexpr std::array kRoles = {"system", "user", "assistant", "tool", "other"};
constexpr std::array kStates = {"streaming", "complete", "cancelled", "failed"};
constexpr std::array kFinishes = {"stop", "length", "tool_calls", "cancelled"};
constexpr std::array kPieceKinds = {"text", "thinking", "tool_call"};

template <typename Enum, std::size_t size>
Enum fromName(const std::array<const char *, size> &names, std::string_view name, Enum otherwise)
{
    for (std::size_t i = 0; i < size; ++i) {
        if (name == names[i])
            return static_cast<Enum>(i);
    }
    return otherwise;
}

std::string where(MessageScope scope)
{
    return scope.by == MessageScope::By::Message ? " WHERE m.id = ?1" : " WHERE m.conversation_id = ?1";
}

void addNote(StoredMessage &message, const std::string &sentence)
{
    if (!message.note.empty())
        message.note += "; ";
    message.note += sentence;
}

/// Counts siblings where all messages are at hand: asking the database for each would take the square of
/// their number. A sibling is a message of the same conversation and parent that isn't in the bin.
void countSiblings(std::vector<StoredMessage> &messages)
{
    std::map<MessageId, std::uint32_t> children;
    for (StoredMessage &message : messages)
        message.branch = children[message.parent]++;
    for (StoredMessage &message : messages)
        message.branches = children[message.parent];
}

Result<std::vector<StoredMessage>> readHeads(Database &database, MessageScope scope)
{
    static const std::string siblings =
        "(SELECT count(*) FROM message s WHERE s.conversation_id = m.conversation_id"
        " AND s.parent_id IS m.parent_id AND s.deleted_ms IS NULL";
    const bool alone = scope.by == MessageScope::By::Message;
    const std::string counts = alone ? siblings + " AND s.id < m.id), " + siblings + ")" : "0, 0";
    Statement query(database,
                    "SELECT m.id, m.parent_id, m.role, m.role_name, m.name, m.tool_call_id, m.state, m.note,"
                    " m.created_ms, m.finished_ms, " +
                        counts + ", m.conversation_id FROM message m" + where(scope) +
                        " AND m.deleted_ms IS NULL ORDER BY m.id");
    query.bind(scope.id);
    std::vector<StoredMessage> found;
    while (query.row()) {
        StoredMessage message;
        message.id = query.integer(0);
        message.parent = query.integer(1);
        message.message.role = fromName(kRoles, query.text(2), Role::Other);
        message.message.roleName = query.text(3);
        message.message.name = query.text(4);
        message.message.toolCallId = query.text(5);
        message.state = stateFromName(query.text(6));
        message.note = query.text(7);
        message.createdMs = query.integer(8);
        message.finishedMs = query.integer(9);
        message.branch = static_cast<std::uint32_t>(query.integer(10));
        message.branches = static_cast<std::uint32_t>(query.integer(11));
        message.conversation = query.integer(12);
        found.push_back(std::move(message));
    }
    if (Status read = query.status(); !read)
        return std::move(read).error();
    if (!alone)
        countSiblings(found);
    return found;
}

using ById = std::map<MessageId, StoredMessage *>;

Part partOf(const Statement &query, const BlobFolder &blobs, StoredMessage &owner)
{
    const std::string kind = query.text(1);
    if (kind == "text")
        return TextPart{query.text(2)};
    if (kind == "thinking")
        return ThinkingPart{query.text(2)};
    if (kind == "tool_call")
        return ToolCallPart{query.text(3), query.text(4), query.text(2)};
    MediaPart part;
    part.kind = kind == "video" ? MediaPart::Kind::Video : MediaPart::Kind::Image;
    part.path = blobs.pathOf(query.text(5)).string();
    part.name = query.text(6);
    part.choice = choiceOf(query, 7);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(part.path, ignored))
        addNote(owner, "the file of " + (part.name.empty() ? "an attachment" : part.name) + " is missing");
    return part;
}

Status readParts(Database &database, const BlobFolder &blobs, MessageScope scope, const ById &messages)
{
    Statement query(database,
                    std::string("SELECT p.message_id, p.kind, p.text, p.call_id, p.call_name, p.media_sha256,"
                                " p.media_name, ") +
                        kChoiceColumns + " FROM message m JOIN part p ON p.message_id = m.id" + where(scope) +
                        " ORDER BY p.message_id, p.position");
    query.bind(scope.id);
    while (query.row()) {
        if (const auto owner = messages.find(query.integer(0)); owner != messages.end())
            owner->second->message.parts.push_back(partOf(query, blobs, *owner->second));
    }
    return query.status();
}

Status readStats(Database &database, MessageScope scope, const ById &messages)
{
    Statement query(
        database,
        "SELECT r.message_id, r.model, r.device, r.thinking, r.temperature, r.top_p, r.min_p, r.top_k, "
        "r.seed,"
        " r.max_new_tokens, r.finish, r.prompt_tokens, r.cached_tokens, r.image_tokens, r.new_tokens,"
        " r.first_token_s, r.vision_s, r.prefill_s, r.decode_s"
        " FROM message m JOIN reply_stats r ON r.message_id = m.id" +
            where(scope));
    query.bind(scope.id);
    const auto number = [&query](int column) { return static_cast<std::uint32_t>(query.integer(column)); };
    while (query.row()) {
        const auto owner = messages.find(query.integer(0));
        if (owner == messages.end())
            continue;
        ReplyStats stats;
        stats.model = query.text(1);
        stats.device = query.text(2);
        stats.thinking = query.integer(3) != 0;
        stats.sampling.temperature = static_cast<float>(query.real(4));
        stats.sampling.topP = static_cast<float>(query.real(5));
        stats.sampling.minP = static_cast<float>(query.real(6));
        stats.sampling.topK = number(7);
        stats.sampling.seed = static_cast<std::uint64_t>(query.integer(8));
        stats.maxNewTokens = number(9);
        stats.summary.finish = fromName(kFinishes, query.text(10), ReplySummary::Finish::Stop);
        stats.summary.promptTokens = number(11);
        stats.summary.cachedTokens = number(12);
        stats.summary.imageTokens = number(13);
        stats.summary.newTokens = number(14);
        stats.summary.seed = static_cast<std::uint64_t>(query.integer(8));
        stats.firstTokenSeconds = query.real(15);
        stats.summary.visionSeconds = query.real(16);
        stats.summary.prefillSeconds = query.real(17);
        stats.summary.decodeSeconds = query.real(18);
        owner->second->stats = std::move(stats);
    }
    return query.status();
}

/// One message at a time: what one page of the file holds may be damaged while the others are whole.
void readPartsOneByOne(Database &database, const BlobFolder &blobs, const ById &messages)
{
    for (const auto &[id, message] : messages) {
        message->message.parts.clear();
        if (!readParts(database, blobs,
                       {
                           MessageScope::By::Message, id
        },
                       {{id, message}}))
            addNote(*message, "this message is damaged in the database");
    }
}

} // namespace

std::int64_t nowMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void addPiece(std::vector<Part> &parts, const ReplyPiece &piece)
{
    auto *text = parts.empty() ? nullptr : std::get_if<TextPart>(&parts.back());
    auto *thinking = parts.empty() ? nullptr : std::get_if<ThinkingPart>(&parts.back());
    if (piece.kind == ReplyPiece::Kind::ToolCall)
        parts.emplace_back(ToolCallPart{piece.callId, piece.callName, piece.text});
    else if (piece.kind == ReplyPiece::Kind::Text && text)
        text->text += piece.text;
    else if (piece.kind == ReplyPiece::Kind::Thinking && thinking)
        thinking->text += piece.text;
    else if (piece.kind == ReplyPiece::Kind::Text)
        parts.emplace_back(TextPart{piece.text});
    else
        parts.emplace_back(ThinkingPart{piece.text});
}

std::optional<ReplyPiece> pieceOf(const ReplyEvent &event)
{
    if (const auto *text = std::get_if<TextDelta>(&event))
        return ReplyPiece{ReplyPiece::Kind::Text, text->text, {}, {}};
    if (const auto *thinking = std::get_if<ThinkingDelta>(&event))
        return ReplyPiece{ReplyPiece::Kind::Thinking, thinking->text, {}, {}};
    if (const auto *call = std::get_if<ToolCallReady>(&event))
        return ReplyPiece{ReplyPiece::Kind::ToolCall, call->call.argumentsJson, call->call.id,
                          call->call.name};
    return std::nullopt;
}

MediaChoice choiceOf(const Statement &row, int first)
{
    MediaChoice choice;
    choice.detail = fromName(kDetailNames, row.text(first), MediaChoice::Detail::Full);
    choice.fit = fromName(kFitNames, row.text(first + 1), MediaChoice::Fit::Thin);
    choice.firstFrame = row.integer(first + 2) != 0;
    if (!row.isNull(first + 3))
        choice.fromSeconds = row.real(first + 3);
    if (!row.isNull(first + 4))
        choice.toSeconds = row.real(first + 4);
    if (!row.isNull(first + 5))
        choice.maxFrames = static_cast<std::uint32_t>(row.integer(first + 5));
    return choice;
}

const char *detailName(const MediaChoice &choice)
{
    return kDetailNames[static_cast<std::size_t>(choice.detail)];
}

const char *fitName(const MediaChoice &choice)
{
    return kFitNames[static_cast<std::size_t>(choice.fit)];
}

const char *roleName(Role role)
{
    return kRoles[static_cast<std::size_t>(role)];
}

Role roleFromName(std::string_view name)
{
    return fromName(kRoles, name, Role::Other);
}

const char *stateName(MessageState state)
{
    return kStates[static_cast<std::size_t>(state)];
}

MessageState stateFromName(std::string_view name)
{
    return fromName(kStates, name, MessageState::Failed);
}

const char *finishName(ReplySummary::Finish finish)
{
    return kFinishes[static_cast<std::size_t>(finish)];
}

Result<std::vector<StoredMessage>> readMessages(Database &database, const BlobFolder &blobs,
                                                MessageScope scope)
{
    Result<std::vector<StoredMessage>> messages = readHeads(database, scope);
    if (!messages)
        return messages;
    ById byId;
    for (StoredMessage &message : *messages)
        byId[message.id] = &message;
    if (!readParts(database, blobs, scope, byId))
        readPartsOneByOne(database, blobs, byId);
    (void)readStats(database, scope, byId); // an answer without its figures is still the answer

    for (StoredMessage &message : *messages) {
        if (message.state != MessageState::Streaming)
            continue;
        if (Result<std::vector<Part>> parts = joinPieces(database, message.id); parts)
            message.message.parts = std::move(*parts);
        else
            addNote(message, "this message is damaged in the database");
    }
    return messages;
}

Result<StoredMessage> readMessage(Database &database, const BlobFolder &blobs, MessageId id)
{
    Result<std::vector<StoredMessage>> found = readMessages(database, blobs, {MessageScope::By::Message, id});
    if (!found)
        return std::move(found).error();
    if (found->empty())
        return Error{ErrorCode::NotFound, "there is no message " + std::to_string(id)};
    return std::move(found->front());
}

Status insertPart(Database &database, MessageId message, std::int64_t position, const Part &part,
                  const BlobFolder::Blob *blob)
{
    Statement insert(
        database,
        std::string("INSERT INTO part (message_id, position, kind, text, call_id, call_name, media_sha256,"
                    " media_name, ") +
            kChoiceColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const auto bind = [&](const char *kind, const std::string &text, const ToolCallPart &call,
                          const MediaPart &media) {
        const MediaChoice &choice = media.choice;
        insert.bind(message, position, kind, text, call.id, call.name,
                    blob ? std::optional(blob->sha256) : std::nullopt, media.name, detailName(choice),
                    fitName(choice), choice.firstFrame, choice.fromSeconds, choice.toSeconds,
                    choice.maxFrames);
    };
    if (const auto *text = std::get_if<TextPart>(&part)) {
        bind("text", text->text, {}, {});
    } else if (const auto *thinking = std::get_if<ThinkingPart>(&part)) {
        bind("thinking", thinking->text, {}, {});
    } else if (const auto *call = std::get_if<ToolCallPart>(&part)) {
        bind("tool_call", call->argumentsJson, *call, {});
    } else {
        const auto &media = std::get<MediaPart>(part);
        CHECK(blob);
        bind(media.kind == MediaPart::Kind::Video ? "video" : "image", {}, {}, media);
    }
    return insert.run();
}

Result<MessageId> insertMessage(Database &database, ConversationId conversation, MessageId parent,
                                const Message &message, const MessageBlobs &blobs)
{
    Statement insert(database,
                     "INSERT INTO message (conversation_id, parent_id, role, role_name, name, tool_call_id,"
                     " state, created_ms, finished_ms)"
                     " VALUES (?1, nullif(?2, 0), ?3, ?4, ?5, ?6, 'complete', ?7, ?7)");
    insert.bind(conversation, parent, kRoles[static_cast<std::size_t>(message.role)], message.roleName,
                message.name, message.toolCallId, nowMs());
    if (Status inserted = insert.run(); !inserted)
        return std::move(inserted).error();
    const MessageId id = database.lastInsertId();

    std::int64_t position = 0;
    std::size_t nextBlob = 0;
    for (const Part &part : message.parts) {
        const bool media = std::holds_alternative<MediaPart>(part);
        CHECK(!media || nextBlob < blobs.size());
        const BlobFolder::Blob *blob = media ? &blobs[nextBlob++] : nullptr;
        if (Status inserted = insertPart(database, id, position++, part, blob); !inserted)
            return std::move(inserted).error();
    }
    return id;
}

Status insertPieces(Database &database, MessageId message, std::span<const ReplyPiece> pieces)
{
    Statement insert(database, "INSERT INTO reply_piece (message_id, kind, text, call_id, call_name)"
                               " VALUES (?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < pieces.size();) {
        ReplyPiece piece = pieces[i++];
        // A row for a run of tokens, not for each.
        while (piece.kind != ReplyPiece::Kind::ToolCall && i < pieces.size() && pieces[i].kind == piece.kind)
            piece.text += pieces[i++].text;
        insert.bind(message, kPieceKinds[static_cast<std::size_t>(piece.kind)], piece.text, piece.callId,
                    piece.callName);
        if (Status inserted = insert.run(); !inserted)
            return inserted;
        insert.reset();
    }
    return insert.status();
}

Result<std::vector<Part>> joinPieces(Database &database, MessageId message)
{
    Statement query(
        database, "SELECT kind, text, call_id, call_name FROM reply_piece WHERE message_id = ? ORDER BY id");
    query.bind(message);
    std::vector<Part> parts;
    while (query.row()) {
        const auto kind = fromName(kPieceKinds, query.text(0), ReplyPiece::Kind::Text);
        addPiece(parts, {kind, query.text(1), query.text(2), query.text(3)});
    }
    if (Status read = query.status(); !read)
        return std::move(read).error();
    return parts;
}

Status insertStats(Database &database, MessageId message, const ReplyStats &stats)
{
    Statement insert(
        database,
        "INSERT INTO reply_stats (message_id, model, device, thinking, temperature, top_p, min_p, top_k, "
        "seed,"
        " max_new_tokens, finish, prompt_tokens, cached_tokens, image_tokens, new_tokens, first_token_s,"
        " vision_s, prefill_s, decode_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const ReplySummary &summary = stats.summary;
    insert.bind(message, stats.model, stats.device, stats.thinking, double{stats.sampling.temperature},
                double{stats.sampling.topP}, double{stats.sampling.minP}, stats.sampling.topK, summary.seed,
                stats.maxNewTokens, finishName(summary.finish), summary.promptTokens, summary.cachedTokens,
                summary.imageTokens, summary.newTokens, stats.firstTokenSeconds, summary.visionSeconds,
                summary.prefillSeconds, summary.decodeSeconds);
    return insert.run();
}

std::string titleFor(const Message &message)
{
    constexpr std::size_t longest = 60; // code points
    std::string fallback;
    for (const Part &part : message.parts) {
        if (const auto *media = std::get_if<MediaPart>(&part); media && fallback.empty())
            fallback = media->name;
        const auto *text = std::get_if<TextPart>(&part);
        const std::size_t begin = text ? text->text.find_first_not_of(" \t\r\n") : std::string::npos;
        if (begin == std::string::npos)
            continue;
        const std::string line = text->text.substr(begin, text->text.find_first_of("\r\n", begin) - begin);
        const std::size_t bytes = bytesOfCharacters(line, longest);
        if (bytes == line.size())
            return line.substr(0, line.find_last_not_of(" \t") + 1);
        const std::size_t space = line.rfind(' ', bytes);
        return line.substr(0, space != std::string::npos && space > bytes / 2 ? space : bytes) + "…";
    }
    return fallback;
}

} // namespace perilune
