#pragma once

#include "app/store/stored_types.h"
#include "engine/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

/// The bytes of a media part's file.
using ReadMedia = std::function<Result<std::string>(const MediaPart &)>;

/// A conversation with all its branches as one JSON document:
///
/// `{"format":"perilune-conversation","version":1,"id":s,"title":s,"created":s,"updated":s,"system_prompt":s,
///   "tip":n,"messages":[{"id":n,"parent":n|null,"role":s,"state":s,"note":s,"created":s,"finished":s|null,
///   "parts":[…],"stats":{…}|null}…],"media":{SHA256:{"bytes":n,"data":base64}…}}`
///
/// A part is one of `{"type":"text","text":s}`, `{"type":"thinking","thinking":s}`,
/// `{"type":"tool_call","id":s,"name":s,"arguments":s}`, `{"type":"image"|"video","name":s,"sha256":s}`.
/// Times are UTC, ISO 8601. `tree` has every message, parents before children; `tip` ends the branch in view.
/// Without `readMedia` the media are named only. Bytes that are no UTF-8 become U+FFFD.
std::string toJson(const StoredConversation &conversation, const std::vector<StoredMessage> &tree,
                   const ReadMedia &readMedia = {});

/// A conversation read back: messages with the ids of the document, media as bytes by SHA-256.
struct ImportedConversation {
    std::string title, systemPrompt;
    std::vector<StoredMessage> tree; ///< MediaPart::path is the SHA-256
    MessageId tip = 0;
    struct Media {
        std::string sha256, bytes;
    };
    std::vector<Media> media;
};

/// InvalidInput, naming the place, where the document isn't what toJson writes; unknown keys are ignored.
Result<ImportedConversation> fromJson(std::string_view text);

/// Milliseconds since 1970 as "2026-11-30T21:25:16.123Z", and back (0 where it is no such time).
std::string isoTime(std::int64_t ms);
std::int64_t timeFromIso(const std::string &text);

std::string toBase64(std::string_view bytes);
/// InvalidInput where it isn't base64.
Result<std::string> fromBase64(std::string_view text);

} // namespace perilune
