//! `docket list`: the exports, newest first.

use docket_engine::{
    stage::Stage,
    view::{ExportView, ListQuery},
};
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    exit::Exit,
    failure::Failure,
    output::{note, plain, table},
    sentences,
    session::Session,
};

/// Does what was typed.
pub async fn run(session: &Session, stage: Option<&str>, limit: u32) -> Result<Exit, Failure> {
    let stage = stage.and_then(Stage::parse);
    let page = session.engine.list(ListQuery { stage, limit, ..ListQuery::default() }).await?;
    session.output.answer(&page, || {
        if page.items.is_empty() && page.unreadable.is_empty() {
            return vec![session.words.say("terminal-none", &[])];
        }
        let head = ["id", "stage", "report", "service", "asked"]
            .map(|column| session.words.say(&format!("terminal-column-{column}"), &[]));
        let rows: Vec<Vec<String>> = page.items.iter().map(|export| row(session, export)).collect();
        table(&head, &rows)
    })?;
    if !page.unreadable.is_empty() {
        let count = page.unreadable.len().into();
        note(&session.words.say("terminal-unreadable", &[("count", count)]));
    }
    if page.more {
        note(&session.words.say("terminal-more", &[]));
    }
    Ok(Exit::Done)
}

fn row(session: &Session, export: &ExportView) -> Vec<String> {
    vec![
        export.id.clone(),
        sentences::label_held(&session.words, export),
        plain(&export.operation),
        plain(&export.service),
        local(export.created_at),
    ]
}

/// A time as the person's own clock shows it.
pub fn local(at: Timestamp) -> String {
    at.to_zoned_datetime(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
