//! The service over real sockets: every status of the protocol, its races, its guarantees.
//!
//! Each answer that a test gets is held against the OpenAPI document by `world`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can not go on says where")]

mod capabilities;
mod documents;
mod field;
mod file;
mod keys;
mod permissions;
mod poll;
mod practice;
mod program;
mod reports;
mod retention;
mod submit;
mod world;
