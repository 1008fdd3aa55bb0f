//! Services that can do less: every row of lifecycle.md's table.

mod program;
mod stories;
mod table;
