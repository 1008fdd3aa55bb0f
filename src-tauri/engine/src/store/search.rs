//! What a search finds an export by.

use crate::record::Record;

/// Characters of an export that a search looks at.
const TEXT_CHARS_MAX: usize = 2_000;
/// Characters of what was typed that count.
const TYPED_CHARS_MAX: usize = 200;
/// Words of what was typed that are looked for one by one; the last holds the rest.
pub(super) const WORDS_MAX: usize = 4;
/// The text of an export: its key, its report, parameters, file, job and service. Lower case.
pub(super) fn text_of(record: &Record, service_name: &str) -> String {
    let mut parts: Vec<String> = vec![
        record.export.request_key.as_str().to_owned(),
        record.export.payload.operation().to_owned(),
    ];
    parts.extend(record.title.values().cloned());
    let saved = record.delivery.saved.as_ref().and_then(|file| file.path.file_name());
    parts.extend(saved.map(|name| name.to_string_lossy().into_owned()));
    if let Some(job) = record.knowledge.job() {
        parts.push(job.business_id.clone());
        parts.extend(job.file.as_ref().map(|file| file.name.clone()));
    }
    parts.push(service_name.to_owned());
    leaves(record.export.payload.parameters(), &mut parts);
    let whole = clean(&parts.join("\n"));
    whole.chars().take(TEXT_CHARS_MAX).collect()
}

/// The values of the parameters, without their names. The depth is that of the JSON reader's limit.
fn leaves(value: &serde_json::Value, parts: &mut Vec<String>) {
    match value {
        serde_json::Value::Null => {}
        serde_json::Value::Bool(flag) => parts.push(flag.to_string()),
        serde_json::Value::Number(number) => parts.push(number.to_string()),
        serde_json::Value::String(text) => parts.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| leaves(item, parts)),
        serde_json::Value::Object(members) => {
            members.values().for_each(|member| leaves(member, parts));
        }
    }
}

/// Lower case, and without the characters that no keyboard types.
fn clean(text: &str) -> String {
    text.to_lowercase().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// What was typed, ready to be looked for: each has to be in the text. Empty ones always are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Typed([String; WORDS_MAX]);

impl Typed {
    /// None where nothing was typed.
    pub(super) fn read(typed: &str) -> Option<Self> {
        let typed: String = clean(typed).chars().take(TYPED_CHARS_MAX).collect();
        let mut words: [String; WORDS_MAX] = Default::default();
        let mut rest = typed.trim();
        for (at, word) in words.iter_mut().enumerate() {
            let (first, after) = match rest.split_once(' ') {
                Some((first, after)) if at + 1 < WORDS_MAX => (first, after.trim_start()),
                Some(_) | None => (rest, ""),
            };
            first.clone_into(word);
            rest = after;
        }
        if words[0].is_empty() { None } else { Some(Self(words)) }
    }

    /// The words as SQLite's `GLOB` takes them, anywhere in a text. It is the fastest way that SQLite
    /// has to look through one.
    pub(super) fn patterns(&self) -> [String; WORDS_MAX] {
        self.0.each_ref().map(|word| format!("*{}*", literal(word)))
    }
}

/// A word of which no letter means another.
fn literal(word: &str) -> String {
    let mut literal = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            '*' | '?' | '[' => literal.extend(['[', letter, ']']),
            _ => literal.push(letter),
        }
    }
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_becomes_words_and_patterns() {
        let typed = Typed::read("  Orders  EU ").unwrap();
        assert_eq!(typed.0, ["orders", "eu", "", ""]);
        assert_eq!(typed.patterns(), ["*orders*", "*eu*", "**", "**"]);
        assert_eq!(Typed::read("a b c d e").unwrap().0, ["a", "b", "c", "d e"]);
        assert_eq!(Typed::read(" \t\n"), None);
        assert_eq!(Typed::read("a*[b]?").unwrap().patterns()[0], "*a[*][[]b][?]*");
    }
}
