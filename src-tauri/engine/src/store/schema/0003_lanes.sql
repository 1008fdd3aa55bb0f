-- Who goes next, service by service and lane by lane, read off an index alone: what is due of a
-- service that is not called now is not read. And which export holds which job.

-- 0 a change is under way, 1 a person asked, 2 a call, 3 the fetch of a file.
ALTER TABLE export ADD COLUMN lane INTEGER NOT NULL GENERATED ALWAYS AS (CASE
    WHEN NOT json_valid(journal) THEN 2
    WHEN json_array_length(journal, '$.in_flight') > 0 THEN 0
    WHEN json_extract(journal, '$.wishes.resend') THEN 1
    WHEN json_extract(journal, '$.wishes.check') THEN
        CASE WHEN stage IN ('ready', 'downloading') THEN 2 ELSE 1 END
    WHEN stage IN ('ready', 'downloading') THEN 3
    ELSE 2 END) VIRTUAL;
DROP INDEX export_due;
CREATE INDEX export_lane ON export (service_id, lane, next_action_at, seq)
WHERE next_action_at IS NOT NULL;

-- A job once found stays found, so a row here stays too.
CREATE TABLE known_job (
    business_id TEXT NOT NULL,
    export_id   TEXT NOT NULL,
    PRIMARY KEY (business_id, export_id)
) STRICT, WITHOUT ROWID;
INSERT INTO known_job (business_id, export_id)
SELECT job.key, export.id FROM export, json_each(export.knowledge, '$.jobs') AS job;
CREATE TRIGGER known_job_new AFTER INSERT ON export BEGIN
    INSERT OR IGNORE INTO known_job (business_id, export_id)
    SELECT job.key, new.id FROM json_each(new.knowledge, '$.jobs') AS job;
END;
CREATE TRIGGER known_job_more AFTER UPDATE OF knowledge ON export
WHEN new.knowledge <> old.knowledge BEGIN
    INSERT OR IGNORE INTO known_job (business_id, export_id)
    SELECT job.key, new.id FROM json_each(new.knowledge, '$.jobs') AS job;
END;

-- The open exports of one service in the order in which they were recorded, page by page.
CREATE INDEX export_unfinished_seq ON export (service_id, seq) WHERE unfinished = 1;
