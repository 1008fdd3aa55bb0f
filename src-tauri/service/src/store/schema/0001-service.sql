-- Times are milliseconds since 1970-01-01T00:00:00Z, in the service's clock.

CREATE TABLE service_state (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    service_epoch INTEGER NOT NULL,
    restored_at   INTEGER
) STRICT;

INSERT INTO service_state (id, service_epoch) VALUES (1, 1);

-- One row per key that was accepted (`present`) or fenced off for ever (`abandoned`).
-- Its primary key is the constraint that settles every race.
CREATE TABLE request_record (
    tenant_id     TEXT    NOT NULL,
    operation     TEXT    NOT NULL,
    request_key   TEXT    NOT NULL,
    payload_hash  TEXT,
    subject       TEXT    NOT NULL,
    state         TEXT    NOT NULL CHECK (state IN ('present', 'abandoned')),
    business_id   TEXT    REFERENCES export_job (business_id) DEFERRABLE INITIALLY DEFERRED,
    first_sent_at INTEGER NOT NULL,
    recorded_at   INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, operation, request_key),
    CHECK ((state = 'present') = (business_id IS NOT NULL)),
    CHECK ((state = 'present') = (payload_hash IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX request_record_by_age ON request_record (first_sent_at);

CREATE TABLE export_job (
    business_id      TEXT    PRIMARY KEY,
    tenant_id        TEXT    NOT NULL,
    operation        TEXT    NOT NULL,
    request_key      TEXT,
    payload_hash     TEXT    NOT NULL,
    requested_by     TEXT    NOT NULL,
    parameters       TEXT    NOT NULL,
    format           TEXT    NOT NULL,
    language         TEXT    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN
                         ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
    revision         INTEGER NOT NULL,
    queue_ahead      INTEGER,
    progress_done    INTEGER,
    progress_total   INTEGER,
    progress_step    TEXT,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    settled_at       INTEGER,
    expires_at       INTEGER,
    file_name        TEXT,
    file_size        INTEGER,
    file_media_type  TEXT,
    file_sha256      TEXT,
    problem          TEXT,
    warnings         TEXT,
    cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
    lease_holder     TEXT,
    lease_until      INTEGER,
    takeovers        INTEGER NOT NULL DEFAULT 0,
    CHECK ((status IN ('queued', 'running')) = (settled_at IS NULL))
) STRICT;

CREATE INDEX export_job_open ON export_job (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX export_job_kept ON export_job (expires_at) WHERE status = 'succeeded';
CREATE INDEX export_job_by_traits ON export_job (tenant_id, operation, created_at);
