//! What is written where: the answer to the standard output, progress and sentences to the error
//! output.
//!
//! With `--json` the standard output carries one document and nothing else, whatever happens.

use std::io::{self, IsTerminal, Write};

use docket_engine::{view::NoticeView, words::Words};
use serde::Serialize;
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use crate::{exit::Exit, failure::Failure};

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON document.
    Json,
}

/// Where a command writes.
#[derive(Clone, Debug)]
pub struct Output {
    /// How the answer is written.
    pub format: Format,
    /// What happened to the store: told with every document until it is dismissed.
    pub notices: Vec<NoticeView>,
}

impl Output {
    /// The answer: the document for programs, or the lines for people.
    ///
    /// # Errors
    /// The standard output is closed or full.
    pub fn answer<T: Serialize>(
        &self,
        document: &T,
        lines: impl FnOnce() -> Vec<String>,
    ) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let written = match self.format {
            Format::Json => self
                .with_notices(document)
                .and_then(|document| serde_json::to_writer(&mut out, &document))
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out)),
            Format::Text => lines().iter().try_for_each(|line| writeln!(out, "{line}")),
        };
        written.and_then(|()| out.flush()).map_err(|error| {
            let problem = error.to_string();
            Failure::said(Exit::Other, "terminal-error-in-terminal", &[("problem", &problem)])
        })
    }

    fn with_notices<T: Serialize>(&self, document: &T) -> serde_json::Result<serde_json::Value> {
        let mut document = serde_json::to_value(document)?;
        if let Some(members) = document.as_object_mut()
            && !self.notices.is_empty()
        {
            members.insert("notices".to_owned(), serde_json::to_value(&self.notices)?);
        }
        Ok(document)
    }

    /// The end of a command that has no answer.
    pub fn failure(&self, failure: &Failure, words: &Words) {
        let sentence = failure.sentence(words);
        if self.format == Format::Json {
            error_document(&failure.code(), &sentence);
        }
        note(&sentence);
    }
}

/// `{"error": …}` on the standard output.
pub fn error_document(code: &str, message: &str) {
    let document = json!({"error": {"code": code, "message": message}});
    if writeln!(io::stdout().lock(), "{document}").is_err() {
        note(message);
    }
}

/// One line on the standard output, at once.
pub fn line(text: &str) {
    if writeln!(io::stdout().lock(), "{text}").is_err() {
        note(text);
    }
}

/// One line on the error output.
pub fn note(line: &str) {
    // Where nobody reads it there is nobody to tell that it could not be written.
    if writeln!(io::stderr().lock(), "{line}").is_err() {
        tracing::debug!("the error output is closed");
    }
}

/// Whether a person watches the error output.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Rows under a head, in columns that line up, also where characters are two cells wide.
pub fn table(head: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).chain(head.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let mut text = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            text.push_str(cell);
            text.push_str(&" ".repeat(width + 2 - cell.width()));
        }
        text.trim_end().to_owned()
    };
    std::iter::once(head).chain(rows.iter().map(Vec::as_slice)).map(line).collect()
}

/// A text that the service gave, fit for a terminal: nothing that moves the cursor or turns the
/// direction of what follows.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect()
}

/// Marks of direction (UAX #9), and the two separators that begin a new line or paragraph.
fn turns(c: char) -> bool {
    matches!(
        c,
        '\u{61C}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &[&str]) -> Vec<String> {
        row.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn columns_line_up_with_wide_characters() {
        let lines =
            table(&cells(&["名称", "ID"]), &[cells(&["a", "1"]), cells(&["订单导出", "2"])]);
        assert_eq!(lines, ["名称      ID", "a         1", "订单导出  2"]);
    }

    #[test]
    fn a_text_of_the_service_moves_no_cursor() {
        assert_eq!(plain("a\u{1b}[2Jb\nc"), "a [2Jb c");
        assert_eq!(plain("rows\u{202E}cba\u{2066}"), "rows cba ");
        assert_eq!(plain("订单 é"), "订单 é");
    }
}
