//! An export in words: its stage, the sentence under it, what holds it.

use docket_engine::{
    journal::Hold,
    stage::Stage,
    view::{ExportView, NoticeView, ProblemView},
    words::{Fillings, FluentValue, Language, Words},
};
use indicatif::HumanBytes;

use crate::{output::plain, watch::waits_for_the_person};

/// The stage's name.
pub fn label(words: &Words, export: &ExportView) -> String {
    let fillings: Fillings<'_> = &[("service", export.service.as_str().into())];
    words.say(&format!("terminal-stage-{}", export.stage), fillings)
}

/// The stage's name and what holds it, as a list has room for.
pub fn label_held(words: &Words, export: &ExportView) -> String {
    let label = label(words, export);
    match export.hold {
        Some(hold) => format!("{label} · {}", words.say(&format!("hold-{hold}"), &[])),
        None => label,
    }
}

/// What is so, in one or two sentences.
pub fn line(words: &Words, export: &ExportView) -> String {
    let said = match export.stage {
        Stage::Running => running(words, export),
        Stage::Downloading => downloading(words, export),
        Stage::Saved => saved(words, export),
        Stage::Rejected | Stage::Failed => with_reason(words, export, problem(words, export)),
        Stage::WaitingToSend => waiting(words, export),
        Stage::NotCreated => with_reason(words, export, worded(words, export, "terminal-absent-")),
        Stage::Unresolved => unresolved(words, export),
        Stage::Sending
        | Stage::Confirming
        | Stage::Accepted
        | Stage::Cancelling
        | Stage::Ready
        | Stage::Cancelled
        | Stage::Expired => with_reason(words, export, String::new()),
    };
    match hold(words, export) {
        Some(hold) => joined(words, &said, &hold),
        None => said,
    }
}

/// The stage's name and what is so.
pub fn told(words: &Words, export: &ExportView) -> String {
    let (label, line) = (label(words, export), line(words, export));
    match words.language() {
        Language::English => format!("{label}: {line}"),
        Language::Chinese => format!("{label}：{line}"),
    }
}

/// What is wrong, field by field.
pub fn fields(words: &Words, export: &ExportView) -> Vec<String> {
    let errors = export.problem.iter().flat_map(|problem| &problem.errors);
    errors
        .map(|error| {
            let field = plain(error.pointer.trim_start_matches('/'));
            let fillings: Fillings<'_> =
                &[("field", field.into()), ("problem", plain(&error.detail).into())];
            words.say("terminal-error-field", fillings)
        })
        .collect()
}

/// Bytes for people.
pub fn bytes(count: u64) -> String {
    HumanBytes(count).to_string()
}

/// Whole per cent, never above 100.
pub fn percent(done: u64, total: u64) -> u64 {
    let part = u128::from(done) * 100 / u128::from(total.max(1));
    u64::try_from(part).unwrap_or(u64::MAX).min(100)
}

fn with_reason(words: &Words, export: &ExportView, reason: String) -> String {
    let fillings: Fillings<'_> = &[
        ("service", export.service.as_str().into()),
        ("id", export.id.as_str().into()),
        ("reason", reason.into()),
    ];
    words.say(&format!("terminal-line-{}", export.stage), fillings)
}

/// Why it could not be confirmed, and what the person can find out where Docket can not.
fn unresolved(words: &Words, export: &ExportView) -> String {
    let said = with_reason(words, export, worded(words, export, "terminal-unresolved-"));
    let reason = export.reason.as_deref().unwrap_or_default();
    let fillings: Fillings<'_> =
        &[("service", export.service.as_str().into()), ("id", export.id.as_str().into())];
    match words.find(&format!("terminal-by-hand-{reason}"), fillings) {
        Some(how) => joined(words, &said, &how),
        None => said,
    }
}

fn worded(words: &Words, export: &ExportView, prefix: &str) -> String {
    let reason = export.reason.as_deref().unwrap_or_default();
    let fillings: Fillings<'_> = &[("service", export.service.as_str().into())];
    words.find(&format!("{prefix}{reason}"), fillings).unwrap_or_else(|| reason.to_owned())
}

