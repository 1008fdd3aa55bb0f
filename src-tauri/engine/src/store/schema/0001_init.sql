-- The first shape of a store. Never edited: a change is a new file.
-- Times are milliseconds since 1970 in UTC, by this computer's clock. Words are those of lifecycle.md.

PRAGMA application_id = 1148150635; -- "Dock"

-- About the store itself.
CREATE TABLE meta (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    store_id    TEXT    NOT NULL,
    opens       INTEGER NOT NULL, -- raised by each driver, together with its twin outside
    restored_at INTEGER,          -- it was found to be a copy, and its exports are not held yet
    change_mark INTEGER NOT NULL  -- raised by each write of an export
) STRICT;
INSERT INTO meta (one, store_id, opens, restored_at, change_mark)
VALUES (1, lower(hex(randomblob(16))), 0, NULL, 0);

CREATE TABLE export (
    seq            INTEGER PRIMARY KEY,
    id             TEXT    NOT NULL UNIQUE,
    request_key    TEXT    NOT NULL UNIQUE,
    click_id       TEXT    NOT NULL UNIQUE,
    service_id     TEXT    NOT NULL,
    address        TEXT    NOT NULL,
    tenant_id      TEXT    NOT NULL,
    subject        TEXT,
    operation      TEXT    NOT NULL,
    payload        BLOB    NOT NULL, -- canonical bytes
    payload_hash   TEXT    NOT NULL, -- SHA-256, hexadecimal
    body           BLOB    NOT NULL, -- what every submit sends
    trace_id       TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    supersedes     TEXT,
    folder         TEXT,
    title          TEXT    NOT NULL, -- JSON, like the four below
    knowledge      TEXT    NOT NULL,
    journal        TEXT    NOT NULL,
    delivery       TEXT    NOT NULL,
    facts          TEXT,
    -- Copies for lists and lookups, rewritten by each write. No guard reads them.
    stage          TEXT    NOT NULL CHECK (stage IN (
        'sending', 'waiting_to_send', 'confirming', 'accepted', 'running', 'cancelling', 'ready',
        'downloading', 'saved', 'rejected', 'not_created', 'failed', 'cancelled', 'expired',
        'unresolved')),
    section        TEXT    NOT NULL CHECK (section IN (
        'needs_attention', 'in_progress', 'finished')),
    unfinished     INTEGER NOT NULL CHECK (unfinished IN (0, 1)), -- open, or something is owed
    next_action_at INTEGER,
    version        INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    change_mark    INTEGER NOT NULL,
    search         TEXT    NOT NULL, -- lower case
    list_rank      INTEGER NOT NULL GENERATED ALWAYS AS (CASE section
        WHEN 'needs_attention' THEN 0
        WHEN 'in_progress' THEN CASE stage WHEN 'confirming' THEN 1 ELSE 2 END
        ELSE 3 END) VIRTUAL
) STRICT;

CREATE INDEX export_due ON export (next_action_at, seq) WHERE next_action_at IS NOT NULL;
CREATE INDEX export_list ON export (list_rank, created_at DESC, seq DESC);
CREATE INDEX export_stage ON export (stage, list_rank, created_at DESC, seq DESC);
-- Holds the text too, so that a search in the order of the list reads nothing else.
CREATE INDEX export_walk ON export (list_rank, created_at DESC, seq DESC, search);
CREATE INDEX export_unfinished_service ON export (service_id, operation, seq DESC)
WHERE unfinished = 1;
CREATE INDEX export_unfinished_address ON export (address, operation, seq DESC)
WHERE unfinished = 1;
CREATE INDEX export_unfinished_payload ON export (payload_hash) WHERE unfinished = 1;
CREATE INDEX export_change ON export (change_mark);
CREATE INDEX export_successor ON export (supersedes) WHERE supersedes IS NOT NULL;

-- Candidates for a search of three characters and more; the text itself decides.
CREATE VIRTUAL TABLE export_trigram USING fts5 (
    search, content = '', contentless_delete = 1, detail = none,
    tokenize = 'trigram case_sensitive 1');

CREATE TRIGGER export_trigram_new AFTER INSERT ON export BEGIN
    INSERT INTO export_trigram (rowid, search) VALUES (new.seq, new.search);
END;
CREATE TRIGGER export_trigram_change AFTER UPDATE OF search ON export
WHEN new.search <> old.search BEGIN
    UPDATE export_trigram SET search = new.search WHERE rowid = new.seq;
END;

-- How many exports stand at each rank, so that a page counts nothing.
CREATE TABLE tally (
    list_rank INTEGER PRIMARY KEY,
    exports   INTEGER NOT NULL
) STRICT;
INSERT INTO tally (list_rank, exports) VALUES (0, 0), (1, 0), (2, 0), (3, 0);

CREATE TRIGGER tally_new AFTER INSERT ON export BEGIN
    UPDATE tally SET exports = exports + 1 WHERE list_rank = new.list_rank;
END;
CREATE TRIGGER tally_move AFTER UPDATE OF stage, section ON export
WHEN new.list_rank <> old.list_rank BEGIN
    UPDATE tally SET exports = exports - 1 WHERE list_rank = old.list_rank;
    UPDATE tally SET exports = exports + 1 WHERE list_rank = new.list_rank;
END;

CREATE TABLE attempt (
    export_id   TEXT    NOT NULL REFERENCES export (id),
    attempt_no  INTEGER NOT NULL,
    kind        TEXT    NOT NULL CHECK (kind IN (
        'describe', 'submit', 'lookup', 'poll', 'abandon', 'cancel', 'download')),
    started_at  INTEGER NOT NULL,
    crossed_at  INTEGER,
    ended_at    INTEGER,
    result      TEXT,             -- JSON
    http_status INTEGER,
    phases      TEXT    NOT NULL, -- JSON
    span_id     TEXT    NOT NULL,
    times       INTEGER NOT NULL CHECK (times >= 1),
    PRIMARY KEY (export_id, attempt_no),
    CHECK ((ended_at IS NULL) = (result IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX attempt_open ON attempt (export_id, attempt_no) WHERE ended_at IS NULL;

CREATE TABLE service_profile (
    id           TEXT    PRIMARY KEY,
    name         TEXT    NOT NULL,
    address      TEXT    NOT NULL,
    tenant_id    TEXT    NOT NULL,
    practice     TEXT    NOT NULL CHECK (practice IN ('no', 'yes')),
    caller       TEXT,   -- JSON, like the two below
    facts        TEXT,
    catalogue    TEXT,
    catalogue_at INTEGER,
    added_at     INTEGER NOT NULL,
    removed_at   INTEGER, -- its name stays for the exports that it had
    CHECK ((catalogue IS NULL) = (catalogue_at IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX service_profile_live ON service_profile (address, tenant_id)
WHERE removed_at IS NULL;
