//! Sick disks: power loss, full disks, files that are damaged or not ours.

#[cfg(target_os = "linux")]
mod computer;
mod copied;
mod damaged;
mod damaged_asks;
#[cfg(target_os = "linux")]
#[path = "../harness/disk/mod.rs"]
mod disk;
mod locked;
#[cfg(target_os = "linux")]
mod power_loss;
#[cfg(target_os = "linux")]
mod read_only;
