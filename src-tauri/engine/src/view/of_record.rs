//! An export as it leaves the engine: `Record` and its attempts in, [`ExportView`] out. Pure.

use docket_wire::Problem;
use jiff::Timestamp;

use super::{
    AttemptView, CandidateView, DeliveryView, ExportView, FieldErrorView, FileView, NextAction,
    OfferedFileView, ProblemView, ProgressView, offer,
};
use crate::{
    attempt::{Attempt, AttemptKind, AttemptResult, CallResult},
    delivery::{Delivery, Obstacle, SavedFile},
    journal::{Turn, UnresolvedReason, later},
    knowledge::{Knowledge, SubmitEnd},
    plan::{Moment, is_held_from_calls, next_action},
    record::Record,
    stage::{Stage, business_outcome, not_created_why, stage},
};

/// The whole view of an export.
pub fn export_view(
    record: &Record,
    attempts: &[Attempt],
    service: &str,
    moment: Moment<'_>,
) -> ExportView {
    let Record { export, knowledge, journal, delivery, facts, .. } = record;
    let facts = facts.as_ref();
    let stage = stage(knowledge, journal, delivery, facts, moment.now);
    let job = knowledge.job();
    let next_action = upcoming(record, moment);
    ExportView {
        id: export.id.to_string(),
        request_key: export.request_key.to_string(),
        version: record.version,
        service: service.to_owned(),
        service_id: export.account.service.to_string(),
        service_address: export.account.address.clone(),
        tenant_id: export.account.tenant_id.clone(),
        subject: export.account.subject.clone(),
        operation: export.payload.operation().to_owned(),
        title: record.title.clone(),
        parameters: export.payload.parameters().clone(),
        format: export.payload.format().to_owned(),
        payload_hash: export.payload.hash().to_string(),
        stage,
        hold: journal.hold(),
        reason: reason(record, stage),
        call_result: last_call(record),
        business_outcome: business_outcome(knowledge, journal, facts),
        business_id: knowledge.business_id().map(|id| id.to_string()),
        revision: job.map(|job| job.revision),
        created_at: export.created_at,
        updated_at: record.updated_at,
        // The end of the time that a key has is no next step.
        next_action_at: record.next_action_at.filter(|_| next_action.is_some()),
        next_action,
        window_ends_at: window_end(record, moment),
        supersedes: export.supersedes.as_ref().map(ToString::to_string),
        looks: attempts.iter().filter(|a| a.kind == AttemptKind::Lookup).map(|a| a.times).sum(),
        progress: job.and_then(|job| job.progress.clone()).map(|progress| ProgressView {
            done: progress.done,
            total: progress.total,
            unit: progress.unit,
            step: progress.step,
            ahead: progress.ahead,
        }),
        news_at: journal.schedule.news_at,
        expires_at: job.and_then(|job| job.expires_at),
        offered: job.and_then(|job| job.file.as_ref()).map(|file| OfferedFileView {
            name: crate::file_name::safe_name(&file.name),
            size: file.size,
        }),
        delivery: delivery_view(stage, delivery),
        file: delivery.saved.as_ref().map(file_view),
        problem: problem(knowledge).map(problem_view),
        warnings: job.map(|job| job.warnings.clone()).unwrap_or_default(),
        candidates: candidates(record),
        cancel_asked: journal.wishes.cancel.is_some(),
        actions: offer::actions(record, stage, moment),
        attempts: attempts.iter().map(|a| attempt_view(a, &export.trace_id)).collect(),
    }
}

fn reason(record: &Record, stage: Stage) -> Option<String> {
    let Record { knowledge, journal, facts, .. } = record;
    match stage {
        Stage::Unresolved => {
            let closed = journal.schedule.closed.filter(|_| !knowledge.is_breached());
            Some(closed.unwrap_or(UnresolvedReason::KeyBreached).to_string())
        }
        Stage::NotCreated => {
            not_created_why(knowledge, journal, facts.as_ref()).map(|why| why.to_string())
        }
        Stage::Rejected | Stage::Failed => {
            problem(knowledge).map(|problem| problem.problem_type.name().to_owned())
        }
        Stage::WaitingToSend if journal.turn != Turn::Free => Some(journal.turn.to_string()),
        Stage::Sending
        | Stage::WaitingToSend
        | Stage::Confirming
        | Stage::Accepted
        | Stage::Running
        | Stage::Cancelling
        | Stage::Ready
        | Stage::Downloading
        | Stage::Saved
        | Stage::Cancelled
        | Stage::Expired => match knowledge.last_submit()? {
            SubmitEnd::NotSent { reason } | SubmitEnd::Lost { reason, .. } => {
                Some(reason.to_string())
            }
            SubmitEnd::Deferred { .. } => Some("deferred".to_owned()),
            SubmitEnd::Refused { .. } | SubmitEnd::Answered => None,
        },
    }
}

/// What happened to the last submit; one under way past the soft time-out has not ended and says
/// nothing yet.
fn last_call(record: &Record) -> Option<CallResult> {
    record.knowledge.last_submit().map(SubmitEnd::call_result)
}

