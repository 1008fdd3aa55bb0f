//! Sick disks: power loss, full disks, files that are damaged or not ours.

mod copied;
mod damaged;
mod damaged_asks;
mod locked;
#[cfg(target_os = "linux")]
mod read_only;
