//! The heart of Docket: every click ends in exactly one export, or in an exact reason why not.
//!
//! No Tauri, no window, no global. The map: `engine` is the handle that everybody holds;
//! `reconciler` is the one background task; `knowledge`, `stage`, `plan` and `policy` are pure and
//! hold the promise; `store` is the only SQL; `connector` and `download` are the only HTTP.

pub mod attempt;
pub mod capabilities;
pub mod checks;
pub mod clock;
pub mod connector;
pub mod delivery;
mod desk;
pub mod download;
pub mod engine;
pub mod error;
pub mod export;
mod file_name;
pub mod journal;
pub mod knowledge;
mod lasting;
pub mod log;
pub mod mutants;
pub mod plan;
pub mod policy;
mod reconciler;
pub mod record;
pub mod secret;
pub mod secrets;
pub mod service_profile;
pub mod settings;
pub mod stage;
pub mod store;
pub mod trace;
pub mod view;
pub mod words;

pub use docket_wire::{InexactNumber, first_inexact_number};
