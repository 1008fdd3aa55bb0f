//! What stands against a new intent: which open exports it may be a second copy of.
//!
//! Asked inside the transaction that records, and only for what the guard wants to know: how many
//! exports are open makes no click longer.
//!
//! A service's address never changes, so whatever was asked of it stands under its address, also where
//! it was removed meanwhile and added again.

use rusqlite::Connection;

use super::{error::StoreError, export, service};
use crate::{
    capabilities::ServiceFacts,
    export::{Account, Payload, ServiceId},
    record::Record,
};

/// Open exports of the same report that are looked at although their payload differs. They lead to a
/// question at most, so the newest do.
const NEAR_MAX: u32 = 50;

/// Every open export of the very same payload, oldest first.
pub(super) const SAME: &str = "INDEXED BY export_unfinished_payload \
     WHERE unfinished = 1 AND payload_hash = ?1 AND address = ?2 ORDER BY seq";

/// The open exports of the same report and another payload, newest first.
pub(super) const NEAR: &str = "INDEXED BY export_unfinished_address \
     WHERE unfinished = 1 AND address = ?1 AND operation = ?2 AND payload_hash <> ?3 \
     ORDER BY seq DESC LIMIT ?4";

/// See the head of this file.
pub struct Against<'a> {
    conn: &'a Connection,
    service: ServiceId,
    address: String,
    operation: String,
    payload_hash: String,
}

impl<'a> Against<'a> {
    pub(super) fn new(conn: &'a Connection, account: &Account, payload: &Payload) -> Self {
        Self {
            conn,
            service: account.service.clone(),
            address: account.address.clone(),
            operation: payload.operation().to_owned(),
            payload_hash: payload.hash().to_string(),
        }
    }

    /// What is not settled, or beside which something is owed, of the same payload, oldest first.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn same(&self) -> Result<Vec<Record>, StoreError> {
        export::select(self.conn, SAME, (&self.payload_hash, &self.address))
    }

    /// Of the same report with other parameters the newest that is `wanted`.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn near(&self, wanted: &dyn Fn(&Record) -> bool) -> Result<Option<Record>, StoreError> {
        let params = (&self.address, &self.operation, &self.payload_hash, NEAR_MAX);
        export::first(self.conn, NEAR, params, wanted)
    }

    /// What is known of the service now.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn facts(&self) -> Result<Option<ServiceFacts>, StoreError> {
        service::facts_of(self.conn, &self.service)
    }
}
