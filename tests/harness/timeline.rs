//! The story of an export as text that stays the same from run to run.
//!
//! Times are left out, ids and keys are not shown, and equal steps in a row are one. Polls of a
//! running job depend on the machine's speed and are told as one line.

use std::fmt::Write as _;

use docket_engine::{
    attempt::AttemptKind,
    view::{AttemptView, ExportView},
};

use crate::rows::Rows;

/// The stages of an export as they were published: one line for each change of what a person sees.
pub fn of_views(views: &[ExportView]) -> String {
    let mut newest = 0;
    let mut lines: Vec<String> = Vec::new();
    for view in views.iter().filter(|view| {
        let is_newer = view.version >= newest;
        newest = newest.max(view.version);
        is_newer
    }) {
        let line = seen(view);
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}

/// One view in one line.
///
/// # Panics
/// Never: a text can be written to.
pub fn seen(view: &ExportView) -> String {
    let mut line = view.stage.to_string();
    if let Some(hold) = view.hold {
        write!(line, " [{hold}]").expect("a text can be written to");
    }
    if let Some(reason) = &view.reason {
        write!(line, " ({reason})").expect("a text can be written to");
    }
    let call = view.call_result.map_or("-", |call| call.as_str());
    write!(line, "  call {call}, export {}", view.business_outcome)
        .expect("a text can be written to");
    line
}

/// The attempts of an export: what each was for, how far it got, what it proved.
pub fn of_attempts(attempts: &[AttemptView]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for attempt in attempts {
        let line = told(attempt);
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}

fn told(attempt: &AttemptView) -> String {
    let word = |word: &Option<String>| word.clone().unwrap_or_else(|| "-".to_owned());
    if attempt.kind == AttemptKind::Poll && attempt.result.as_deref() == Some("found") {
        return "poll  answered found".to_owned();
    }
    let call = attempt.call_result.map_or("under way", |call| call.as_str());
    let result = word(&attempt.result);
    let result = if result == call { String::new() } else { format!(" {result}") };
    let mut line = format!("{}  {call}{result}", attempt.kind);
    if let Some(reason) = &attempt.reason {
        write!(line, " ({reason})").expect("a text can be written to");
    }
    if let Some(phase) = attempt.phase.filter(|_| call == "lost") {
        write!(line, " in {phase}").expect("a text can be written to");
    }
    line
}

/// The whole story of one export, as a golden file keeps it: what a person saw, what was tried, what
/// the service holds. How far a known job was when somebody looked is the machine's affair.
pub fn story(title: &str, views: &[ExportView], newest: &ExportView, rows: &Rows) -> String {
    let seen = of_views(views);
    let mut told: Vec<&str> = Vec::new();
    let seen = seen.replace("export queued", "export running");
    for line in seen.lines() {
        let line = if is_on_the_way(line) { "… its job is known and followed" } else { line };
        if told.last() != Some(&line) {
            told.push(line);
        }
    }
    let tried: Vec<AttemptView> =
        newest.attempts.iter().filter(|a| a.kind != AttemptKind::Poll).cloned().collect();
    let jobs: Vec<String> = rows.jobs().into_iter().map(|job| job.status).collect();
    let keys: Vec<String> = rows.records().into_iter().map(|record| record.state).collect();
    format!(
        "{title}\n\nWhat the screen said:\n{}\n\nWhat was tried:\n{}\nWhat the service holds:\n\
         jobs: {}\nkeys: {}\n",
        told.join("\n"),
        of_attempts(&tried),
        listed(&jobs),
        listed(&keys),
    )
}

fn is_on_the_way(line: &str) -> bool {
    ["accepted ", "running ", "ready ", "downloading "].iter().any(|stage| line.starts_with(stage))
}

fn listed(words: &[String]) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}
