#pragma once

#include "app/export/document.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// The bytes of a media part's file.
using ReadMedia = std::function<Result<std::string>(const MediaPart &)>;

/// A conversation with all its branches as one JSON document:
///
/// `{"format":"perilune-conversation","version":1,"id":s,"title":s,"created":s,"updated":s,"folder":s,"tags":[s…],
///   "pinned":b,"archived":b,"system_prompt":s,"tip":n,"messages":[{"id":n,"parent":n|null,"role":s,"state":s,"note":s,"created":s,"finished":s|null,
///   "parts":[…],"stats":{…}|null}…],"media":{SHA256:{"bytes":n,"data":base64}…}}`
///
/// A part is one of `{"type":"text","text":s}`, `{"type":"thinking","thinking":s}`,
/// `{"type":"tool_call","id":s,"name":s,"arguments":s}`, `{"type":"image"|"video","name":s,"sha256":s}`.
/// `stats` says how an answer was made: `model`, `device`, `thinking`, `temperature`, `top_p`, `min_p`,
/// `top_k`, `seed` (digits in a string: 64 bits), `max_new_tokens`, `finish`, `prompt_tokens`,
/// `cached_tokens`, `image_tokens`, `new_tokens`, `first_token_s`, `vision_s`, `prefill_s`, `decode_s`. Times
/// are UTC, ISO 8601. Parents stand before children; `tip` ends the branch in view. Without `readMedia` the
/// media are named only. Bytes that are no UTF-8 become U+FFFD. One medium is in memory at a time.
Status writeJson(const ExportedChat &chat, const ReadMedia &readMedia, const ExportTarget &target);

/// The same as text.
std::string toJson(const ExportedChat &chat, const ReadMedia &readMedia = {});

/// A conversation read back: messages with the ids of the document, media as bytes by SHA-256.
struct ImportedConversation {
    std::string title, systemPrompt;
    std::vector<StoredMessage> tree; ///< MediaPart::path is the SHA-256
    MessageId tip = 0;
    std::string folder; ///< empty: in none
    std::vector<std::string> tags;
    bool pinned = false, archived = false;
    struct Media {
        std::string sha256, bytes;
    };
    std::vector<Media> media;
};

/// InvalidInput, naming the place, where the document isn't what writeJson writes; unknown keys are ignored.
Result<ImportedConversation> fromJson(std::string_view text);

/// Milliseconds since 1970 as "2026-11-30T21:25:16.123Z", and back (0 where it is no such time).
std::string isoTime(std::int64_t ms);
std::int64_t timeFromIso(const std::string &text);

std::string toBase64(std::string_view bytes);
/// InvalidInput where it isn't base64.
Result<std::string> fromBase64(std::string_view text);

} // namespace perilune
