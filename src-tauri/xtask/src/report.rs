//! Runs the steps of `cargo xtask test` and adds up what they came to.
//!
//! Each step is one line: its name, its result, its time. What a step prints goes to a file and is shown when it fails.
//! The last line is `N passed, N failed`.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::{counts, paths};

/// How much of a failing step's output is shown; the whole of it stays in the file.
const SHOWN_LINES_MAX: usize = 400;

/// Whether steps print while they run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Output {
    OnFailure,
    AsItComes,
}

/// The sum of the steps so far.
pub struct Report {
    output: Output,
    passed: u32,
    failed: u32,
    failed_steps: Vec<String>,
}

impl Report {
    pub fn new(output: Output) -> Self {
        Self { output, passed: 0, failed: 0, failed_steps: Vec::new() }
    }

    /// A step that holds or does not: it counts as one. Answers whether it held.
    pub fn check(&mut self, name: &str, command: &mut Command) -> bool {
        let started = self.begin(name);
        let log = log_path(name);
        let ended = self.spawn(command, &log);
        let held = matches!(&ended, Ok(status) if status.success());
        if held {
            self.pass(1, "ok", started);
        } else {
            self.fail(name, 1, &verdict(&ended), started, Some(&log));
        }
        held
    }

    /// A step that this program does itself.
    pub fn check_fn(&mut self, name: &str, step: impl FnOnce() -> Result<()>) -> bool {
        let started = self.begin(name);
        match step() {
            Ok(()) => self.pass(1, "ok", started),
            Err(error) => {
                self.fail(name, 1, "FAILED", started, None);
                println!("{error:#}");
                return false;
            }
        }
        true
    }

    /// A run of tests: each of them counts, and a run that ends badly without one failed test counts as one failure.
    pub fn tests(&mut self, name: &str, command: &mut Command, junit: &Path) -> bool {
        let started = self.begin(name);
        let log = log_path(name);
        // An old file must not be taken for this run's.
        if junit.exists()
            && let Err(error) = std::fs::remove_file(junit)
        {
            self.fail(name, 1, &format!("FAILED: {error}"), started, None);
            return false;
        }
        let ended = self.spawn(command, &log);
        let held = matches!(&ended, Ok(status) if status.success());
        let found = match counts::read(junit) {
            Ok(found) => found,
            Err(error) => {
                let said = format!("{}: {error:#}", verdict(&ended));
                self.fail(name, 1, &said, started, Some(&log));
                return false;
            }
        };
        if held && found.failed == 0 && found.passed > 0 {
            self.pass(found.passed, &format!("{} passed", found.passed), started);
            return true;
        }
        self.passed += found.passed;
        let said = format!("{}: {} passed, {} failed", verdict(&ended), found.passed, found.failed);
        self.fail(name, found.failed.max(1), &said, started, Some(&log));
        false
    }

    /// A step that cannot run because an earlier one failed.
    pub fn not_run(&mut self, name: &str, why: &str) {
        let started = self.begin(name);
        self.fail(name, 1, &format!("not run: {why}"), started, None);
    }

    /// A step that this machine cannot take. It counts for nothing, and says so.
    pub fn skip(&self, name: &str, why: &str) {
        println!("{name:<44} skipped: {why}");
    }

    /// Prints the last line and says how the run ended. A run in which nothing ran has failed.
    pub fn finish(self) -> ExitCode {
        println!();
        for name in &self.failed_steps {
            println!("failed: {name}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.failed == 0 && self.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn begin(&self, name: &str) -> Instant {
        print!("{name:<44} ");
        if self.output == Output::AsItComes {
            println!();
        }
        // A run that is ended from outside should still show which step it was in.
        if let Err(error) = std::io::stdout().flush() {
            eprintln!("cannot write to standard output: {error}");
        }
        now()
    }

    fn pass(&mut self, count: u32, said: &str, started: Instant) {
        self.passed += count;
        println!("{said}, {}", seconds(started));
    }

    fn fail(&mut self, name: &str, count: u32, said: &str, started: Instant, log: Option<&Path>) {
        self.failed += count;
        self.failed_steps.push(name.to_owned());
        println!("{said}, {}", seconds(started));
        if let (Output::OnFailure, Some(log)) = (self.output, log) {
            show_end(log);
        }
    }

    fn spawn(&self, command: &mut Command, log: &Path) -> Result<ExitStatus> {
        command.stdin(Stdio::null());
        if self.output == Output::OnFailure {
            if let Some(folder) = log.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let file = File::create(log).with_context(|| log.display().to_string())?;
            command.env("CARGO_TERM_COLOR", "never").env("NO_COLOR", "1");
            command.stderr(file.try_clone()?).stdout(file);
        }
        command.status().with_context(|| format!("{}", command.get_program().display()))
    }
}

fn verdict(ended: &Result<ExitStatus>) -> String {
    match ended {
        Ok(status) if status.success() => "FAILED".to_owned(),
        Ok(status) => format!("FAILED ({status})"),
        Err(error) => format!("FAILED ({error:#})"),
    }
}

fn log_path(name: &str) -> PathBuf {
    let file: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    paths::target().join("xtask").join(format!("{file}.log"))
}

fn show_end(log: &Path) {
    let Ok(bytes) = std::fs::read(log) else { return };
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let skipped = lines.len().saturating_sub(SHOWN_LINES_MAX);
    if skipped > 0 {
        println!("    ({skipped} lines before these are in {})", log.display());
    }
    for line in &lines[skipped..] {
        println!("    {line}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a step took is told to a person, nothing is decided by it"
)]
fn now() -> Instant {
    Instant::now()
}

fn seconds(started: Instant) -> String {
    format!("{:.1} s", started.elapsed().as_secs_f64())
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Output, Report};
    use crate::paths;

    #[test]
    fn steps_are_added_up() {
        let mut report = Report::new(Output::OnFailure);
        assert!(report.check("test of a step that holds", &mut paths::command("true")));
        assert!(!report.check("test of a step that does not", &mut paths::command("false")));
        assert!(
            !report
                .check("test of a step that is not there", &mut paths::command("no-such-program"))
        );
        assert!(!report.check_fn("test of our own step", || anyhow::bail!("why")));
        report.not_run("test of a step after that", "why");
        assert_eq!((report.passed, report.failed), (1, 4));
    }

    #[test]
    fn tests_without_counts_have_failed() {
        let mut report = Report::new(Output::OnFailure);
        let junit = std::env::temp_dir().join(format!("docket-junit-{}.xml", std::process::id()));
        let mut silent = paths::command("true");
        assert!(!report.tests("test of a silent run", &mut silent, &junit));
        let mut run = paths::command("sh");
        run.arg("-c")
            .arg("printf '<testsuites name=\"a\" tests=\"3\" failures=\"1\">' >\"$0\"; exit 1")
            .arg(&junit);
        assert!(!report.tests("test of a run with a failure", &mut run, &junit));
        assert_eq!((report.passed, report.failed), (2, 2));
        let mut none = paths::command("sh");
        none.arg("-c")
            .arg("printf '<testsuites name=\"a\" tests=\"0\" failures=\"0\">' >\"$0\"")
            .arg(&junit);
        assert!(!report.tests("test of a run of nothing", &mut none, &junit));
        std::fs::remove_file(&junit).expect("the run wrote it");
    }
}
