//! The files that the laws are held against: everything that git tracks or would track.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lex;

/// One text file of the tree.
pub struct Source {
    /// Its path from the root, with forward slashes.
    pub path: String,
    /// What it says.
    pub text: String,
    /// The same without what comments and literals say, line for line. Of files that are not Rust, empty.
    pub code: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let code = if path.ends_with(".rs") { lex::code(text) } else { String::new() };
        Self { path: path.to_owned(), text: text.to_owned(), code }
    }

    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// A complaint about the place at this byte of the text or of the code: they have the same lines.
    pub fn at(&self, byte: usize, sentence: &str) -> String {
        let line = self.text.bytes().take(byte).filter(|b| *b == b'\n').count() + 1;
        format!("{}:{line}: {sentence}", self.path)
    }

    /// A complaint about the file as a whole.
    pub fn whole(&self, sentence: &str) -> String {
        format!("{}: {sentence}", self.path)
    }
}

/// The root of the tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lies below the root").to_owned()
}

/// Every text file of the tree.
pub fn files() -> Vec<Source> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the tree");
    assert!(listed.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).expect("paths are UTF-8");
    // Pictures are not UTF-8, and a file that was just removed is still listed: neither has laws to keep.
    names
        .split_terminator('\0')
        .filter_map(|path| {
            std::fs::read_to_string(root().join(path)).ok().map(|text| Source::new(path, &text))
        })
        .collect()
}
