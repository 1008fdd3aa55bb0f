//! The one row that a restore changes: the epoch, and when the last restore was declared.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

use super::{count, integer, millis, timestamp};
use crate::clock::{earlier, later};

/// How far First-Sent may lie ahead of the service's clock. For as long after a restore no key is
/// trusted: one of them may have been recorded in the part that the restore took away.
pub(crate) const CLOCK_TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// Which life of the database this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ServiceState {
    pub(crate) service_epoch: u64,
    pub(crate) restored_at: Option<Timestamp>,
}

impl ServiceState {
    /// A key first sent before this may have been forgotten.
    pub(crate) fn remembers_since(&self, now: Timestamp, key_retention: Duration) -> Timestamp {
        let kept = earlier(now, key_retention);
        self.restored_at.map_or(kept, |restored| kept.max(later(restored, CLOCK_TOLERANCE)))
    }
}

pub(super) fn read(connection: &Connection) -> rusqlite::Result<ServiceState> {
    connection.query_row("SELECT service_epoch, restored_at FROM service_state", [], |row| {
        Ok(ServiceState {
            service_epoch: count(row.get(0)?),
            restored_at: row.get::<_, Option<i64>>(1)?.map(timestamp),
        })
    })
}

/// Begins a new epoch. The same old copy may be put back twice, so the one before it is no measure:
/// the epoch takes the clock's seconds, which no earlier epoch reached.
pub(super) fn declare_restore(tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
    let epoch = count(now.as_second()).max(read(tx)?.service_epoch + 1);
    tx.execute(
        "UPDATE service_state SET service_epoch = ?1, restored_at = ?2",
        params![integer(epoch), millis(now)],
    )?;
    Ok(())
}
