//! `docket service`: the services that exports are asked of.

use docket_engine::{
    engine::NewService,
    export::ServiceId,
    store::Practice,
    view::{CallerView, CheckOutcome, CheckView, CredentialKept, ServiceView},
    words::Fillings,
};
use serde_json::json;

use crate::{
    args::ServiceCommand,
    exit::Exit,
    failure::Failure,
    output::{note, plain, table},
    session::{Session, token_of_environment, token_of_input},
};

/// Does what was typed.
pub async fn run(session: &Session, command: ServiceCommand) -> Result<Exit, Failure> {
    match command {
        ServiceCommand::Add { address, tenant, name, token_stdin } => {
            let token = token(token_stdin.then_some(Asked))?;
            add(
                session,
                NewService { name, address, tenant_id: tenant, token, practice: Practice::No },
            )
            .await
        }
        ServiceCommand::List => list(session).await,
        ServiceCommand::Remove { service } => remove(session, &service).await,
        ServiceCommand::Check { service } => check(session, &service).await,
        ServiceCommand::SignIn { service, token_stdin } => {
            let token = token(token_stdin.then_some(Asked))?
                .ok_or_else(|| Failure::usage("terminal-error-no-token", &[]))?;
            sign_in(session, &service, token).await
        }
    }
}

/// The credential is to be read from the standard input.
struct Asked;

fn token(asked: Option<Asked>) -> Result<Option<String>, Failure> {
    match asked {
        Some(Asked) => token_of_input().map(Some),
        None => token_of_environment(),
    }
}

async fn add(session: &Session, new: NewService) -> Result<Exit, Failure> {
    let service = session.engine.add_service(new).await?;
    session.output.answer(&service, || {
        let fillings: Fillings<'_> =
            &[("name", plain(&service.name).into()), ("address", service.address.as_str().into())];
        vec![session.words.say("terminal-added", fillings)]
    })?;
    if service.credential == CredentialKept::None {
        let fillings: Fillings<'_> = &[("name", plain(&service.name).into())];
        note(&session.words.say("terminal-added-no-credential", fillings));
    }
    if service.credential != CredentialKept::None && service.caller.is_none() {
        note(&session.words.say("terminal-added-unreachable", &[]));
    }
    tell_where_the_credential_is(session, &service);
    Ok(Exit::Done)
}

async fn list(session: &Session) -> Result<Exit, Failure> {
    let services = session.engine.services().await?;
    session.output.answer(&json!({"services": services}), || {
        if services.is_empty() {
            return vec![session.words.say("terminal-none", &[])];
        }
        let head = ["name", "address", "tenant", "credential", "open", "id"]
            .map(|column| session.words.say(&format!("terminal-column-{column}"), &[]));
        let rows: Vec<Vec<String>> = services
            .iter()
            .map(|service| {
                let kept = format!("terminal-credential-{}", service.credential);
                vec![
                    plain(&service.name),
                    service.address.clone(),
                    plain(&service.tenant_id),
                    session.words.say(&kept, &[]),
                    service.open_exports.to_string(),
                    service.id.clone(),
                ]
            })
            .collect();
        table(&head, &rows)
    })?;
    Ok(Exit::Done)
}

async fn remove(session: &Session, named: &str) -> Result<Exit, Failure> {
    let service = session.service(Some(named)).await?;
    session.engine.remove_service(&ServiceId::from_text(service.id.clone())).await?;
    session.output.answer(&json!({"removed": service}), || {
        let fillings: Fillings<'_> = &[("name", plain(&service.name).into())];
        vec![session.words.say("terminal-removed", fillings)]
    })?;
    Ok(Exit::Done)
}

async fn check(session: &Session, named: &str) -> Result<Exit, Failure> {
    let service = session.service(Some(named)).await?;
    session.use_token_of_environment(&service).await?;
    let checks = session.engine.check_service(&ServiceId::from_text(service.id.clone())).await?;
    session.output.answer(&json!({"service": service.id, "checks": checks}), || {
        let head = ["check", "result"]
            .map(|column| session.words.say(&format!("terminal-column-{column}"), &[]));
        let rows: Vec<Vec<String>> = checks.iter().map(|check| row(session, check)).collect();
        table(&head, &rows)
    })?;
    Ok(verdict(&checks))
}

fn row(session: &Session, check: &CheckView) -> Vec<String> {
    let name = session
        .words
        .find(&format!("terminal-check-{}", check.code), &[])
        .unwrap_or_else(|| plain(&check.code));
    let outcome = session.words.say(&format!("terminal-outcome-{}", check.outcome), &[]);
    let reason = check.reason.as_deref().map(|reason| {
        let id = format!("terminal-call-{reason}");
        session.words.find(&id, &[]).unwrap_or_else(|| plain(reason))
    });
    let fact = check.fact.as_deref().map(plain);
    let more: Vec<String> = reason.into_iter().chain(fact).collect();
    let result = if more.is_empty() { outcome } else { format!("{outcome} ({})", more.join(", ")) };
    vec![format!("{} {name}", check.code), result]
}

/// Sign-in that fails has its own code; another failure is anything else.
fn verdict(checks: &[CheckView]) -> Exit {
    let failed = |check: &&CheckView| check.outcome == CheckOutcome::Fail;
    match checks.iter().find(failed) {
        None => Exit::Done,
        Some(check) if check.code == "DK103" => Exit::SignIn,
        Some(_) => Exit::Other,
    }
}

async fn sign_in(session: &Session, named: &str, token: String) -> Result<Exit, Failure> {
    let service = session.service(Some(named)).await?;
    let service = session.engine.sign_in(&ServiceId::from_text(service.id.clone()), token).await?;
    session.output.answer(&service, || {
        let name = plain(&service.name);
        vec![match &service.caller {
            Some(CallerView { name: caller, .. }) => session.words.say(
                "terminal-signed-in",
                &[("name", name.into()), ("caller", plain(caller).into())],
            ),
            None => session.words.say("terminal-signed-in-unknown", &[("name", name.into())]),
        }]
    })?;
    tell_where_the_credential_is(session, &service);
    Ok(Exit::Done)
}

/// Without a keychain the next command knows nothing of the credential: said plainly, once.
fn tell_where_the_credential_is(session: &Session, service: &ServiceView) {
    match service.credential {
        CredentialKept::Session => note(&session.words.say("terminal-session-only", &[])),
        CredentialKept::Keychain | CredentialKept::None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, outcome: CheckOutcome) -> CheckView {
        CheckView { code: code.to_owned(), outcome, reason: None, fact: None }
    }

    #[test]
    fn a_check_fails_by_its_first_failure() {
        let pass = check("DK101", CheckOutcome::Pass);
        let warn = check("DK104", CheckOutcome::Warn);
        assert_eq!(verdict(&[pass.clone(), warn]), Exit::Done);
        let sign_in = check("DK103", CheckOutcome::Fail);
        let skipped = check("DK104", CheckOutcome::Skipped);
        assert_eq!(verdict(&[pass, sign_in, skipped]), Exit::SignIn);
        assert_eq!(verdict(&[check("DK101", CheckOutcome::Fail)]), Exit::Other);
    }
}
