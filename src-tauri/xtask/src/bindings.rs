//! `ui/src/lib/bindings.ts`: the types that cross to the window, written from the engine's own.
//!
//! The engine's example `bindings` prints the file; here it is written, or held against what is committed.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::{machine, paths};

/// The committed file.
pub fn file() -> PathBuf {
    paths::root().join("ui/src/lib/bindings.ts")
}

/// Writes the file anew.
pub fn write() -> Result<ExitCode> {
    let text = generate()?;
    std::fs::write(file(), text).with_context(|| file().display().to_string())?;
    println!("wrote {}", file().display());
    // The window's own types are held, and written, by a test of its crate.
    let window = "package(docket-desktop) & test(bindings_are_current)";
    let mut test = paths::cargo(&["nextest", "run", "--workspace", "-E", window]);
    machine::run(test.env("DOCKET_WRITE_BINDINGS", "1"))?;
    Ok(ExitCode::SUCCESS)
}

/// Holds the committed file against the types as they are.
pub fn check() -> Result<()> {
    let committed =
        std::fs::read_to_string(file()).with_context(|| file().display().to_string())?;
    // A checkout may have changed the ends of lines.
    if committed.replace("\r\n", "\n") != generate()? {
        bail!(
            "ui/src/lib/bindings.ts is not what the types say: run `cargo xtask bindings` and commit it"
        );
    }
    Ok(())
}

fn generate() -> Result<String> {
    // The whole workspace is named, so that this builds with the features that everything else is built with.
    let mut build = paths::cargo(&["build", "--quiet", "--workspace", "--example", "bindings"]);
    machine::run(&mut build)?;
    let program = paths::target()
        .join("debug/examples")
        .join(format!("bindings{}", std::env::consts::EXE_SUFFIX));
    let output =
        paths::command(&program).output().with_context(|| program.display().to_string())?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}
