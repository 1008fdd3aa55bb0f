//! `docket check`, `resend`, `cancel`, `settle`: records what the person wants, has it done or sees
//! it done, and tells what became of the export.
//!
//! The exit code is the export's, as for `docket export`: after a cancel, 9 says that nothing was
//! ever started, 4 that the job was cancelled, 0 that it had finished first.

use docket_engine::{
    attempt::{AttemptKind, CallReason},
    error::EngineError,
    export::ExportId,
    knowledge::ByHand,
    stage::Stage,
    view::{ErrorCode, ExportView, PersonAction},
    words::Fillings,
};

use crate::{
    commands::export::{offers, tell},
    exit::Exit,
    failure::Failure,
    output::{note, plain},
    session::Session,
    watch::{self, Until},
};

/// What the person wants of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Look it up now.
    Check,
    /// Send it again with the same key.
    Resend,
    /// Withdraw, abandon or cancel it.
    Cancel,
    /// Note what the person found.
    Settle {
        /// The job that the person found; none where there is none.
        job: Option<String>,
    },
}

/// Does what was typed.
pub async fn run(session: &Session, id: String, wish: Wish) -> Result<Exit, Failure> {
    let id = ExportId::from_text(id);
    let engine = &session.engine;
    let before = engine.get(&id).await?;
    let named = if let Wish::Settle { job } = &wish { job.clone() } else { None };
    let next_call = Until::CallsAfter(watch::calls_ended(&before));
    let until = match wish {
        Wish::Check => {
            engine.check_now(&id).await?;
            next_call
        }
        // What waits to be sent has not been sent for good: the person sends it now.
        Wish::Resend if offers(&before, PersonAction::SendNow) => {
            engine.send_now(&id).await?;
            next_call
        }
        Wish::Resend => {
            engine.resend(&id).await?;
            next_call
        }
        Wish::Cancel => {
            engine.cancel(&id).await?;
            Until::Answered
        }
        Wish::Settle { job: Some(job) } => {
            let finding = ByHand::Job { business_id: job };
            engine.settle(&id, finding).await.map_err(|error| not_settled(error, &before))?;
            next_call
        }
        Wish::Settle { job: None } => {
            let finding = ByHand::Absent;
            engine.settle(&id, finding).await.map_err(|error| not_settled(error, &before))?;
            Until::Answered
        }
    };
    use_token(session, &id, &before.service_id).await?;
    session.drive();
    let mut export = watch::follow(session, &id, until).await?;
    if let Some(job) = named {
        match denial(&export) {
            Some(id) => {
                let fillings: Fillings<'_> =
                    &[("service", export.service.as_str().into()), ("job", plain(&job).into())];
                note(&session.words.say(id, fillings));
            }
            None => export = watch::follow(session, &id, Until::Answered).await?,
        }
    }
    tell(session, &export)?;
    let exit = Exit::of(&export);
    if exit == Exit::Open && !watch::waits_for_the_person(&export) {
        let fillings: Fillings<'_> = &[
            ("id", export.id.as_str().into()),
            ("where", watch::where_it_goes_on(session).into()),
        ];
        note(&session.words.say("terminal-still-open", fillings));
    }
    Ok(exit)
}

/// Why a finding was not taken: it counts once Docket has given up, or can not ask. Before that it
/// would make two of what may still come.
fn not_settled(error: EngineError, export: &ExportView) -> Failure {
    let id = [("id", export.id.as_str())];
    if error.code != ErrorCode::NotNow || export.stage == Stage::Unresolved {
        return error.into();
    }
    let why = match export.stage.is_settled() {
        true => "terminal-error-settle-over",
        false => "terminal-error-settle-open",
    };
    Failure::said(Exit::Other, why, &id)
}

/// What the service said of the job that the person named, where that is not this export.
fn denial(export: &ExportView) -> Option<&'static str> {
    let look = export.attempts.iter().rfind(|attempt| attempt.kind == AttemptKind::Lookup)?;
    if export.revision.is_some() {
        return None;
    }
    if look.reason.as_deref() == Some(CallReason::Mismatched.as_str()) {
        return Some("terminal-settle-not-ours");
    }
    (look.result.as_deref() == Some("not_seen")).then_some("terminal-settle-not-there")
}

/// Uses the token in the environment. The wish is on the disk before: a token that the service does
/// not take keeps nothing from being withdrawn, and is of no matter where nothing is left to do.
async fn use_token(session: &Session, id: &ExportId, service: &str) -> Result<(), Failure> {
    let services = session.engine.services().await?;
    // A service that was removed has no credential; what is asked for then says so itself.
    let Some(service) = services.iter().find(|known| known.id == service) else { return Ok(()) };
    match session.use_token_of_environment(service).await {
        Err(_) if session.engine.get(id).await?.stage.is_settled() => Ok(()),
        used => used,
    }
}
