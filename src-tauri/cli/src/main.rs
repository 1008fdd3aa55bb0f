//! `docket`: the same engine as the window's, from a terminal.
//!
//! Scripts, support staff and tests rely on its commands, its JSON and its exit codes
//! (`interfaces.md`). It decides nothing that the engine decides: it asks, waits and tells.

mod args;
mod commands;
mod environment;
mod exit;
mod failure;
mod output;
mod parameters;
mod progress;
mod sentences;
mod session;
#[cfg(test)]
mod testing;
mod watch;

use std::{env, path::PathBuf, process::ExitCode};

use clap::{Parser, error::ErrorKind};
use docket_engine::engine::Options;

use crate::{
    args::Arguments,
    exit::Exit,
    failure::Failure,
    output::{Format, Output},
};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let format = if arguments.json { Format::Json } else { Format::Text };
    let output = Output { format, notices: Vec::new() };
    let home = Options::default_home();
    let (words, settings_failure) = session::words(&home);
    let ended = match settings_failure {
        Some(failure) => Err(failure),
        None => run(arguments, home, output.clone()),
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure, &words);
            failure.exit().into()
        }
    }
}

fn run(arguments: Arguments, home: PathBuf, output: Output) -> Result<Exit, Failure> {
    let (words, _) = session::words(&home);
    // A program that can not keep a log works on without.
    let log = docket_engine::log::start(&home, "docket");
    let options = Options::at(home)?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| {
        let problem = error.to_string();
        Failure::said(Exit::Other, "terminal-error-in-terminal", &[("problem", &problem)])
    })?;
    let ended = runtime.block_on(commands::run(arguments.command, options, words, output));
    drop(log);
    ended
}

/// What was typed makes no sense, or help was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    // The arguments could not be read, so this one is looked for by hand.
    if !asked && env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        let said = text.split("\n\n").next().unwrap_or_default();
        let lines: Vec<&str> = said.lines().map(str::trim).collect();
        output::error_document("usage", lines.join(" ").trim_start_matches("error: "));
    }
    if error.print().is_err() {
        return Exit::Other.into();
    }
    if asked { Exit::Done.into() } else { Exit::Usage.into() }
}
