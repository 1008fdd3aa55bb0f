//! The window's side: packages by lock file, the build, its checks.

use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;

use crate::machine::{self, npm};
use crate::paths;

/// The folder that holds `package.json`.
pub fn folder() -> PathBuf {
    paths::root().join("ui")
}

/// npm in the window's folder, quiet about everything that is not its task.
pub fn npm_command(arguments: &[&str]) -> Command {
    let mut command = paths::command(npm());
    command
        .current_dir(folder())
        .args(arguments)
        .env("npm_config_audit", "false")
        .env("npm_config_fund", "false")
        .env("npm_config_update_notifier", "false");
    command
}

/// Installs the packages where the lock file is newer than what lies there.
pub fn install_packages() -> Result<()> {
    let lock = changed(folder().join("package-lock.json"));
    // npm writes this file at the end of an installation that went well.
    let installed = changed(folder().join("node_modules").join(".package-lock.json"));
    if installed.is_some() && installed >= lock {
        return Ok(());
    }
    println!("Installing the window's packages");
    machine::run(&mut npm_command(&["ci", "--loglevel=error"]))
}

fn changed(path: PathBuf) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}
