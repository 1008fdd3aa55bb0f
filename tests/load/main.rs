//! Load: thousands of exports at once, dead services, and nothing to do.
//!
//! `DOCKET_LOAD=10000` makes the crowds as large as the promise says; without it they are as large
//! as a busy machine carries in a test run.

mod confirming;
mod crowd;
mod dead;
mod describes;
mod fairness;
mod front;
mod idle;
mod store;
mod takeover;
mod unwritten;
