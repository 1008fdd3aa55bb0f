//! Where things lie in the tree, and how its programs are called.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that holds the workspace's `Cargo.toml`.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("xtask lies two folders below the root")
        .to_path_buf()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A program of the debug profile, which all but the figures are built with.
pub fn program(name: &str) -> PathBuf {
    target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The same as it is released.
pub fn released(name: &str) -> PathBuf {
    target().join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A command that runs at the root, without what cargo told this program about itself: some build scripts look at it
/// and would run again.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&*name);
        }
    }
    command
}

/// The cargo that runs this program.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments);
    cargo
}

/// Whether a program answers when it is asked for its version.
pub fn answers(program: impl AsRef<std::ffi::OsStr>) -> bool {
    command(program).arg("--version").output().is_ok_and(|output| output.status.success())
}
