//! Questions of the driver alone: what is due, service by service and lane by lane, when it is to
//! look next, and whether a job is taken.
//!
//! They are answered off an index: what is not to be called now is not read, however much it is.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use super::{
    Store,
    columns::{count, maybe_time, millis, time},
    error::StoreError,
    export,
};
use crate::{
    export::{ExportId, ServiceId},
    record::Record,
};

/// By which way an export goes on. Computed by the store (`0003_lanes.sql`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// A submit, an abandon or a cancel of it is under way.
    UnderWay,
    /// A person asked for a look, or to send it again.
    Asked,
    /// A call to the service.
    Call,
    /// The fetch of its file.
    Fetch,
}

impl Lane {
    const ALL: [Self; 4] = [Self::UnderWay, Self::Asked, Self::Call, Self::Fetch];
}

/// Exports of one service with something planned, by one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Whose.
    pub service: ServiceId,
    /// By which way.
    pub lane: Lane,
    /// When the first of them is due.
    pub first_at: Timestamp,
}

/// An export that is due, and its place in its queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Which.
    pub id: ExportId,
    /// Since when.
    pub at: Timestamp,
    seq: i64,
}

/// A place among the open exports of a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(i64);

/// The first of each queue, hopping over the index from service to service.
pub(super) const QUEUES: &str = "WITH RECURSIVE service (id) AS ( \
     SELECT min(service_id) FROM export INDEXED BY export_lane WHERE next_action_at IS NOT NULL \
     UNION ALL \
     SELECT (SELECT min(service_id) FROM export INDEXED BY export_lane \
     WHERE next_action_at IS NOT NULL AND service_id > service.id) \
     FROM service WHERE service.id IS NOT NULL), \
     way (lane) AS (VALUES (0), (1), (2), (3)) \
     SELECT service.id, way.lane, (SELECT min(next_action_at) \
     FROM export INDEXED BY export_lane WHERE next_action_at IS NOT NULL \
     AND service_id = service.id AND lane = way.lane) AS first_at \
     FROM service CROSS JOIN way WHERE service.id IS NOT NULL AND first_at IS NOT NULL \
     ORDER BY 1, 2";

/// What is due in one queue after a place in it.
pub(super) const DUE: &str = "SELECT id, next_action_at, seq FROM export INDEXED BY export_lane \
     WHERE next_action_at IS NOT NULL AND service_id = ?1 AND lane = ?2 AND next_action_at <= ?3 \
     AND (next_action_at, seq) > (?4, ?5) ORDER BY next_action_at, seq LIMIT ?6";

/// What is due next in one queue.
pub(super) const NEXT_DUE: &str = "SELECT next_action_at FROM export INDEXED BY export_lane \
     WHERE next_action_at IS NOT NULL AND service_id = ?1 AND lane = ?2 AND next_action_at > ?3 \
     ORDER BY next_action_at LIMIT 1";

/// The open exports of one service after a place among them.
pub(super) const OPEN_AFTER: &str = "SELECT id, seq FROM export \
     INDEXED BY export_unfinished_seq \
     WHERE unfinished = 1 AND service_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";

/// Whether another export holds a job.
pub(super) const HELD_BY_ANOTHER: &str =
    "SELECT EXISTS (SELECT 1 FROM known_job WHERE business_id = ?1 AND export_id <> ?2)";

/// Successors that wait for a seal.
pub(super) const WAITING: &str = "INDEXED BY export_successor WHERE supersedes IS NOT NULL \
     AND unfinished = 1 AND json_extract(journal, '$.turn') = 'after_seal' ORDER BY seq";

impl Store {
    /// Every queue in which something is planned, by service and lane.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn queues(&self) -> Result<Vec<Queue>, StoreError> {
        self.read(|conn| {
            let mut statement = conn.prepare_cached(QUEUES)?;
            let mut rows = statement.query([])?;
            let mut queues = Vec::new();
            while let Some(row) = rows.next()? {
                let lane: usize = count(row.get(1)?, "lane")?;
                queues.push(Queue {
                    service: ServiceId::from_text(row.get::<_, String>(0)?),
                    lane: *Lane::ALL.get(lane).ok_or_else(|| StoreError::column("lane"))?,
                    first_at: time(row.get(2)?, "next_action_at")?,
                });
            }
            Ok(queues)
        })
    }

    /// What is due at `now` in one queue, the longest due first, after another one of it where one
    /// is given. Reads no export: each is read when its turn comes.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn due(
        &self,
        (service, lane): (&ServiceId, Lane),
        now: Timestamp,
        after: Option<&Due>,
        limit: u32,
    ) -> Result<Vec<Due>, StoreError> {
        let (at, seq) = after.map_or((i64::MIN, 0), |due| (millis(due.at), due.seq));
        self.read(|conn| {
            let mut statement = conn.prepare_cached(DUE)?;
            let number = lane as i64;
            let mut rows =
                statement.query((service.as_str(), number, millis(now), at, seq, limit))?;
            let mut due = Vec::new();
            while let Some(row) = rows.next()? {
                due.push(Due {
                    id: ExportId::from_text(row.get::<_, String>(0)?),
                    at: time(row.get(1)?, "next_action_at")?,
                    seq: row.get(2)?,
                });
            }
            Ok(due)
        })
    }

    /// When something is to be done next in one queue, after `now`.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn next_due_after(
        &self,
        (service, lane): (&ServiceId, Lane),
        now: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        self.read(|conn| {
            let next: Option<i64> = conn
                .prepare_cached(NEXT_DUE)?
                .query_row((service.as_str(), lane as i64, millis(now)), |row| row.get(0))
                .optional()?;
            maybe_time(next, "next_action_at")
        })
    }

    /// The next `limit` open exports of a service, in the order in which they were recorded, and
    /// the place to go on from; none after the last.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn open_after(
        &self,
        service: &ServiceId,
        place: Place,
        limit: u32,
    ) -> Result<Option<(Vec<ExportId>, Place)>, StoreError> {
        self.read(|conn| {
            let page = open_after(conn, service, place, limit)?;
            let last = page.last().map(|(_, seq)| Place(*seq));
            Ok(last.map(|last| (page.into_iter().map(|(id, _)| id).collect(), last)))
        })
    }

    /// The exports that wait for the one that they mend or repeat, oldest first.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn waiting_for_their_turn(&self) -> Result<Vec<Record>, StoreError> {
        self.read(|conn| Ok(self.readable(export::select_each(conn, WAITING, [])?)))
    }

    /// Whether another export than `id` knows a job of this id as its own.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn holds_job(&self, business_id: &str, id: &ExportId) -> Result<bool, StoreError> {
        self.read(|conn| {
            Ok(conn
                .prepare_cached(HELD_BY_ANOTHER)?
                .query_row((business_id, id.as_str()), |row| row.get(0))?)
        })
    }
}

fn open_after(
    conn: &Connection,
    service: &ServiceId,
    place: Place,
    limit: u32,
) -> Result<Vec<(ExportId, i64)>, StoreError> {
    let mut statement = conn.prepare_cached(OPEN_AFTER)?;
    let mut rows = statement.query((service.as_str(), place.0, limit))?;
    let mut open = Vec::new();
    while let Some(row) = rows.next()? {
        open.push((ExportId::from_text(row.get::<_, String>(0)?), row.get(1)?));
    }
    Ok(open)
}
