//! Questions that stories ask of an export's attempts.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    view::{AttemptView, ExportView, PersonAction},
};

/// The attempts of one kind, in order.
pub fn attempts(view: &ExportView, kind: AttemptKind) -> Vec<&AttemptView> {
    view.attempts.iter().filter(|attempt| attempt.kind == kind).collect()
}

/// How many attempts of one kind ended so. Equal looks in a row are one row with a count.
pub fn ended(view: &ExportView, kind: AttemptKind, call: CallResult) -> u32 {
    let of_kind = attempts(view, kind);
    let ended = of_kind.iter().filter(|attempt| attempt.call_result == Some(call));
    ended.map(|attempt| attempt.times).sum()
}

/// Whether an action is offered, to be done now.
pub fn offers(view: &ExportView, action: PersonAction) -> bool {
    view.actions.iter().any(|offered| offered.action == action && offered.not_yet.is_none())
}

/// Whether a look came between every lost submit and the submit after it.
pub fn asked_before_sending(view: &ExportView) -> bool {
    let mut may_send = true;
    for attempt in &view.attempts {
        match attempt.kind {
            AttemptKind::Submit if !may_send => return false,
            AttemptKind::Submit => may_send = attempt.call_result != Some(CallResult::Lost),
            AttemptKind::Lookup => may_send |= attempt.call_result == Some(CallResult::Answered),
            AttemptKind::Describe
            | AttemptKind::Poll
            | AttemptKind::Abandon
            | AttemptKind::Cancel
            | AttemptKind::Download => {}
        }
    }
    true
}
