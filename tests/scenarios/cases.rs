//! The four cases that must never break.

mod commit_then_drop;
mod killed;
mod network_down;
mod two_at_once;
