//! `docket-desktop`: the window. Everything is in the library beside it.

// A console window behind the window is of no use to anybody.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    docket_desktop::run()
}
