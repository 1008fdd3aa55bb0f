//! Sick disks: power loss, full disks, files that are damaged or not ours.

#[cfg(target_os = "linux")]
mod bites;
#[cfg(target_os = "linux")]
mod computer;
mod copied;
mod damaged;
mod damaged_asks;
#[cfg(target_os = "linux")]
#[path = "../harness/disk/mod.rs"]
mod disk;
#[cfg(target_os = "linux")]
mod failing;
mod locked;
#[cfg(target_os = "linux")]
mod no_space;
#[cfg(target_os = "linux")]
mod no_space_download;
#[cfg(target_os = "linux")]
mod power_loss;
#[cfg(target_os = "linux")]
mod read_only;
