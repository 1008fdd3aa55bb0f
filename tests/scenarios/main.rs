//! The stories: what is lost on the way between Docket and a service, and what becomes of it.
//!
//! Every story runs over real sockets with real SQLite on both sides, and asserts beside what the
//! screen says how many jobs the service holds, which keys it saw, and that no older answer changed
//! a newer state.

mod breaches;
mod cancelled;
mod capabilities;
mod cases;
mod clocks;
mod confirming;
mod connector;
mod downloads;
mod faults;
mod field;
mod golden;
mod guarded;
mod keychain;
mod late_truth;
mod refused;
mod restored;
mod settle;
mod signed_in;
mod terminal;
mod window_end;
