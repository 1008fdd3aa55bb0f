//! Table `service_profile`: the services that the person has added.
//!
//! A service that is removed stays as a row, so that the exports it had keep its name. No
//! credential is ever here.

use std::{path::PathBuf, sync::Arc};

use docket_wire::{Caller, OperationList};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, named_params};

use super::{
    Store,
    catalogue::Catalogues,
    columns::{maybe_from_json, maybe_json, maybe_time, millis, time, word},
    error::{Damage, StoreError},
    export,
};
use crate::{attempt::words, capabilities::ServiceFacts, export::ServiceId};

words!(
    /// Whether a service is the one that this program carries for practice.
    Practice {
        /// A real one.
        No = "no",
        /// The program's own.
        Yes = "yes",
    }
);

/// A service as the person added it, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceProfile {
    /// Its id on this computer.
    pub id: ServiceId,
    /// What the person calls it.
    pub name: String,
    /// Its address, normalised.
    pub address: String,
    /// The tenant.
    pub tenant_id: String,
    /// Whether it is for practice.
    pub practice: Practice,
    /// Whose credential is here, once the service said so.
    pub caller: Option<Caller>,
    /// What the last describe learnt.
    pub facts: Option<ServiceFacts>,
    /// What may be asked for, as the service told it last.
    pub catalogue: Option<Catalogue>,
    /// When it was added.
    pub added_at: Timestamp,
    /// When it was removed.
    pub removed_at: Option<Timestamp>,
}

/// What may be asked for at a service, as it was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    /// As the service told it.
    pub operations: Arc<OperationList>,
    /// When, by this computer's clock.
    pub fetched_at: Timestamp,
}

/// What became of a service that was to be added.
#[derive(Clone, Debug, PartialEq)]
pub enum Added {
    /// It is there now.
    New(ServiceProfile),
    /// One of the same address and tenant was there; it is unchanged.
    AlreadyThere(ServiceProfile),
}

/// What became of a service that was to be removed.
#[derive(Clone, Debug, PartialEq)]
pub enum Removed {
    /// It is no longer listed.
    Gone,
    /// It has so many exports that are not settled; it is unchanged.
    InUse(u32),
    /// There is no such service.
    Unknown,
}

const COLUMNS: &str = "id, name, address, tenant_id, practice, caller, facts, catalogue, \
     catalogue_at, added_at, removed_at";

impl Store {
    /// Adds a service.
    ///
    /// # Errors
    /// A store that can not be written.
    pub fn add_service(&self, profile: ServiceProfile) -> Result<Added, StoreError> {
        self.write(|tx| {
            let there = select(
                tx,
                &self.catalogues,
                "WHERE removed_at IS NULL AND address = ?1 AND tenant_id = ?2",
                (&profile.address, &profile.tenant_id),
            )?;
            if let Some(there) = there.into_iter().next() {
                return Ok(Added::AlreadyThere(there));
            }
            write(tx, &profile)?;
            Ok(Added::New(profile))
        })
    }

