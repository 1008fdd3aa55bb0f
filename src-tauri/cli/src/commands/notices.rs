//! `docket notices`: what happened to the history, until the person has read it.

use serde_json::json;

use crate::{exit::Exit, failure::Failure, sentences, session::Session};

/// The person has read them.
pub struct Read;

/// Does what was typed. Each was told already, as by every command.
pub async fn run(session: &Session, read: Option<Read>) -> Result<Exit, Failure> {
    let told = session.engine.notices().await?;
    if let Some(Read) = read {
        for id in told.iter().filter_map(|notice| notice.id) {
            session.engine.dismiss_notice(id).await?;
        }
    }
    session.output.answer(&json!({"notices": told}), || match told.len() {
        0 => vec![session.words.say("terminal-none", &[])],
        _ => told.iter().map(|notice| sentences::notice(&session.words, notice)).collect(),
    })?;
    Ok(Exit::Done)
}
