//! Every command: opens the store, asks the engine, tells the answer.

mod act;
mod demo;
mod export;
mod list;
mod notices;
mod operations;
mod run;
mod service;
mod show;

use docket_engine::{engine::Options, words::Words};

use crate::{args::Command, exit::Exit, failure::Failure, output::Output, session::Session};

/// Does what was typed.
///
/// # Errors
/// It could not be done, and why.
pub async fn run(
    command: Command,
    options: Options,
    words: Words,
    output: Output,
) -> Result<Exit, Failure> {
    let session = Session::open(options, words, output).await?;
    let ended = with(&session, command).await;
    session.engine.shutdown().await;
    ended
}

async fn with(session: &Session, command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Service(command) => service::run(session, command).await,
        Command::Operations { service } => operations::run(session, service.as_deref()).await,
        Command::Export(arguments) => export::run(session, arguments).await,
        Command::Run { until_settled, service } => {
            let until = if until_settled { run::Until::Settled } else { run::Until::Stopped };
            run::run(session, until, service.as_deref()).await
        }
        Command::List { stage, limit } => list::run(session, stage.as_deref(), limit).await,
        Command::Show { id } => show::run(session, id).await,
        Command::Check { id } => act::run(session, id, act::Wish::Check).await,
        Command::Resend { id } => act::run(session, id, act::Wish::Resend).await,
        Command::Cancel { id } => act::run(session, id, act::Wish::Cancel).await,
        // The arguments were read so that one of the two is there.
        Command::Settle { id, job, absent: _ } => {
            act::run(session, id, act::Wish::Settle { job }).await
        }
        Command::Notices { dismiss } => {
            notices::run(session, dismiss.then_some(notices::Read)).await
        }
        Command::Demo { output } => demo::run(session, output).await,
    }
}