    /// The services that were added and not removed, in the order in which they were added. One whose
    /// row can not be read is left out.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn services(&self) -> Result<Vec<ServiceProfile>, StoreError> {
        self.read(|conn| {
            let live = "WHERE removed_at IS NULL ORDER BY added_at, id";
            Ok(self.readable(select_each(conn, &self.catalogues, live, [])?))
        })
    }

    /// A service by its id, also one that was removed.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn service(&self, id: &ServiceId) -> Result<Option<ServiceProfile>, StoreError> {
        self.read(|conn| self.select_one(conn, "WHERE id = ?1", id))
    }

    /// Whose credential is here, where the service said so; without reading the rest of it.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn caller_of(&self, id: &ServiceId) -> Result<Option<Caller>, StoreError> {
        self.read(|conn| {
            let text: Option<Option<String>> = conn
                .prepare_cached("SELECT caller FROM service_profile WHERE id = ?1")?
                .query_row([id.as_str()], |row| row.get(0))
                .optional()?;
            maybe_from_json(text.flatten().as_deref(), "caller")
        })
    }

    /// What is known of a service by its last describe; None where nothing is.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn facts_of(&self, id: &ServiceId) -> Result<Option<ServiceFacts>, StoreError> {
        self.read(|conn| facts_of(conn, id))
    }

    /// Changes what is known of a service. Nothing is written where `apply` changes nothing. A new
    /// name is put into the search text of all its exports. None where there is no such service.
    ///
    /// # Errors
    /// A store that can not be written.
    pub fn update_service(
        &self,
        id: &ServiceId,
        apply: &mut dyn FnMut(&mut ServiceProfile),
    ) -> Result<Option<ServiceProfile>, StoreError> {
        self.write(|tx| {
            let Some(before) = self.select_one(tx, "WHERE id = ?1", id)? else {
                return Ok(None);
            };
            let mut profile = before.clone();
            apply(&mut profile);
            profile.id = before.id.clone();
            if profile != before {
                write(tx, &profile)?;
            }
            if profile.name != before.name {
                export::rename_service(tx, id, &profile.name)?;
            }
            Ok(Some(profile))
        })
    }

    /// Removes a service that has no open export, and none of which a call is under way or planned:
    /// what such a call brings may open it again.
    ///
    /// # Errors
    /// A store that can not be written.
    pub fn remove_service(&self, id: &ServiceId, now: Timestamp) -> Result<Removed, StoreError> {
        self.write(|tx| {
            let live = self.select_one(tx, "WHERE removed_at IS NULL AND id = ?1", id)?;
            let Some(mut profile) = live else { return Ok(Removed::Unknown) };
            let open = in_use_by(tx, id)?;
            if open > 0 {
                return Ok(Removed::InUse(open));
            }
            profile.removed_at = Some(now);
            write(tx, &profile)?;
            Ok(Removed::Gone)
        })
    }

    fn select_one(
        &self,
        conn: &Connection,
        clauses: &'static str,
        id: &ServiceId,
    ) -> Result<Option<ServiceProfile>, StoreError> {
        Ok(select(conn, &self.catalogues, clauses, [id.as_str()])?.pop())
    }
}

pub(super) fn facts_of(
    conn: &Connection,
    id: &ServiceId,
) -> Result<Option<ServiceFacts>, StoreError> {
    let text: Option<Option<String>> = conn
        .prepare_cached("SELECT facts FROM service_profile WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    maybe_from_json(text.flatten().as_deref(), "facts")
}

/// How many exports of a service are not settled.
pub(super) fn unsettled_of(conn: &Connection, service: &ServiceId) -> Result<u32, StoreError> {
    Ok(conn
        .prepare_cached(
            "SELECT count(*) FROM export INDEXED BY export_unfinished_seq \
             WHERE unfinished = 1 AND service_id = ?1 \
             AND stage NOT IN ('saved', 'rejected', 'not_created', 'failed', 'cancelled', 'expired')",
        )?
        .query_row([service.as_str()], |row| row.get(0))?)
}

/// How many exports of a service are not settled, or have a call under way or planned.
fn in_use_by(conn: &Connection, service: &ServiceId) -> Result<u32, StoreError> {
    Ok(conn
        .prepare_cached(
            "SELECT count(*) FROM export INDEXED BY export_unfinished_seq \
             WHERE unfinished = 1 AND service_id = ?1 \
             AND (next_action_at IS NOT NULL OR json_array_length(journal, '$.in_flight') > 0 \
             OR stage NOT IN \
             ('saved', 'rejected', 'not_created', 'failed', 'cancelled', 'expired'))",
        )?
        .query_row([service.as_str()], |row| row.get(0))?)
}

/// Whether a service was there and is no longer.
pub(super) fn is_removed(conn: &Connection, id: &ServiceId) -> Result<bool, StoreError> {
    Ok(conn
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM service_profile WHERE id = ?1 AND removed_at IS NOT NULL)",
        )?
        .query_row([id.as_str()], |row| row.get(0))?)
}

