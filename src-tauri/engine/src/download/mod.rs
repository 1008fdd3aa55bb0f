//! From a job's file to a verified file on this computer's disk.

mod name;

pub use self::name::{NAME_BYTES_MAX, safe_name};