/// What follows another export waits for that one, or for the person: it does not go by itself, nor
/// does what a hold keeps for the person.
fn waiting(words: &Words, export: &ExportView) -> String {
    let reason = export.reason.as_deref().unwrap_or_default();
    let fillings: Fillings<'_> =
        &[("service", export.service.as_str().into()), ("id", export.id.as_str().into())];
    words.find(&format!("terminal-turn-{reason}"), fillings).unwrap_or_else(|| {
        let reason = not_sent(words, export);
        match export.hold.is_some_and(Hold::needs_the_person) {
            true => words.say("terminal-line-waiting_to_send-held", &[("reason", reason.into())]),
            false => with_reason(words, export, reason),
        }
    })
}

/// Why the last call did not leave; a call that left was answered with a wish to wait.
fn not_sent(words: &Words, export: &ExportView) -> String {
    let last = export.attempts.iter().rfind(|attempt| attempt.call_result.is_some());
    let last = last.and_then(|attempt| attempt.reason.as_deref());
    let reason = export.reason.as_deref().or(last).unwrap_or_default();
    words
        .find(&format!("terminal-call-{reason}"), &[])
        .unwrap_or_else(|| words.say("terminal-call-asked-to-wait", &[]))
}

/// The service's own words come first: it knows the case.
fn problem(words: &Words, export: &ExportView) -> String {
    let Some(problem) = &export.problem else {
        return words.say("terminal-problem-unknown", &[]);
    };
    let text = problem.detail.as_deref().map(plain).unwrap_or_else(|| kind(words, problem));
    if text.ends_with(['.', '。', '?', '？']) {
        return text;
    }
    match words.language() {
        Language::English => format!("{text}."),
        Language::Chinese => format!("{text}。"),
    }
}

fn kind(words: &Words, problem: &ProblemView) -> String {
    words.find(&format!("terminal-problem-{}", problem.kind), &[]).unwrap_or_else(|| match problem
        .title
        .is_empty()
    {
        true => words.say("terminal-problem-unknown", &[]),
        false => plain(&problem.title),
    })
}

fn running(words: &Words, export: &ExportView) -> String {
    let Some(progress) = &export.progress else { return with_reason(words, export, String::new()) };
    let unit = plain(&progress.unit);
    match progress.total {
        Some(total) => words.say(
            "terminal-line-running-count",
            &[
                ("done", whole(progress.done)),
                ("total", whole(total)),
                ("unit", unit.into()),
                ("percent", whole(percent(progress.done, total))),
            ],
        ),
        None => words.say(
            "terminal-line-running-done",
            &[("done", whole(progress.done)), ("unit", unit.into())],
        ),
    }
}

fn downloading(words: &Words, export: &ExportView) -> String {
    let (done, total) =
        export.delivery.as_ref().map_or((0, None), |delivery| (delivery.done, delivery.total));
    let done = bytes(done);
    match total {
        Some(total) => words.say(
            "terminal-line-downloading",
            &[("done", done.into()), ("total", bytes(total).into())],
        ),
        None => words.say("terminal-line-downloading-open", &[("done", done.into())]),
    }
}

fn saved(words: &Words, export: &ExportView) -> String {
    use docket_engine::attempt::Verified;
    let Some(file) = &export.file else { return String::new() };
    let id = match file.verified {
        Verified::Digest => "terminal-line-saved",
        Verified::Size => "terminal-line-saved-size",
    };
    let fillings: Fillings<'_> = &[
        ("path", file.path.as_str().into()),
        ("size", bytes(file.size).into()),
        ("service", export.service.as_str().into()),
    ];
    let said = words.say(id, fillings);
    let warnings: Vec<String> = export.warnings.iter().map(|warning| plain(warning)).collect();
    match warnings.is_empty() {
        true => said,
        false => joined(words, &said, &warnings.join(" ")),
    }
}

fn hold(words: &Words, export: &ExportView) -> Option<String> {
    let hold = export.hold?;
    let delivery = export.delivery.as_ref();
    let count = |of: Option<u64>| bytes(of.unwrap_or_default());
    let text = |of: Option<&String>| of.map(|text| plain(text)).unwrap_or_default();
    let fillings: Fillings<'_> = &[
        ("service", export.service.as_str().into()),
        ("folder", text(delivery.and_then(|d| d.folder.as_ref())).into()),
        ("problem", text(delivery.and_then(|d| d.folder_reason.as_ref())).into()),
        ("needed", count(delivery.and_then(|d| d.space_needed)).into()),
        ("free", count(delivery.and_then(|d| d.space_free)).into()),
    ];
    // What is tried by itself is so for a time, and then waits.
    let tried = hold == Hold::NoSpace || hold == Hold::DownloadInterrupted;
    let waits = if tried && waits_for_the_person(export) { "-waits" } else { "" };
    Some(words.say(&format!("terminal-hold-{hold}{waits}"), fillings))
}

