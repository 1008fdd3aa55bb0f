//! Every message that the code asks for is in both catalogues.

use std::{collections::BTreeSet, fs, path::Path};

use docket_wire::ProblemType;

use super::*;
use crate::{
    attempt::{AttemptKind, CallReason, CallResult},
    journal::{Hold, UnresolvedReason},
    knowledge::BusinessOutcome,
    stage::{NotCreatedWhy, Stage},
    view::{CheckOutcome, CredentialKept, ErrorCode},
};

fn both() -> [Words; 2] {
    [Words::for_language(Language::English), Words::for_language(Language::Chinese)]
}

#[test]
fn both_catalogues_can_be_read_whole() {
    for language in Language::ALL {
        let read = FluentResource::try_new(language.catalogue().to_owned());
        assert!(read.is_ok(), "{language}: {:?}", read.err().map(|(_, errors)| errors));
    }
}

/// The ids that the code outside the window writes out in full.
#[test]
fn every_message_that_the_code_asks_for_exists() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the engine has a home");
    let mut asked = BTreeSet::new();
    for folder in ["cli/src", "src", "engine/src"] {
        collect(&sources.join(folder), &mut asked);
    }
    assert!(!asked.is_empty());
    for words in both() {
        for id in &asked {
            assert!(words.bundle.has_message(id), "{}: {id}", words.language());
        }
    }
}

fn collect(folder: &Path, asked: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a folder of sources can be read").path();
        if path.is_dir() {
            collect(&path, asked);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source can be read");
            for literal in text.split('"').skip(1) {
                let ours = ["terminal-", "tray-", "notify-"].iter().any(|p| literal.starts_with(p));
                let whole = literal.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
                // An id that ends in a dash is the first half of one that is put together.
                if ours && whole && !literal.ends_with('-') {
                    asked.insert(literal.to_owned());
                }
            }
        }
    }
}

/// The ids that the code puts together from a word.
#[test]
fn every_word_of_the_domain_has_its_message() {
    fn ids(prefix: &str, words: impl Iterator<Item = &'static str>) -> Vec<String> {
        words.map(|word| format!("{prefix}{word}")).collect()
    }
    let stages = || Stage::ALL.iter().map(|word| word.as_str());
    let asked = [
        ids("terminal-stage-", stages()),
        ids("terminal-line-", stages()),
        ids("terminal-hold-", Hold::ALL.iter().map(|word| word.as_str())),
        ids("terminal-call-", CallReason::ALL.iter().map(|word| word.as_str())),
        ids("terminal-unresolved-", UnresolvedReason::ALL.iter().map(|word| word.as_str())),
        ids("terminal-absent-", NotCreatedWhy::ALL.iter().map(|word| word.as_str())),
        ids("terminal-error-", ErrorCode::ALL.iter().map(|word| word.as_str())),
        ids("terminal-call-result-", CallResult::ALL.iter().map(|word| word.as_str())),
        ids("terminal-outcome-of-", BusinessOutcome::ALL.iter().map(|word| word.as_str())),
        ids("terminal-kind-", AttemptKind::ALL.iter().map(|word| word.as_str())),
        ids("terminal-credential-", CredentialKept::ALL.iter().map(|word| word.as_str())),
        ids("terminal-outcome-", CheckOutcome::ALL.iter().map(|word| word.as_str())),
    ]
    .concat();
    for words in both() {
        for id in &asked {
            assert!(words.bundle.has_message(id), "{}: {id}", words.language());
        }
    }
}

/// A refusal without words of its own is told in the service's; the usual ones have theirs.
#[test]
fn the_usual_refusals_have_words() {
    for kind in [
        ProblemType::Forbidden,
        ProblemType::UnknownOperation,
        ProblemType::InvalidParameters,
        ProblemType::KeyConflict,
        ProblemType::TooLarge,
    ] {
        for words in both() {
            assert!(words.find(&format!("terminal-problem-{}", kind.name()), &[]).is_some());
        }
    }
}

#[test]
fn places_are_filled_without_marks_of_direction() {
    let fillings: Fillings<'_> = &[("count", 2.into()), ("confirming", 1.into())];
    assert_eq!(
        Words::for_language(Language::English).say("tray-headline-confirming", fillings),
        "2 in progress · 1 being confirmed, no action needed"
    );
    assert_eq!(
        Words::for_language(Language::Chinese).say("tray-headline-confirming", fillings),
        "2 个进行中 · 1 个正在确认结果，无需操作"
    );
    let one =
        Words::for_language(Language::English).say("terminal-driving", &[("count", 1.into())]);
    assert_eq!(one, "Driving one open export. Ctrl-C ends it; nothing is lost.");
}

#[test]
fn a_missing_message_shows_its_id() {
    assert_eq!(
        Words::for_language(Language::English).say("no-such-message", &[]),
        "no-such-message"
    );
}

#[test]
fn the_language_is_chosen_in_order() {
    use Language::{Chinese, English};
    assert_eq!(Language::chosen(Some("zh-CN"), Some(English), Some("en_US.UTF-8")), Chinese);
    assert_eq!(Language::chosen(Some("fr"), Some(Chinese), Some("en_US.UTF-8")), Chinese);
    assert_eq!(Language::chosen(None, None, Some("zh_CN.UTF-8")), Chinese);
    assert_eq!(Language::chosen(None, None, Some("C.UTF-8")), English);
    assert_eq!(Language::chosen(Some(""), None, None), English);
}
