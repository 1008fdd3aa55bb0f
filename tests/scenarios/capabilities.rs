//! Services that can do less: every row of lifecycle.md's table.

mod stories;
mod table;
