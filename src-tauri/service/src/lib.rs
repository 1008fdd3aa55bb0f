//! The reference export service: every call of the export protocol, over SQLite and real files.
//!
//! [`start`] is all there is to it: the program, the practice service of the desktop app, the
//! terminal's demonstration and the tests start the same service with other settings.
//!
//! Where things are: [`config`] (settings), `access` (tokens), `http` (one file per thing that is
//! called), `store` (the only SQL), `operations` (the reports), `files` (how they are written),
//! `worker` and `sweep` (the work behind the calls), `serve` (sockets), [`faults`] (rules of loss).
//!
//! What must stay true: one job for one key, whatever is lost, repeated or restarted; nothing is
//! answered before it is durable; a refusal leaves no record.

mod access;
mod app;
mod chance;
mod changes;
pub mod clock;
pub mod config;
pub mod faults;
mod files;
mod http;
mod language;
pub mod logs;
mod operations;
mod serve;
mod start;
mod store;
mod sweep;
mod worker;

pub use access::{Token, TokensError, read_tokens};
pub use config::{Config, Feature, PRACTICE_TENANT, Pace, RateLimit};
pub use faults::{Faults, Rule};
pub use start::{Intake, ServiceHandle, StartError, start};
pub use store::OpenError;

/// The OpenAPI 3.1 document of the protocol, as the service serves it.
pub fn openapi() -> utoipa::openapi::OpenApi {
    http::document()
}