/// What the person calls a service; empty where it is not known.
pub(super) fn name_of(conn: &Connection, id: &ServiceId) -> Result<String, StoreError> {
    let name = conn
        .prepare_cached("SELECT name FROM service_profile WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(name.unwrap_or_default())
}

pub(super) fn write(tx: &Connection, profile: &ServiceProfile) -> Result<(), StoreError> {
    let catalogue = profile.catalogue.as_ref();
    tx.prepare_cached(
        "INSERT INTO service_profile (id, name, address, tenant_id, practice, caller, facts, \
         catalogue, catalogue_at, added_at, removed_at) \
         VALUES (:id, :name, :address, :tenant_id, :practice, :caller, :facts, :catalogue, \
         :catalogue_at, :added_at, :removed_at) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, address = excluded.address, \
         tenant_id = excluded.tenant_id, practice = excluded.practice, caller = excluded.caller, \
         facts = excluded.facts, catalogue = excluded.catalogue, \
         catalogue_at = excluded.catalogue_at, removed_at = excluded.removed_at",
    )?
    .execute(named_params! {
        ":id": profile.id.as_str(),
        ":name": profile.name,
        ":address": profile.address,
        ":tenant_id": profile.tenant_id,
        ":practice": profile.practice.as_str(),
        ":caller": maybe_json(profile.caller.as_ref(), "the caller")?,
        ":facts": maybe_json(profile.facts.as_ref(), "the service's facts")?,
        ":catalogue": maybe_json(catalogue.map(|told| &*told.operations), "the catalogue")?,
        ":catalogue_at": catalogue.map(|told| millis(told.fetched_at)),
        ":added_at": millis(profile.added_at),
        ":removed_at": profile.removed_at.map(millis),
    })?;
    Ok(())
}

pub(super) fn select(
    conn: &Connection,
    catalogues: &Catalogues,
    clauses: &'static str,
    params: impl Params,
) -> Result<Vec<ServiceProfile>, StoreError> {
    let named = |damage| StoreError::Damaged { path: PathBuf::new(), damage };
    select_each(conn, catalogues, clauses, params)?
        .into_iter()
        .map(|row| row.map_err(named))
        .collect()
}

/// The same; what is wrong with a row that can not be read stands in its place.
fn select_each(
    conn: &Connection,
    catalogues: &Catalogues,
    clauses: &'static str,
    params: impl Params,
) -> Result<Vec<Result<ServiceProfile, Damage>>, StoreError> {
    let mut statement =
        conn.prepare_cached(&format!("SELECT {COLUMNS} FROM service_profile {clauses}"))?;
    let mut rows = statement.query(params)?;
    let mut profiles = Vec::new();
    while let Some(row) = rows.next()? {
        profiles.push(from_row(row, catalogues).map(Ok).or_else(StoreError::of_a_row)?);
    }
    Ok(profiles)
}

fn from_row(row: &Row<'_>, catalogues: &Catalogues) -> Result<ServiceProfile, StoreError> {
    let practice: String = row.get(4)?;
    let maybe_text = |at: usize| row.get::<_, Option<String>>(at);
    let operations =
        row.get_ref(7)?.as_str_or_null().map_err(|_| StoreError::column("catalogue"))?;
    let catalogue = match (operations, row.get::<_, Option<i64>>(8)?) {
        (Some(operations), Some(fetched_at)) => Some(Catalogue {
            operations: catalogues.read(operations)?,
            fetched_at: time(fetched_at, "catalogue_at")?,
        }),
        (None, _) | (_, None) => None,
    };
    Ok(ServiceProfile {
        id: ServiceId::from_text(row.get::<_, String>(0)?),
        name: row.get(1)?,
        address: row.get(2)?,
        tenant_id: row.get(3)?,
        practice: word(Practice::parse(&practice), "practice")?,
        caller: maybe_from_json(maybe_text(5)?.as_deref(), "caller")?,
        facts: maybe_from_json(maybe_text(6)?.as_deref(), "facts")?,
        catalogue,
        added_at: time(row.get(9)?, "added_at")?,
        removed_at: maybe_time(row.get(10)?, "removed_at")?,
    })
}
