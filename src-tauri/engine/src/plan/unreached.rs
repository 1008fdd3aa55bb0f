//! A service that can not be reached is asked by one call at a time; what that call met, every
//! export of the service met that was due meanwhile.
//!
//! Such an export made no request, so nothing is added to what is known and no attempt is numbered.
//! But it had its turn and nobody could be reached: its window and its back-off move on as after a
//! try that was not sent. So each window ends in the time that it would have taken to ask for each
//! export alone, with the reason `service_unreachable`, however many exports share the one call.

use super::{
    Moment,
    advance::{Ended, ended, replan},
    next_action,
    spend::last_answer,
};
use crate::{
    attempt::{AttemptResult, CallReason},
    journal::LastAnswer,
    record::Record,
};

/// The call that was made in this export's stead did not reach the service: it ended so.
pub fn unreached(record: &mut Record, instead: Ended<'_>, moment: Moment<'_>) {
    if let Some(kind) = next_action(record, moment).call() {
        let reason = instead.result.reason().unwrap_or(CallReason::ConnectFailed);
        let result = AttemptResult::NotSent { reason };
        let (started_at, ended_at) = (moment.now, moment.now);
        let not_sent = Ended { kind, result: &result, http_status: None, started_at, ended_at };
        ended(record, not_sent, moment.policy);
        // A gateway that answers with errors is not the same as nobody at all.
        if let Some(window) = &mut record.journal.schedule.window
            && last_answer(instead) == LastAnswer::ServiceError
        {
            window.last_answer = Some(LastAnswer::ServiceError);
        }
    }
    replan(record, moment);
}
