-- What tells damage that SQLite can not see, and what a person has to be told of it.

-- CRC-32 of what never changes about an intent, and of the rest. NULL: never sealed.
ALTER TABLE export ADD COLUMN intent_seal INTEGER;
ALTER TABLE export ADD COLUMN state_seal INTEGER;

-- What happened to the store, until the person has read it.
CREATE TABLE notice (
    id           INTEGER PRIMARY KEY,
    at           INTEGER NOT NULL,
    what         TEXT    NOT NULL, -- JSON
    dismissed_at INTEGER
) STRICT;
