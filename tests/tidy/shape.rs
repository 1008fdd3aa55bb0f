//! How a file of code looks: its head, its length, its names, and what it never holds.

use crate::lex::{closing, is_word, name_at, words};
use crate::tree::Source;

const FILE_LINES_MAX: usize = 400;
const FUNCTION_LINES_MAX: usize = 70;
/// A file that must be longer says so in one of its first lines, and why.
const EXCUSE: &str = "Long because";
const HEAD_LINES: usize = 15;

/// Last words of a type's name that say nothing.
const EMPTY_WORDS: &[&str] = &[
    "Manager",
    "Helper",
    "Helpers",
    "Util",
    "Utils",
    "Common",
    "Handler",
    "Processor",
    "Data",
    "Info",
];
const EMPTY_FILES: &[&str] = &["models", "utils", "util", "helpers", "helper", "common", "misc"];

/// Every Rust file opens with what it is and why.
pub fn heads(files: &[Source]) -> Vec<String> {
    rust(files)
        .filter(|file| !file.text.starts_with("//! "))
        .map(|file| file.whole("open it with `//!`: what, why, what must stay true"))
        .collect()
}

/// A file stays short, or says why not.
pub fn lengths(files: &[Source]) -> Vec<String> {
    files
        .iter()
        .filter(|file| [".rs", ".ts", ".svelte"].iter().any(|end| file.path.ends_with(end)))
        .filter(|file| !file.path.ends_with("/bindings.ts"))
        .filter(|file| file.text.lines().count() > FILE_LINES_MAX)
        .filter(|file| !file.text.lines().take(HEAD_LINES).any(|line| line.contains(EXCUSE)))
        .map(|file| {
            let lines = file.text.lines().count();
            file.whole(&format!("{lines} lines, more than {FILE_LINES_MAX} and no `{EXCUSE}`"))
        })
        .collect()
}

/// A function fits on a screen.
pub fn functions(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in rust(files) {
        for at in words(&file.code, "fn") {
            let name = name_at(&file.code, at + 2);
            let Some(open) = body(&file.code, at).filter(|_| !name.is_empty()) else { continue };
            let lines = file.code[at..closing(&file.code, open)].lines().count();
            if lines > FUNCTION_LINES_MAX {
                let said = format!("fn {name} has {lines} lines, more than {FUNCTION_LINES_MAX}");
                complaints.push(file.at(at, &said));
            }
        }
    }
    complaints
}

/// The brace that opens a function's body, if it has one.
fn body(code: &str, at: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (offset, byte) in code[at..].bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(at + offset),
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Nothing is left for later, and no failure is dropped without a word.
pub fn leftovers(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in rust(files) {
        for word in ["todo!", "unimplemented!", "#[ignore", "#[should_panic"] {
            for (at, _) in file.code.match_indices(word) {
                if word.starts_with('#') || at == 0 || !is_word(file.code.as_bytes()[at - 1]) {
                    complaints.push(file.at(at, &format!("`{word}` has no place here")));
                }
            }
        }
        for (at, _) in file.code.match_indices(".ok();") {
            let statement = file.code[..at].rfind([';', '{', '}']).map_or(0, |start| start + 1);
            let before = &file.code[statement..at];
            if !before.contains('=') && !words(before, "return").iter().any(|_| true) {
                complaints.push(file.at(at, "`.ok();` drops a failure: say what becomes of it"));
            }
        }
    }
    complaints
}

/// An error is a type, not a text.
pub fn errors(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in rust(files) {
        for at in words(&file.code, "Result<") {
            let (mut depth, mut last) = (0_i32, 0);
            let inside = &file.code[at + "Result<".len()..];
            for (offset, byte) in inside.bytes().enumerate() {
                match byte {
                    b'<' | b'(' | b'[' => depth += 1,
                    b'>' if depth == 0 && !inside[..offset].ends_with('-') => {
                        if matches!(inside[last..offset].trim(), "String" | "&'static str")
                            && last > 0
                        {
                            complaints.push(file.at(at, "an error is an enum, not a text"));
                        }
                        break;
                    }
                    b'>' if !inside[..offset].ends_with('-') => depth -= 1,
                    b')' | b']' => depth -= 1,
                    b',' if depth == 0 => last = offset + 1,
                    _ => {}
                }
            }
        }
    }
    complaints
}

/// Names say what.
pub fn names(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let code = [".rs", ".ts", ".svelte"].iter().any(|end| name.ends_with(end));
        if code && EMPTY_FILES.contains(&stem.to_ascii_lowercase().as_str()) {
            complaints.push(file.whole("a file is named after what it holds"));
        }
        for word in ["struct", "enum", "trait", "type", "union"] {
            for at in words(&file.code, word) {
                let name = name_at(&file.code, at + word.len());
                // The name of a trait's own type is that trait's choice.
                let line = file.code[..at].rfind('\n').map_or(0, |end| end + 1);
                let associated = word == "type" && file.code[line..at].starts_with(' ');
                if !associated && EMPTY_WORDS.contains(&last_word(name)) {
                    complaints.push(file.at(at, &format!("`{name}` says nothing")));
                }
            }
        }
    }
    complaints
}

/// The last word of a name in camel case.
fn last_word(name: &str) -> &str {
    name.rfind(|c: char| c.is_ascii_uppercase()).map_or(name, |at| &name[at..])
}

fn rust(files: &[Source]) -> impl Iterator<Item = &Source> {
    files.iter().filter(|file| file.is_rust())
}
