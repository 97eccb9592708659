-- People sort their chats: kept at the top, put away, in folders, under tags.
ALTER TABLE conversation ADD COLUMN pinned_ms INTEGER;   -- at the top since; NULL: not
ALTER TABLE conversation ADD COLUMN archived_ms INTEGER; -- out of the list since; NULL: not

CREATE TABLE folder (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT    NOT NULL UNIQUE CHECK (name <> ''),
    created_ms INTEGER NOT NULL
) STRICT;

-- A folder that goes leaves its chats.
ALTER TABLE conversation ADD COLUMN folder_id INTEGER REFERENCES folder (id) ON DELETE SET NULL;
CREATE INDEX conversation_by_folder ON conversation (folder_id) WHERE folder_id IS NOT NULL;

CREATE TABLE conversation_tag (
    conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    name            TEXT    NOT NULL CHECK (name <> ''),
    UNIQUE (conversation_id, name)
) STRICT;

CREATE INDEX conversation_tag_by_name ON conversation_tag (name);
