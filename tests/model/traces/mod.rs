//! The traces against the rules (cases.md), by name: interleavings that broke earlier drafts, each
//! told step by step. A step must be one that the model would take too, and every property holds
//! after each.

mod asking;
mod copies;
mod restores;
mod sending;
mod story;
