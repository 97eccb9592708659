-- Conversations as trees of messages that only grow, the parts of each message as rows (so that search and
-- export never parse), media by the SHA-256 of their bytes, statistics of each answer, and drafts.

CREATE TABLE conversation (
    id            INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, so that links stay true
    title         TEXT    NOT NULL DEFAULT '',
    title_source  TEXT    NOT NULL DEFAULT 'none' CHECK (title_source IN ('none', 'message', 'model', 'person')),
    system_prompt TEXT    NOT NULL DEFAULT '',
    tip_id        INTEGER, -- the end of the branch in view; NULL where there are no messages
    created_ms    INTEGER NOT NULL, -- Unix time, UTC, here and below
    updated_ms    INTEGER NOT NULL,
    deleted_ms    INTEGER, -- in the bin since
    FOREIGN KEY (tip_id, id) REFERENCES message (id, conversation_id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX conversation_by_update ON conversation (updated_ms);

CREATE TABLE message (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    parent_id       INTEGER, -- NULL: it begins the conversation
    role            TEXT    NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool', 'other')),
    role_name       TEXT    NOT NULL DEFAULT '', -- of role 'other'
    name            TEXT    NOT NULL DEFAULT '',
    tool_call_id    TEXT    NOT NULL DEFAULT '',
    state           TEXT    NOT NULL CHECK (state IN ('streaming', 'complete', 'cancelled', 'failed')),
    note            TEXT    NOT NULL DEFAULT '', -- why it failed, or was cut off
    writer          TEXT    NOT NULL DEFAULT '', -- while streaming: who writes it
    created_ms      INTEGER NOT NULL,
    finished_ms     INTEGER,
    deleted_ms      INTEGER, -- this branch is in the bin since
    UNIQUE (id, conversation_id),
    -- Deferred and without a cascade: deleting a chat of 10,000 messages must not recurse as deep.
    FOREIGN KEY (parent_id, conversation_id) REFERENCES message (id, conversation_id)
        DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX message_by_parent ON message (conversation_id, parent_id);
CREATE INDEX message_streaming ON message (writer) WHERE state = 'streaming';

CREATE TABLE media (
    sha256     TEXT    PRIMARY KEY CHECK (length(sha256) = 64), -- also the name of the file
    bytes      INTEGER NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE part (
    message_id   INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL, -- 0 is the first
    kind         TEXT    NOT NULL CHECK (kind IN ('text', 'thinking', 'tool_call', 'image', 'video')),
    text         TEXT    NOT NULL DEFAULT '', -- of a tool call: its arguments, as the model wrote them
    call_id      TEXT    NOT NULL DEFAULT '',
    call_name    TEXT    NOT NULL DEFAULT '',
    media_sha256 TEXT    REFERENCES media (sha256),
    media_name   TEXT    NOT NULL DEFAULT '', -- what the person called the file
    UNIQUE (message_id, position),
    CHECK ((kind IN ('image', 'video')) = (media_sha256 IS NOT NULL))
) STRICT;

CREATE INDEX part_by_media ON part (media_sha256) WHERE media_sha256 IS NOT NULL;

-- An answer while it is written, in the order of arrival; becomes rows of `part` when the answer ends. So a
-- checkpoint costs what has arrived since the last one, not the whole answer again.
CREATE TABLE reply_piece (
    id         INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    kind       TEXT    NOT NULL CHECK (kind IN ('text', 'thinking', 'tool_call')),
    text       TEXT    NOT NULL,
    call_id    TEXT    NOT NULL DEFAULT '',
    call_name  TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX reply_piece_by_message ON reply_piece (message_id, id);

CREATE TABLE reply_stats (
    message_id     INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
    model          TEXT    NOT NULL,
    device         TEXT    NOT NULL,
    thinking       INTEGER NOT NULL,
    temperature    REAL    NOT NULL,
    top_p          REAL    NOT NULL,
    min_p          REAL    NOT NULL,
    top_k          INTEGER NOT NULL,
    seed           INTEGER NOT NULL, -- 64 bits, the upper half of its range as negative numbers
    max_new_tokens INTEGER NOT NULL,
    finish         TEXT    NOT NULL CHECK (finish IN ('stop', 'length', 'tool_calls', 'cancelled')),
    prompt_tokens  INTEGER NOT NULL,
    cached_tokens  INTEGER NOT NULL,
    image_tokens   INTEGER NOT NULL,
    new_tokens     INTEGER NOT NULL,
    first_token_s  REAL    NOT NULL,
    vision_s       REAL    NOT NULL,
    prefill_s      REAL    NOT NULL,
    decode_s       REAL    NOT NULL
) STRICT;

CREATE TABLE draft (
    id              INTEGER PRIMARY KEY,
    conversation_id INTEGER UNIQUE REFERENCES conversation (id) ON DELETE CASCADE, -- NULL: a chat not begun
    text            TEXT    NOT NULL,
    updated_ms      INTEGER NOT NULL
) STRICT;

CREATE TABLE draft_media (
    draft_id INTEGER NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('image', 'video')),
    path     TEXT    NOT NULL, -- where the person has the file
    name     TEXT    NOT NULL,
    UNIQUE (draft_id, position)
) STRICT;
