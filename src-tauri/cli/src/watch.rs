//! Follows an export until it can answer, and says where it goes on when the person stops looking.

use std::{future::Future, time::Duration};

use docket_engine::{
    attempt::AttemptKind,
    error::EngineError,
    export::ExportId,
    store::Role,
    view::{ChangeView, ExportView},
    words::Fillings,
};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{failure::Failure, output, progress::Progress, sentences, session::Session};

/// The longest wait for the one call that a person asked for: longer than any call may take.
const ASKED_BOUND: Duration = Duration::from_secs(90);

/// What the person waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// It is settled, unresolved or waits for a person.
    Answered,
    /// A call that was not made yet has ended; so many had.
    CallsAfter(u64),
}

/// Follows an export and shows how it goes.
///
/// # Errors
/// The store can not be read.
pub async fn follow(session: &Session, id: &ExportId, until: Until) -> Result<ExportView, Failure> {
    let mut changes = session.engine.subscribe();
    let mut progress = Progress::new();
    let followed = tokio::select! {
        ended = until_end(session, id, until, &mut changes, &mut progress) => ended.map(|export| End::Came(Box::new(export))),
        stopped = interrupted() => stopped.map(|()| End::Stopped),
    };
    progress.end();
    match followed? {
        End::Came(export) => Ok(*export),
        End::Stopped => {
            let export = session.engine.get(id).await?;
            say_where_it_goes_on(session, &export);
            Ok(export)
        }
    }
}

enum End {
    Came(Box<ExportView>),
    Stopped,
}

async fn until_end(
    session: &Session,
    id: &ExportId,
    until: Until,
    changes: &mut Receiver<ChangeView>,
    progress: &mut Progress,
) -> Result<ExportView, Failure> {
    let shown = session.engine.get(id).await?;
    progress.show(&session.words, &shown);
    let end = async {
        match until {
            Until::Answered => session.engine.settled_or_waiting(id).await,
            Until::CallsAfter(calls) => asked(session, id, calls).await,
        }
    };
    let export = shown_until(session, id, end, changes, progress).await?;
    progress.show(&session.words, &export);
    Ok(export)
}

/// Shows each change until `end` comes.
async fn shown_until(
    session: &Session,
    id: &ExportId,
    end: impl Future<Output = Result<ExportView, EngineError>>,
    changes: &mut Receiver<ChangeView>,
    progress: &mut Progress,
) -> Result<ExportView, Failure> {
    tokio::pin!(end);
    loop {
        tokio::select! {
            biased;
            change = changes.recv() => match change {
                Ok(ChangeView::Export { export, .. }) if export.id == id.as_str() => {
                    progress.show(&session.words, &export);
                }
                Ok(ChangeView::Export { .. } | ChangeView::Services { .. } | ChangeView::Notices { .. }) => {}
                Err(RecvError::Lagged(_)) => {
                    progress.show(&session.words, &session.engine.get(id).await?);
                }
                // Nothing more will be told; the end still comes from the store.
                Err(RecvError::Closed) => return Ok(end.await?),
            },
            export = &mut end => return Ok(export?),
        }
    }
}

/// Whether nothing is under way and nothing has a time: it goes on when the person does something.
pub fn waits_for_the_person(export: &ExportView) -> bool {
    export.next_action_at.is_none()
        && export.attempts.iter().all(|attempt| attempt.ended_at.is_some())
}

/// Waits for one more call than there were, or until none is to come.
async fn asked(session: &Session, id: &ExportId, calls: u64) -> Result<ExportView, EngineError> {
    let mut changes = session.engine.subscribe();
    let waited = tokio::time::timeout(ASKED_BOUND, async {
        loop {
            let export = session.engine.get(id).await?;
            let no_call_comes = export.stage.is_settled() || waits_for_the_person(&export);
            if calls_ended(&export) > calls || no_call_comes {
                return Ok(export);
            }
            if changes.recv().await == Err(RecvError::Closed) {
                return Ok(export);
            }
        }
    });
    match waited.await {
        Ok(export) => export,
        Err(_) => session.engine.get(id).await,
    }
}

/// How many calls about the export itself have ended.
pub fn calls_ended(export: &ExportView) -> u64 {
    let about_it = |kind: AttemptKind| match kind {
        AttemptKind::Describe => false,
        AttemptKind::Submit
        | AttemptKind::Lookup
        | AttemptKind::Poll
        | AttemptKind::Abandon
        | AttemptKind::Cancel
        | AttemptKind::Download => true,
    };
    export
        .attempts
        .iter()
        .filter(|attempt| about_it(attempt.kind) && attempt.call_result.is_some())
        .map(|attempt| u64::from(attempt.times))
        .sum()
}

/// Waits for Ctrl-C.
///
/// # Errors
/// The system does not tell of it.
pub async fn interrupted() -> Result<(), Failure> {
    tokio::signal::ctrl_c().await.map_err(|error| {
        let problem = error.to_string();
        Failure::said(
            crate::exit::Exit::Other,
            "terminal-error-in-terminal",
            &[("problem", &problem)],
        )
    })
}

/// Where an export goes on that nobody looks at any more.
pub fn where_it_goes_on(session: &Session) -> String {
    let id = match session.engine.role() {
        Role::Driver => "terminal-stopped-here",
        Role::Observer => "terminal-stopped-driven",
    };
    session.words.say(id, &[])
}

fn say_where_it_goes_on(session: &Session, export: &ExportView) {
    let fillings: Fillings<'_> = &[
        ("id", export.id.as_str().into()),
        ("stage", sentences::label(&session.words, export).into()),
        ("line", sentences::line(&session.words, export).into()),
        ("where", where_it_goes_on(session).into()),
    ];
    output::note(&session.words.say("terminal-stopped", fillings));
}
