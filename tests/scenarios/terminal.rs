//! The terminal program as a person or a script uses it: commands, one document, exit codes, and what
//! a mistake costs: one sentence, and nothing lost.

mod demo;
mod exits;
mod large;
mod lost_receipt;
mod mistakes;
mod two_programs;
