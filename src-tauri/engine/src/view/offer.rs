//! What a person may do with an export now, the primary action first. Pure.
//!
//! The window and the terminal offer what stands here and nothing else. A second export is never
//! among it while the result is unknown: *export again* is then shown with the reason why not.

use super::{ActionView, NotYet, PersonAction};
use crate::{
    attempt::DeferUntil,
    capabilities::ServiceFacts,
    journal::Hold,
    knowledge::SubmitEnd,
    plan::{Moment, may_resend},
    record::Record,
    stage::Stage,
};

/// The actions of an export in this stage.
pub fn actions(record: &Record, stage: Stage, moment: Moment<'_>) -> Vec<ActionView> {
    let mut offered = Offered(Vec::new());
    if let Some(hold) = record.journal.hold() {
        for_hold(&mut offered, record, hold, moment);
    }
    for_stage(&mut offered, record, stage, moment);
    offered.0
}

struct Offered(Vec<ActionView>);

impl Offered {
    fn now(&mut self, action: PersonAction) {
        self.push(action, None);
    }

    fn later(&mut self, action: PersonAction, not_yet: NotYet) {
        self.push(action, Some(not_yet));
    }

    fn push(&mut self, action: PersonAction, not_yet: Option<NotYet>) {
        if self.0.iter().all(|offered| offered.action != action) {
            self.0.push(ActionView { action, not_yet });
        }
    }
}

fn for_hold(offered: &mut Offered, record: &Record, hold: Hold, moment: Moment<'_>) {
    match hold {
        Hold::SignIn | Hold::OtherAccount => offered.now(PersonAction::SignIn),
        // No look is to be had, so what the person knows or wants stands for it.
        Hold::RestoredStore if can_not_look(record) => {
            if may_resend(record, moment) {
                offered.now(PersonAction::Resend);
            }
            offered.now(PersonAction::Settle);
        }
        Hold::RestoredStore | Hold::NoProgress => offered.now(PersonAction::CheckNow),
        Hold::Paused | Hold::DownloadInterrupted => offered.now(PersonAction::Resume),
        // Also once the permission is back: the same fetch is tried again.
        Hold::AccessWithdrawn | Hold::CannotWrite | Hold::NoSpace | Hold::CheckFailed => {
            offered.now(PersonAction::Download);
        }
    }
}

fn for_stage(offered: &mut Offered, record: &Record, stage: Stage, moment: Moment<'_>) {
    match stage {
        Stage::Sending => cancel(offered, record),
        Stage::WaitingToSend => {
            offered.now(PersonAction::SendNow);
            cancel(offered, record);
            if record.journal.wishes.cancel.is_none() && !was_deferred(record) {
                offered.now(PersonAction::EditAndResubmit);
            }
        }
        Stage::Confirming => {
            offered.now(PersonAction::CheckNow);
            cancel(offered, record);
            offered.later(PersonAction::ExportAgain, NotYet::UntilResultKnown);
        }
        Stage::Accepted | Stage::Running => {
            cancel(offered, record);
            offered.now(PersonAction::CheckNow);
            offered.now(PersonAction::ExportAgain);
        }
        Stage::Cancelling => offered.now(PersonAction::CheckNow),
        Stage::Ready => {
            offered.now(PersonAction::Download);
            offered.now(PersonAction::ExportAgain);
        }
        Stage::Downloading => {
            offered.now(PersonAction::Pause);
            offered.now(PersonAction::Cancel);
            offered.now(PersonAction::ExportAgain);
        }
        Stage::Saved => {
            offered.now(PersonAction::OpenFile);
            offered.now(PersonAction::ShowInFolder);
            offered.now(PersonAction::ExportAgain);
            offered.now(PersonAction::Download);
        }
        Stage::Rejected => offered.now(PersonAction::EditAndResubmit),
        Stage::NotCreated | Stage::Failed | Stage::Cancelled | Stage::Expired => {
            offered.now(PersonAction::ExportAgain);
            offered.now(PersonAction::EditAndResubmit);
        }
        Stage::Unresolved => unresolved(offered, record, moment),
    }
}

fn unresolved(offered: &mut Offered, record: &Record, moment: Moment<'_>) {
    if record.knowledge.is_breached() {
        offered.now(PersonAction::Settle);
        return;
    }
    offered.now(PersonAction::CheckNow);
    if may_resend(record, moment) {
        offered.now(PersonAction::Resend);
    }
    if record.knowledge.job().is_none() {
        offered.now(PersonAction::Settle);
    }
    offered.now(PersonAction::ExportAgain);
    cancel(offered, record);
}

/// Whether nothing names the job and the service can not be asked without.
fn can_not_look(record: &Record) -> bool {
    let asks = |facts: &ServiceFacts| {
        facts.capabilities.lookup_by_key || facts.capabilities.lookup_by_traits
    };
    record.knowledge.business_id().is_none()
        && record.facts.as_ref().is_some_and(|facts| !asks(facts))
}

/// Cancel is one verb: it withdraws what was not sent, abandons what may have been, and asks for
/// the end of a job that is known, where the service can.
fn cancel(offered: &mut Offered, record: &Record) {
    if record.journal.wishes.cancel.is_some() {
        return;
    }
    let capabilities = record.facts.as_ref().map(|facts| &facts.capabilities);
    let crossed = record.knowledge.any_crossed() || record.journal.change_under_way().is_some();
    if record.knowledge.job().is_some() {
        if capabilities.is_some_and(|can| can.cancel) {
            offered.now(PersonAction::Cancel);
        }
    } else if crossed && capabilities.is_some_and(|can| !can.abandon) {
        offered.later(PersonAction::Cancel, NotYet::UntilResultKnown);
    } else {
        offered.now(PersonAction::Cancel);
    }
}

fn was_deferred(record: &Record) -> bool {
    record.knowledge.submits.values().any(|end| match end {
        SubmitEnd::Deferred { until: DeferUntil::Time(_) } => true,
        SubmitEnd::Deferred { until: DeferUntil::SignIn }
        | SubmitEnd::NotSent { .. }
        | SubmitEnd::Refused { .. }
        | SubmitEnd::Lost { .. }
        | SubmitEnd::Answered => false,
    })
}
