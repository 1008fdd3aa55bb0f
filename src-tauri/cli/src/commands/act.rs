//! `docket check`, `resend`, `cancel`, `settle`: records what the person wants, has it done or sees
//! it done, and tells what became of the export.
//!
//! The exit code is the export's, as for `docket export`: after a cancel, 9 says that nothing was
//! ever started, 4 that the job was cancelled, 0 that it had finished first.

use docket_engine::{export::ExportId, knowledge::ByHand, view::PersonAction, words::Fillings};

use crate::{
    commands::export::{offers, tell},
    exit::Exit,
    failure::Failure,
    output::note,
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
            engine.settle(&id, ByHand::Job { business_id: job }).await?;
            Until::Answered
        }
        Wish::Settle { job: None } => {
            engine.settle(&id, ByHand::Absent).await?;
            Until::Answered
        }
    };
    use_token(session, &id, &before.service_id).await?;
    session.drive();
    let export = watch::follow(session, &id, until).await?;
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
