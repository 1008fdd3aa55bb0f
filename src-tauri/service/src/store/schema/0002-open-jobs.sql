-- What a submit counts and what a worker looks for, so that neither takes longer the more jobs there are.

DROP INDEX export_job_open;

-- The queue as workers take it, the queue of one tenant, and the leases as they run out.
CREATE INDEX export_job_queued ON export_job (created_at) WHERE status = 'queued';
CREATE INDEX export_job_queue_of ON export_job (tenant_id, created_at) WHERE status = 'queued';
CREATE INDEX export_job_leased ON export_job (lease_until) WHERE status = 'running';

-- How many jobs of each tenant are queued, and how many run.
CREATE TABLE open_jobs (
    tenant_id TEXT    NOT NULL,
    status    TEXT    NOT NULL CHECK (status IN ('queued', 'running')),
    jobs      INTEGER NOT NULL CHECK (jobs >= 0),
    PRIMARY KEY (tenant_id, status)
) STRICT, WITHOUT ROWID;

INSERT INTO open_jobs (tenant_id, status, jobs)
SELECT tenant_id, status, count(*) FROM export_job
WHERE status IN ('queued', 'running') GROUP BY tenant_id, status;

CREATE TRIGGER open_jobs_new AFTER INSERT ON export_job
WHEN new.status IN ('queued', 'running') BEGIN
    INSERT INTO open_jobs (tenant_id, status, jobs) VALUES (new.tenant_id, new.status, 1)
    ON CONFLICT (tenant_id, status) DO UPDATE SET jobs = jobs + 1;
END;

CREATE TRIGGER open_jobs_move AFTER UPDATE OF status ON export_job
WHEN new.status <> old.status BEGIN
    UPDATE open_jobs SET jobs = jobs - 1 WHERE tenant_id = old.tenant_id AND status = old.status;
    INSERT INTO open_jobs (tenant_id, status, jobs)
    SELECT new.tenant_id, new.status, 1 WHERE new.status IN ('queued', 'running')
    ON CONFLICT (tenant_id, status) DO UPDATE SET jobs = jobs + 1;
END;

CREATE TRIGGER open_jobs_gone AFTER DELETE ON export_job BEGIN
    UPDATE open_jobs SET jobs = jobs - 1 WHERE tenant_id = old.tenant_id AND status = old.status;
END;
