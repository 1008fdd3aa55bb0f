//! The four cases that must never break.

mod commit_then_drop;
mod network_down;
