//! What no file of the tree names: a person's machine, where packages come from, who helped.

use crate::tree::Source;

/// In halves, so that this file keeps its own law.
const MACHINES: &[(&str, &str)] = &[
    ("/wo", "rk/"),
    ("/ro", "ot/"),
    ("/ho", "me/"),
    ("/Us", "ers/"),
    (":\\Us", "ers\\"),
    (":/Us", "ers/"),
];
const HOSTS: &[(&str, &str)] = &[
    ("registry.", "npmjs."),
    ("npm", "mirror."),
    ("static.", "crates.io"),
    ("index.", "crates.io"),
    ("py", "pi.org"),
    ("files.", "pythonhosted"),
    ("deb.", "debian.org"),
    ("archive.", "ubuntu.com"),
];
const HELPERS: &[(&str, &str)] = &[
    ("cla", "ude"),
    ("anth", "ropic"),
    ("chat", "gpt"),
    ("open", "ai"),
    ("co", "pilot"),
    ("co", "dex"),
    ("gem", "ini"),
    ("coding ass", "istant"),
    ("language mo", "del"),
    ("co-authored", "-by"),
];

/// A path that starts on somebody's disk is true on no other.
pub fn machines(files: &[Source]) -> Vec<String> {
    // A path begins where no name, dot or other path ends: `framework/` and `~/home/` are none.
    occurrences(files, MACHINES, "a path of one machine", |before| {
        !before.is_ascii_alphanumeric()
            && !matches!(before, b'.' | b'_' | b'-' | b'~' | b'}' | b'/')
    })
}

/// Where packages come from is the machine's business, not the tree's.
pub fn hosts(files: &[Source]) -> Vec<String> {
    occurrences(files, HOSTS, "the host of a registry", |_| true)
}

/// The tree speaks of the product.
pub fn helpers(files: &[Source]) -> Vec<String> {
    occurrences(files, HELPERS, "not of the product", |before| !before.is_ascii_alphanumeric())
}

fn occurrences(
    files: &[Source],
    words: &[(&str, &str)],
    sentence: &str,
    may_follow: impl Fn(u8) -> bool,
) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let text = file.text.to_ascii_lowercase();
        for (first, second) in words {
            let word = format!("{first}{second}").to_ascii_lowercase();
            for (at, _) in text.match_indices(&word) {
                let before = at.checked_sub(1).map_or(b' ', |before| text.as_bytes()[before]);
                let after = text.as_bytes().get(at + word.len());
                let whole = !word.ends_with(|c: char| c.is_ascii_alphanumeric())
                    || !after.is_some_and(u8::is_ascii_alphanumeric)
                    || word.contains('.');
                if may_follow(before) && whole {
                    complaints.push(file.at(at, sentence));
                }
            }
        }
    }
    complaints
}
