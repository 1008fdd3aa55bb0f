//! `cargo xtask test`: everything that CI checks, in the order in which it is cheapest to learn of a mistake.
//!
//! All steps run even if one has failed, save those that stand on it. The window is built before the programs, because
//! it is embedded in one of them; everything after shares one build.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::machine::{self, Purpose};
use crate::paths::{self, cargo};
use crate::report::{Output, Report};
use crate::{bindings, licences, soak, tools, ui};

/// Installs what is missing, runs every step, and ends with `N passed, N failed`.
pub fn test(arguments: &[String]) -> Result<ExitCode> {
    if let Some(seeds) = soak::Seeds::asked_for(arguments)? {
        return soak::run(&seeds);
    }
    let mut output = Output::OnFailure;
    for argument in arguments {
        match argument.as_str() {
            "--verbose" => output = Output::AsItComes,
            other => anyhow::bail!("cargo xtask test knows no `{other}`"),
        }
    }
    let mut report = Report::new(output);
    let ready = report.check_fn("install what is missing", || {
        machine::prepare(Purpose::Tests)?;
        tools::fetch(&tools::NEXTEST)?;
        tools::fetch(&tools::DENY)
    });
    report.check(
        "Cargo.lock is current",
        &mut cargo(&["metadata", "--locked", "--format-version=1"]),
    );
    report.check("format", &mut cargo(&["fmt", "--all", "--check", "--", "--color=never"]));
    let window = window(&mut report);
    if !ready || !window {
        report.not_run("build", "what it stands on is missing");
    } else if report.check("build", &mut cargo(&["build", "--workspace", "--all-targets"])) {
        built(&mut report);
    }
    report.check(
        "clippy",
        &mut cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
    );
    dependencies(&mut report);
    Ok(report.finish())
}

/// The window's packages, checks and build. Answers whether the programs can be built on it.
fn window(report: &mut Report) -> bool {
    if !ui::folder().join("package.json").exists() {
        return true;
    }
    if !report.check_fn("window: packages", ui::install_packages) {
        return false;
    }
    let junit = paths::target().join("xtask").join("vitest.xml");
    report.check("window: types", &mut ui::npm_command(&["run", "check"]));
    report.tests(
        "window: unit tests",
        ui::npm_command(&["test", "--", "--reporter=default", "--reporter=junit"])
            .arg(format!("--outputFile.junit={}", junit.display())),
        &junit,
    );
    report.check("window: build", &mut ui::npm_command(&["run", "build"]))
}

/// What runs on the programs once they are built.
fn built(report: &mut Report) {
    // Whatever an earlier run left there is not this run's.
    if stray().exists()
        && let Err(error) = std::fs::remove_dir_all(stray())
    {
        report.not_run("tests", &error.to_string());
        return;
    }
    report.tests(
        "tests",
        nextest(cargo(&[]), "ci").args(["--workspace", "--filterset", "not binary(e2e)"]),
        &junit("ci"),
    );
    report.check_fn("tests keep to their own folders", kept_to_themselves);
    if bindings::file().exists() {
        report.check_fn("bindings unchanged", bindings::check);
    }
    if !cfg!(target_os = "linux") {
        report.skip(
            "end to end",
            "the window is driven through WebKitWebDriver, which is on Linux only",
        );
        return;
    }
    let stories = std::fs::read_to_string(paths::root().join("tests/e2e/main.rs"));
    if !stories.is_ok_and(|text| text.contains("test]") || text.contains("\nmod ")) {
        report.skip("end to end", "no story is written yet");
        return;
    }
    let mut display = paths::command("xvfb-run");
    display.args(["--auto-servernum", "--server-args=-screen 0 1600x1200x24"]);
    display.arg(cargo(&[]).get_program());
    report.tests(
        "end to end",
        nextest(display, "e2e")
            .args(["--workspace", "--filterset", "binary(e2e)"])
            // No bus of the person who runs this: no tray, no notification, no keychain of theirs.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"),
        &junit("e2e"),
    );
}

fn nextest(mut start: Command, profile: &str) -> Command {
    tools::on_path(&mut start);
    start
        .args(["nextest", "run", "--profile", profile])
        .env("XDG_DATA_HOME", stray())
        .env("XDG_STATE_HOME", paths::target().join("xtask").join("state"))
        .env("DOCKET_BIN", paths::program("docket"))
        .env("DOCKET_DESKTOP_BIN", paths::program("docket-desktop"))
        .env("DOCKET_SERVICE_BIN", paths::program("docket-service"));
    start
}

/// Where a program under test would keep its things if nobody told it otherwise: never in the person's own folders.
fn stray() -> PathBuf {
    paths::target().join("xtask").join("stray")
}

/// A test that did not say where its store lies has written here.
fn kept_to_themselves() -> Result<()> {
    let Ok(entries) = std::fs::read_dir(stray()) else { return Ok(()) };
    let left: Vec<String> =
        entries.map(|entry| Ok(entry?.path().display().to_string())).collect::<Result<_>>()?;
    anyhow::ensure!(
        left.is_empty(),
        "a test without a DOCKET_HOME of its own left {}",
        left.join(", ")
    );
    Ok(())
}

fn junit(profile: &str) -> PathBuf {
    paths::target().join("nextest").join(profile).join("junit.xml")
}

/// Who we depend on, and under which licences.
fn dependencies(report: &mut Report) {
    let deny = |checks: &[&str]| {
        let mut deny = cargo(&["deny", "check"]);
        tools::on_path(&mut deny);
        deny.args(checks);
        deny
    };
    report.check("dependencies", &mut deny(&["bans", "licenses", "sources"]));
    report.check_fn("third-party licences", licences::check);
    let mut fetch = cargo(&["deny", "fetch", "db"]);
    tools::on_path(&mut fetch);
    if fetch.output().is_ok_and(|output| output.status.success()) {
        report.check("advisories", &mut deny(&["advisories"]));
    } else {
        report.skip("advisories", "their database cannot be reached from here");
    }
}
