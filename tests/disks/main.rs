//! Sick disks: power loss, full disks, files that are damaged or not ours.