fn upcoming(record: &Record, moment: Moment<'_>) -> Option<NextAction> {
    record.next_action_at?;
    if is_held_from_calls(record, moment) {
        return None;
    }
    let kind = next_action(record, moment).kind()?;
    Some(match kind {
        AttemptKind::Describe => NextAction::Describe,
        AttemptKind::Submit => NextAction::Submit,
        AttemptKind::Lookup => NextAction::Lookup,
        AttemptKind::Poll => NextAction::Poll,
        AttemptKind::Abandon => NextAction::Abandon,
        AttemptKind::Cancel => NextAction::Cancel,
        AttemptKind::Download => NextAction::Download,
    })
}

/// The window is spent, not dated; this is when it would end if nothing came between.
fn window_end(record: &Record, moment: Moment<'_>) -> Option<Timestamp> {
    let window = record.journal.schedule.window.as_ref()?;
    let length = moment.policy.window_length(record.facts.as_ref());
    let left = length.saturating_sub(std::time::Duration::from_millis(window.spent_ms));
    Some(later(window.last_try_at.unwrap_or(moment.now), left))
}

fn delivery_view(stage: Stage, delivery: &Delivery) -> Option<DeliveryView> {
    if stage != Stage::Downloading {
        return None;
    }
    let mut view = DeliveryView {
        done: delivery.kept,
        total: delivery.total,
        space_needed: None,
        space_free: None,
        folder: None,
        folder_reason: None,
    };
    match &delivery.obstacle {
        Some(Obstacle::NoSpace { needed, free }) => {
            view.space_needed = Some(*needed);
            view.space_free = Some(*free);
        }
        Some(Obstacle::CannotWrite { folder, reason }) => {
            view.folder = Some(folder.display().to_string());
            view.folder_reason = Some(reason.clone());
        }
        None => {}
    }
    Some(view)
}

fn file_view(saved: &SavedFile) -> FileView {
    FileView {
        path: saved.path.display().to_string(),
        name: saved.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        size: saved.size,
        digest: saved.digest.clone(),
        verified: saved.verified,
        saved_at: saved.at,
    }
}

/// The job's problem, else the refusal.
fn problem(knowledge: &Knowledge) -> Option<&Problem> {
    match knowledge.job() {
        Some(job) => job.problem.as_ref(),
        None => knowledge.refusal(),
    }
}

fn problem_view(problem: &Problem) -> ProblemView {
    ProblemView {
        kind: problem.problem_type.name().to_owned(),
        title: problem.title.clone(),
        detail: problem.detail.clone(),
        errors: problem.errors.iter().cloned().map(FieldErrorView::from).collect(),
        permission: problem.permission.clone(),
        owner: problem.owner.clone(),
        retry_may_help: problem.retry_may_help.unwrap_or_default(),
    }
}

/// The jobs that a person may have to choose from.
fn candidates(record: &Record) -> Vec<CandidateView> {
    let Record { knowledge, journal, .. } = record;
    if knowledge.is_breached() {
        return knowledge
            .jobs
            .values()
            .map(|statement| CandidateView {
                business_id: statement.job.business_id.clone(),
                created_at: statement.job.created_at,
                status: statement.job.status.to_string(),
            })
            .collect();
    }
    if knowledge.job().is_some() {
        return Vec::new();
    }
    journal
        .schedule
        .candidates
        .iter()
        .map(|(business_id, candidate)| CandidateView {
            business_id: business_id.clone(),
            created_at: candidate.created_at,
            status: candidate.status.clone(),
        })
        .collect()
}

fn attempt_view(attempt: &Attempt, trace_id: &str) -> AttemptView {
    let result = attempt.result.as_ref();
    let refusal = |result: &AttemptResult| {
        result.refusal().map(|problem| problem.problem_type.name().to_owned())
    };
    let reason = result
        .and_then(|result| refusal(result).or(result.reason().map(|reason| reason.to_string())));
    let lost_at = result.and_then(AttemptResult::lost_at);
    // A row that stands for several calls says when the first began and the last ended, and of none
    // how long it took.
    let duration = attempt
        .ended_at
        .filter(|_| attempt.times == 1)
        .map(|end| end.duration_since(attempt.started_at).as_millis());
    AttemptView {
        attempt_no: attempt.attempt_no,
        kind: attempt.kind,
        phase: lost_at.or(attempt.phases.last().map(|mark| mark.phase)),
        call_result: result.map(AttemptResult::call_result),
        result: result.map(|result| result.word().to_owned()),
        http_status: attempt.http_status,
        reason,
        started_at: attempt.started_at,
        ended_at: attempt.ended_at,
        duration_ms: duration.and_then(|millis| u64::try_from(millis).ok()),
        phases: attempt.phases.clone(),
        heard: result.and_then(heard),
        times: attempt.times,
        trace_id: trace_id.to_owned(),
        span_id: attempt.span_id.clone(),
    }
}

fn heard(result: &AttemptResult) -> Option<String> {
    if let AttemptResult::Found { job } = result { Some(job.status.to_string()) } else { None }
}

impl ExportView {
    /// Whether nothing happens any more without a person: whatever holds it, what is tried again by
    /// itself, as with a full disk, does.
    pub fn is_at_rest(&self) -> bool {
        let turn = Some(Turn::Person.as_str());
        let asked = self.stage == Stage::WaitingToSend && self.reason.as_deref() == turn;
        let under_way = self.attempts.iter().any(|attempt| attempt.ended_at.is_none());
        let goes_on = self.next_action.is_some() || under_way;
        self.stage.is_settled() || self.stage == Stage::Unresolved || asked || !goes_on
    }
}
