//! `cargo xtask run`: from a clean clone to an open window, or to a file in the terminal where there is no display.
//!
//! Both name the whole workspace when they build, so that `cargo xtask test` finds its heavy crates built.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::machine::{self, Purpose};
use crate::{paths, ui};

/// Installs, builds and starts Docket with its practice service; `arguments` go to the program.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    if !has_display() {
        println!(
            "There is no display here, so Docket runs in the terminal: it asks its practice service for an export, \
             loses the receipt on the way, and fetches the file."
        );
        machine::prepare(Purpose::Terminal)?;
        machine::run(&mut paths::cargo(&["build", "--workspace", "--bin=docket"]))?;
        return start(paths::command(paths::program("docket")).arg("demo").args(arguments));
    }
    machine::prepare(Purpose::Window)?;
    ui::install_packages()?;
    machine::run(&mut ui::npm_command(&["run", "build"]))?;
    machine::run(&mut paths::cargo(&["build", "--workspace", "--bins"]))?;
    println!("Opening Docket");
    start(
        paths::command(paths::program("docket-desktop"))
            .env("DOCKET_PRACTICE", "1")
            .args(arguments),
    )
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// The program's end is this program's end.
fn start(program: &mut Command) -> Result<ExitCode> {
    let status = program.status().with_context(|| program.get_program().display().to_string())?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