/// Chinese sentences follow each other without a space.
fn joined(words: &Words, first: &str, second: &str) -> String {
    match words.language() {
        Language::English => format!("{first} {second}"),
        Language::Chinese => format!("{first}{second}"),
    }
}

/// A count as text: a catalogue would put its own separators into a number.
fn whole(count: u64) -> FluentValue<'static> {
    count.to_string().into()
}

/// What happened to the store, in one sentence.
pub fn notice(words: &Words, notice: &NoticeView) -> String {
    let missing = match (notice.unreadable, notice.all_counted) {
        (0, true) => "terminal-notice-missing-none",
        (0, false) => "terminal-notice-missing-unknown",
        (_, true) => "terminal-notice-missing",
        (_, false) => "terminal-notice-missing-at-least",
    };
    let missing = words.say(missing, &[("count", notice.unreadable.into())]);
    let fillings: Fillings<'_> = &[
        ("path", notice.path.as_str().into()),
        ("open", notice.open.into()),
        ("over", notice.over.into()),
        ("missing", missing.into()),
    ];
    words.say(&format!("terminal-notice-{}", notice.kind), fillings)
}

#[cfg(test)]
mod tests {
    use docket_engine::journal::Turn;

    use super::*;
    use crate::testing::export;

    #[test]
    fn every_stage_and_hold_is_told_in_both_languages() {
        for language in Language::ALL {
            let words = Words::for_language(*language);
            for stage in Stage::ALL {
                for hold in Hold::ALL.iter().copied().map(Some).chain([None]) {
                    let mut export = export(*stage, hold);
                    for planned in [None, Some(export.created_at)] {
                        export.next_action_at = planned;
                        let label = label_held(&words, &export);
                        let told = format!("{} {label}", told(&words, &export));
                        assert!(!told.contains("terminal-"), "{stage} {hold:?}: {told}");
                        assert!(!told.contains("hold-"), "{stage} {hold:?}: {told}");
                        assert!(!told.contains('{'), "{stage} {hold:?}: {told}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_follows_another_says_whom_it_waits_for() {
        let mut export = export(Stage::WaitingToSend, None);
        for language in Language::ALL {
            let words = Words::for_language(*language);
            export.reason = None;
            let by_itself = line(&words, &export);
            export.reason = Some(Turn::AfterSeal.to_string());
            let after_seal = line(&words, &export);
            export.reason = Some(Turn::Person.to_string());
            let person = line(&words, &export);
            assert!(person.contains("docket resend 0199-export"), "{person}");
            assert!(by_itself != after_seal && after_seal != person, "{after_seal}");
        }
    }

    #[test]
    fn unknown_is_never_called_failed() {
        for stage in [Stage::Confirming, Stage::Unresolved] {
            let english = told(&Words::for_language(Language::English), &export(stage, None));
            assert!(!english.to_lowercase().contains("fail"), "{english}");
            let chinese = told(&Words::for_language(Language::Chinese), &export(stage, None));
            assert!(!chinese.contains("失败"), "{chinese}");
        }
    }

    #[test]
    fn the_services_text_ends_as_a_sentence() {
        let words = Words::for_language(Language::English);
        let mut export = export(Stage::Rejected, None);
        let problem = serde_json::json!({
            "kind": "forbidden", "title": "", "detail": "No access", "errors": [
                {"pointer": "/from", "detail": "too early"}],
            "permission": null, "owner": null, "retry_may_help": false});
        export.problem = Some(serde_json::from_value(problem).expect("a problem"));
        assert_eq!(
            told(&words, &export),
            "Needs changes: Meridian didn't accept it: No access. No export was started."
        );
        assert_eq!(fields(&words, &export), ["from: too early"]);
    }

    #[test]
    fn per_cent_stays_in_its_range() {
        assert_eq!(percent(0, 0), 0);
        assert_eq!(percent(1, 3), 33);
        assert_eq!(percent(9, 3), 100);
        assert_eq!(percent(u64::MAX, u64::MAX), 100);
    }
}
