//! `cargo xtask bench`: the figures that need no window, each against the bare thing, in one run.
//!
//! Both the programs and the benches are built as they would be released, in one build. The table goes to the person,
//! the same as JSON to `target/bench/figures.json`; a figure that misses its bar makes the run end badly, so that it can
//! stand as a gate.

use std::process::ExitCode;

use anyhow::Result;

use crate::machine::{self, Purpose};
use crate::paths::{self, cargo};

/// What is built together, so that all of it has one set of features.
const PACKAGES: &[&str] =
    &["--package=docket", "--package=docket-service", "--package=docket-tests"];

/// Installs what is missing, builds, and runs the benches that are named; all of them where none is.
pub fn bench(arguments: &[String]) -> Result<ExitCode> {
    machine::prepare(Purpose::Figures)?;
    let mut build = cargo(&["build", "--release"]);
    machine::run(build.args(PACKAGES).args(["--bins", "--bench=figures"]))?;
    let mut bench = cargo(&["bench", "--quiet"]);
    bench.args(PACKAGES).args(["--bench=figures", "--"]).args(arguments);
    if !arguments.iter().any(|argument| argument == "--json") {
        bench.arg("--json").arg(paths::target().join("bench").join("figures.json"));
    }
    bench
        .env("DOCKET_BIN", paths::released("docket"))
        .env("DOCKET_SERVICE_BIN", paths::released("docket-service"));
    let status = bench.status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
