//! `docket run`: drives what is open. Nothing is decided here; the engine works, this waits.

use std::collections::{BTreeMap, BTreeSet};

use docket_engine::{
    export::ExportId,
    stage::Section,
    store::Role,
    view::{ChangeView, ExportView, ListQuery},
};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use crate::{
    exit::Exit,
    failure::Failure,
    output::{Format, note},
    sentences,
    session::Session,
    watch,
};

/// Exports that are asked for at once.
const PAGE: u32 = 200;

/// Exports whose last line is kept, so that it is not told again.
const TOLD_KEPT: usize = 1000;

/// How long to drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until Ctrl-C.
    Stopped,
    /// Until each is settled, unresolved or waits for a person.
    Settled,
}

/// Does what was typed.
pub async fn run(session: &Session, until: Until, service: Option<&str>) -> Result<Exit, Failure> {
    if session.engine.role() == Role::Observer {
        return Err(Failure::said(Exit::Driven, "terminal-error-driven", &[]));
    }
    use_token(session, service).await?;
    session.engine.start();
    let open = open(session, &BTreeSet::new()).await?;
    note(&match open.len() {
        0 => session.words.say("terminal-driving-none", &[]),
        count => session.words.say("terminal-driving", &[("count", count.into())]),
    });
    let driven = tokio::select! {
        driven = drive(session, until) => driven?,
        told = tell_changes(session) => { told?; Vec::new() }
        stopped = watch::interrupted() => {
            stopped?;
            note(&session.words.say("terminal-run-stopped", &[]));
            answer(session, &[])?;
            return Ok(Exit::Done);
        }
    };
    note(&session.words.say("terminal-all-answered", &[]));
    answer(session, &driven)?;
    Ok(Exit::gravest(driven.iter().map(Exit::of)))
}

/// The token in the environment is for one service; with several it must be named.
async fn use_token(session: &Session, named: Option<&str>) -> Result<(), Failure> {
    let services = session.engine.services().await?;
    if named.is_none() && services.len() != 1 {
        return Ok(());
    }
    let service = session.service(named).await?;
    session.use_token_of_environment(&service).await
}

/// Waits for every export that is open, also for those that are recorded meanwhile. One that came to
/// rest may have gone on since, by a late answer or by the person, so the answer is read once, at a
/// moment when all of them rest.
async fn drive(session: &Session, until: Until) -> Result<Vec<ExportView>, Failure> {
    if until == Until::Stopped {
        return std::future::pending().await;
    }
    let mut driven: Vec<ExportId> = Vec::new();
    let mut seen = BTreeSet::new();
    loop {
        let mut moving = open(session, &seen).await?;
        if moving.is_empty() {
            let views = session.engine.get_each(driven.clone()).await?;
            let not_at_rest = views.iter().filter(|export| !export.is_at_rest());
            moving = not_at_rest.map(|export| export.id.clone()).collect();
            if moving.is_empty() {
                return Ok(views);
            }
        }
        for id in moving {
            let export = ExportId::from_text(id.clone());
            session.engine.settled_or_waiting(&export).await?;
            if seen.insert(id) {
                driven.push(export);
            }
        }
    }
}

/// The open exports that were not seen yet. Each page moves on, so the pages end with the list.
async fn open(session: &Session, seen: &BTreeSet<String>) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for section in [Section::InProgress, Section::NeedsAttention] {
        let mut query = ListQuery { section: Some(section), limit: PAGE, ..ListQuery::default() };
        loop {
            let page = session.engine.list(query.clone()).await?;
            let open = page.items.into_iter().filter(|export| !export.stage.is_settled());
            found.extend(open.map(|export| export.id).filter(|id| !seen.contains(id)));
            if !page.more {
                break;
            }
            query.offset = query.offset.saturating_add(PAGE);
        }
    }
    Ok(found)
}

/// One line for each change of a stage, for as long as anybody drives.
async fn tell_changes(session: &Session) -> Result<(), Failure> {
    let mut changes = session.engine.subscribe();
    let mut last = BTreeMap::new();
    loop {
        match changes.recv().await {
            Ok(ChangeView::Export { export, .. }) => {
                let told = sentences::told(&session.words, &export);
                if last.get(&export.id) != Some(&told) {
                    note(&format!("{}  {told}", export.id));
                    if last.len() >= TOLD_KEPT {
                        last.clear();
                    }
                    last.insert(export.id, told);
                }
            }
            Ok(ChangeView::Services { .. } | ChangeView::Notices { .. })
            | Err(RecvError::Lagged(_)) => {}
            // Nothing more will be told: whoever waits goes on waiting.
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}

fn answer(session: &Session, driven: &[ExportView]) -> Result<(), Failure> {
    session.output.answer(&json!({"exports": driven}), || match session.output.format {
        Format::Json => Vec::new(),
        Format::Text => driven
            .iter()
            .map(|export| format!("{}  {}", export.id, sentences::told(&session.words, export)))
            .collect(),
    })
}
