//! The timeline of a play, as text that is the same for the same script.
//!
//! Exports are numbered in the order in which they were asked for; ids, keys and ports are not
//! shown. Equal lines in a row are one with a count.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use docket_tests::{Call, proxy::Seen};

/// See the head of this file. Clones share it, so that it can be read after a panic.
#[derive(Clone, Debug)]
pub struct Tale {
    lines: Arc<Mutex<Vec<Line>>>,
    voice: Voice,
}

/// Whether it is told while it happens: a play that hangs tells nothing at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    Silent,
    Aloud,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    at: Duration,
    kind: Kind,
    text: String,
    times: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Step,
    Seen,
}

impl Tale {
    /// One with nothing in it yet.
    pub fn new(voice: Voice) -> Self {
        Self { lines: Arc::default(), voice }
    }

    /// A step, at the time that passed since the beginning.
    pub fn step(&self, at: Duration, text: String) {
        self.push(Line { at, kind: Kind::Step, text, times: 1 });
    }

    /// What was seen then.
    pub fn seen(&self, at: Duration, text: String) {
        self.push(Line { at, kind: Kind::Seen, text, times: 1 });
    }

    fn push(&self, line: Line) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        match lines.last_mut() {
            Some(last) if line.kind == Kind::Seen && last.text == line.text => last.times += 1,
            Some(_) | None => {
                if self.voice == Voice::Aloud {
                    println!("{}", line.text(lines.last().map(|line| line.at)));
                }
                lines.push(line);
            }
        }
    }

    /// All of it.
    pub fn text(&self) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        let mut told = None;
        for line in lines.iter() {
            writeln!(text, "{}", line.text(told)).expect("a text can be written to");
            told = Some(line.at);
        }
        text
    }
}

impl Line {
    /// As it is told, where the line before it had this time.
    fn text(&self, told: Option<Duration>) -> String {
        let at = if told == Some(self.at) { String::new() } else { clock(self.at) };
        let times = if self.times > 1 { format!("  ×{}", self.times) } else { String::new() };
        let indent = if self.kind == Kind::Seen { "    " } else { "" };
        format!("{at:<11}  {indent}{}{times}", self.text)
    }
}

/// Days, hours, minutes and seconds since the beginning.
fn clock(at: Duration) -> String {
    let seconds = at.as_secs();
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    format!("{days}d {hours:02}:{:02}:{:02}", seconds / 60 % 60, seconds % 60)
}

/// What became of the requests since the last look, in the order of the exports that they are of.
pub fn requests(seen: &[Seen], label: &BTreeMap<String, usize>) -> Vec<String> {
    let mut lines: Vec<(usize, String)> = seen
        .iter()
        .map(|request| {
            let of = request.trace.as_ref().and_then(|trace| label.get(trace)).copied();
            let whose = of.map_or("-".to_owned(), |number| format!("export {number}"));
            (of.unwrap_or(0), format!("{whose}  {}", request_line(request)))
        })
        .collect();
    lines.sort_by_key(|(of, _)| *of);
    lines.into_iter().map(|(_, line)| line).collect()
}

fn request_line(request: &Seen) -> String {
    let mut line = word(request.call).to_owned();
    if let Some(attempt) = request.attempt.as_ref().filter(|_| changes_something(request.call)) {
        write!(line, " (attempt {attempt})").expect("a text can be written to");
    }
    match request.status {
        Some(status) => write!(line, ": the service answered {status}"),
        None if request.delivered > 0 => write!(line, ": the service had no answer"),
        None => write!(line, ": the service has not heard it"),
    }
    .expect("a text can be written to");
    if let Some(fate) = &request.fate {
        write!(line, " [{fate}]").expect("a text can be written to");
    }
    line
}

fn changes_something(call: Call) -> bool {
    matches!(call, Call::Submit | Call::Abandon | Call::Cancel)
}

fn word(call: Call) -> &'static str {
    match call {
        Call::Service => "describe",
        Call::Operations => "who am I",
        Call::Submit => "submit",
        Call::Key => "look by key",
        Call::Traits => "look by traits",
        Call::Job => "poll",
        Call::Abandon => "abandon",
        Call::Cancel => "cancel",
        Call::File => "file",
        Call::Any => "?",
    }
}
