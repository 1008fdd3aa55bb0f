//! What the stories of Docket are told with: a real service, a real engine, real sockets and real
//! SQLite on both sides, and a proxy between them that loses what it is told to.
//!
//! [`World`] is the service behind its [`Proxy`]; a [`Client`] is one engine over one store, with a
//! [`Witness`] that keeps every view it published. After a story [`World::holds`] asserts what must
//! be true of every one: one job for one key, one key for one intent, one request for one attempt,
//! and no older answer that changed a newer state.
//!
//! Nothing here waits for luck: a test waits for what is published, for what the proxy sees, or for
//! a program's end, each with a bound.

use std::time::Duration;

pub mod calls;
pub mod client;
pub mod filled;
pub mod invariants;
pub mod process;
pub mod program;
pub mod proxy;
pub mod rows;
pub mod story;
pub mod timeline;
pub mod witness;
pub mod world;

pub use client::Client;
pub use proxy::{At, Back, Call, Message, Proxy, Rule, Toward};
pub use witness::Witness;
pub use world::World;

/// How long anything is waited for; only a failing test waits so long.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for something that has to come.
///
/// # Panics
/// It does not come in time.
pub async fn in_time<T>(what: &str, waiting: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(PATIENCE, waiting).await;
    ended.unwrap_or_else(|_| unreachable!("{what}: not in time"))
}
