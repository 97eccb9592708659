-- Finding words in any script: for each message the one, two and three characters that stand side by side in it,
-- folded (case, accents, forms of letters). FTS5's own tokenizers take a Chinese sentence for one word, or find
-- nothing shorter than three characters. The index only proposes messages; their text decides. It keeps no text,
-- and all of it can be made anew from the parts: damage to it loses nothing.
CREATE VIRTUAL TABLE search_index USING fts5 (grams, content = '', detail = 'none', tokenize = 'ascii');

-- Which way of folding a message is in the index by; 0: it isn't, and is found by reading.
ALTER TABLE message ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX message_to_index ON message (id) WHERE indexed = 0;
