//! Table `open_jobs`: how many jobs of each tenant are queued, and how many run.
//!
//! Kept by triggers on `export_job`, so that a submit counts nothing. What must stay true: it says
//! what counting would.

use rusqlite::{Connection, params};

use super::{StoreError, count};

/// Jobs queued or running, over all tenants.
pub(super) fn all(connection: &Connection) -> Result<u64, StoreError> {
    Ok(connection
        .prepare_cached("SELECT coalesce(sum(jobs), 0) FROM open_jobs")?
        .query_row([], |row| row.get(0).map(count))?)
}

/// How many jobs of the tenant a new one would wait for. Other tenants' jobs are not hinted at.
pub(super) fn queued_of(connection: &Connection, tenant_id: &str) -> Result<u64, StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT coalesce(sum(jobs), 0) FROM open_jobs
             WHERE tenant_id = ?1 AND status = 'queued'",
        )?
        .query_row(params![tenant_id], |row| row.get(0).map(count))?)
}

#[cfg(test)]
mod tests {
    use rusqlite_migration::{M, Migrations};

    use super::*;
    use crate::store::SCHEMA;

    fn at_step(connection: &mut Connection, steps: usize) {
        let steps = SCHEMA[..steps].iter().map(|step| M::up(step)).collect();
        Migrations::new(steps).to_latest(connection).unwrap();
    }

    fn insert(connection: &Connection, id: &str, tenant: &str, status: &str) {
        let settled = if status == "queued" || status == "running" { None } else { Some(1) };
        connection
            .execute(
                "INSERT INTO export_job (business_id, tenant_id, operation, payload_hash,
                     requested_by, parameters, format, language, status, revision, created_at,
                     updated_at, settled_at)
                 VALUES (?1, ?2, 'orders', '', 'ada', '{}', 'csv', 'en', ?3, 1, 1, 1, ?4)",
                params![id, tenant, status, settled],
            )
            .unwrap();
    }

    fn becomes(connection: &Connection, id: &str, status: &str) {
        let settled = if status == "queued" || status == "running" { None } else { Some(1) };
        connection
            .execute(
                "UPDATE export_job SET status = ?2, settled_at = ?3 WHERE business_id = ?1",
                params![id, status, settled],
            )
            .unwrap();
    }

    /// Asserts that the table says what counting says.
    fn says_what_counting_says(connection: &Connection) {
        let counted = |query: &str| -> u64 {
            connection.query_row(query, [], |row| row.get(0).map(super::count)).unwrap()
        };
        let open = "SELECT count(*) FROM export_job WHERE status IN ('queued', 'running')";
        assert_eq!(all(connection).unwrap(), counted(open));
        for tenant in ["acme", "umbra", "nobody"] {
            let queued = format!(
                "SELECT count(*) FROM export_job WHERE status = 'queued' AND tenant_id = '{tenant}'"
            );
            assert_eq!(queued_of(connection, tenant).unwrap(), counted(&queued), "{tenant}");
        }
    }

    #[test]
    fn the_table_says_what_counting_would() {
        let mut connection = Connection::open_in_memory().unwrap();
        at_step(&mut connection, 1);
        for (id, tenant, status) in [
            ("a", "acme", "queued"),
            ("b", "acme", "running"),
            ("c", "umbra", "queued"),
            ("d", "umbra", "succeeded"),
        ] {
            insert(&connection, id, tenant, status);
        }
        at_step(&mut connection, SCHEMA.len());
        says_what_counting_says(&connection);
        insert(&connection, "e", "umbra", "queued");
        insert(&connection, "f", "umbra", "cancelled");
        says_what_counting_says(&connection);
        for (id, status) in
            [("a", "running"), ("a", "queued"), ("c", "running"), ("c", "failed"), ("d", "expired")]
        {
            becomes(&connection, id, status);
            says_what_counting_says(&connection);
        }
        connection.execute("DELETE FROM export_job WHERE business_id IN ('a', 'd')", []).unwrap();
        says_what_counting_says(&connection);
    }
}
