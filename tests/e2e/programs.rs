//! Where the programs under test lie.

use std::{env, path::PathBuf};

/// The window.
pub fn desktop() -> PathBuf {
    program("DOCKET_DESKTOP_BIN", "docket-desktop")
}

/// The terminal.
pub fn terminal() -> PathBuf {
    program("DOCKET_BIN", "docket")
}

/// As the environment says; else beside the folder of this test's own program.
fn program(variable: &str, name: &str) -> PathBuf {
    if let Some(path) = env::var_os(variable) {
        return path.into();
    }
    let own = env::current_exe().expect("a running test has a program");
    let folder = own.ancestors().nth(2).expect("tests lie in `deps`");
    let path = folder.join(name);
    assert!(path.is_file(), "{name} is not built; name it in {variable}");
    path
}
