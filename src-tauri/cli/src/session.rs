//! One run of the program over one store: the engine, the words and what the person gave beside the
//! command.
//!
//! A command that finds no driver is the driver; it drives only once it has something to wait for.

use std::{
    env,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use docket_engine::{
    engine::{Engine, Options},
    export::ServiceId,
    settings::Settings,
    store::Role,
    view::{ErrorCode, ServiceView},
    words::{Language, Words},
};

use crate::{
    environment::EnvironmentSecrets,
    exit::Exit,
    failure::Failure,
    output::{self, Output},
    sentences,
};

/// A credential longer than this is not one.
const MAX_TOKEN_BYTES: u64 = 64 * 1024;

/// See the head of this file.
pub struct Session {
    /// The engine.
    pub engine: Engine,
    /// Docket's folder.
    pub home: PathBuf,
    /// What is said.
    pub words: Words,
    /// Where it is said.
    pub output: Output,
    lent: Arc<EnvironmentSecrets>,
}

impl Session {
    /// Opens the store.
    ///
    /// # Errors
    /// A store that can not be used.
    pub async fn open(options: Options, words: Words, output: Output) -> Result<Self, Failure> {
        let home = options.home.clone();
        let lent = Arc::new(EnvironmentSecrets::before(options.secrets));
        let options = Options { secrets: Arc::clone(&lent) as _, ..options };
        let engine = Engine::open(options).await?;
        engine.set_language(words.language().as_str());
        let notices = engine.notices().await?;
        for notice in &notices {
            output::note(&sentences::notice(&words, notice));
        }
        let output = Output { notices, ..output };
        Ok(Self { engine, home, words, output, lent })
    }

    /// Drives the store, or says who does.
    pub fn drive(&self) {
        match self.engine.role() {
            Role::Driver => self.engine.start(),
            Role::Observer => {
                output::note(&self.words.say("terminal-watching", &[]));
                self.engine.start();
            }
        }
    }

    /// The service of this name or id; the only one where none is named.
    ///
    /// # Errors
    /// None, or several.
    pub async fn service(&self, named: Option<&str>) -> Result<ServiceView, Failure> {
        choose(self.engine.services().await?, named)
    }

    /// Uses `DOCKET_TOKEN`, where it is set, for this service and no other.
    ///
    /// # Errors
    /// The service does not take it.
    pub async fn use_token_of_environment(&self, service: &ServiceView) -> Result<(), Failure> {
        match token_of_environment()? {
            Some(token) => self.lend(service, token).await,
            None => Ok(()),
        }
    }

    /// Uses a credential for as long as this program runs; it is kept nowhere.
    ///
    /// # Errors
    /// The service does not take it.
    pub async fn lend(&self, service: &ServiceView, token: String) -> Result<(), Failure> {
        let id = ServiceId::from_text(service.id.clone());
        self.lent.hold_for(&id);
        match self.engine.sign_in(&id, token).await {
            Ok(_) => Ok(()),
            // Whose it is, is asked again before the next call.
            Err(error) if is_away(error.code) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether nobody answered for the service: it could not be reached, or something between answered
/// in its place, such as the sign-in page of a network. What was asked for then waits for it.
pub fn is_away(code: ErrorCode) -> bool {
    match code {
        ErrorCode::Unreachable | ErrorCode::NotAService => true,
        ErrorCode::UnknownExport
        | ErrorCode::UnknownService
        | ErrorCode::UnknownOperation
        | ErrorCode::InvalidParameters
        | ErrorCode::InvalidAddress
        | ErrorCode::SignInNeeded
        | ErrorCode::OtherAccount
        | ErrorCode::Driven
        | ErrorCode::NotNow
        | ErrorCode::ServiceInUse
        | ErrorCode::CannotWrite
        | ErrorCode::StoreUnwritable
        | ErrorCode::StoreTooNew
        | ErrorCode::StoreDamaged
        | ErrorCode::StoreForeign
        | ErrorCode::StoreBusy
        | ErrorCode::StoreOnNetwork
        | ErrorCode::DiskFull
        | ErrorCode::Internal => false,
    }
}

/// The service that is meant.
fn choose(services: Vec<ServiceView>, named: Option<&str>) -> Result<ServiceView, Failure> {
    let names = || {
        let names: Vec<&str> = services.iter().map(|service| service.name.as_str()).collect();
        names.join(", ")
    };
    let Some(named) = named else {
        return match services.as_slice() {
            [] => Err(Failure::usage("terminal-error-no-services", &[])),
            [only] => Ok(only.clone()),
            _ => Err(Failure::usage("terminal-error-which-service", &[("names", &names())])),
        };
    };
    if let Some(service) = services.iter().find(|service| service.id == named) {
        return Ok(service.clone());
    }
    let same: Vec<&ServiceView> = services.iter().filter(|service| service.name == named).collect();
    match same.as_slice() {
        [] => Err(Failure::usage("terminal-error-no-such-service", &[("name", named)])),
        [only] => Ok((*only).clone()),
        _ => Err(Failure::usage("terminal-error-same-name", &[("name", named)])),
    }
}

/// The language: `DOCKET_LANG`, else the settings, else the system's.
///
/// # Errors
/// A settings file that can not be used; the words to say so come with it.
pub fn words(home: &Path) -> (Words, Option<Failure>) {
    let (chosen, failure) = match Settings::load(home) {
        Ok(settings) => (settings.language, None),
        Err(error) => (None, Some(Failure::from(error))),
    };
    (Words::for_language(language(chosen)), failure)
}

/// The language where the settings say nothing.
pub fn language(settings: Option<Language>) -> Language {
    let environment = env::var("DOCKET_LANG").ok();
    Language::chosen(environment.as_deref(), settings, sys_locale::get_locale().as_deref())
}

/// The credential in `DOCKET_TOKEN`.
///
/// # Errors
/// It is none: a call could never be made with it.
pub fn token_of_environment() -> Result<Option<String>, Failure> {
    let none = || Failure::usage("terminal-error-token-environment", &[]);
    let Some(value) = env::var_os("DOCKET_TOKEN") else { return Ok(None) };
    let text = value.to_str().ok_or_else(none)?;
    match text.trim() {
        "" => Ok(None),
        text => token(text).map(Some).ok_or_else(none),
    }
}

/// A text that a header can carry as a credential: one word.
fn token(text: &str) -> Option<String> {
    let word = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    word.then(|| text.to_owned())
}

/// The credential on the standard input: one line.
///
/// # Errors
/// There is none.
pub fn token_of_input() -> Result<String, Failure> {
    let unreadable = || Failure::said(Exit::Usage, "terminal-error-token-unreadable", &[]);
    let mut text = String::new();
    io::stdin().lock().take(MAX_TOKEN_BYTES).read_to_string(&mut text).map_err(|_| unreadable())?;
    token(text.trim()).ok_or_else(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(id: &str, name: &str) -> ServiceView {
        serde_json::from_value(serde_json::json!({
            "id": id, "name": name, "address": "http://127.0.0.1:1", "tenant_id": "t",
            "caller": null, "credential": "none", "open_exports": 0, "health": null,
            "practice": false,
        }))
        .expect("the view has these fields")
    }

    #[test]
    fn a_service_is_chosen_by_id_by_name_or_because_it_is_the_only_one() {
        let (a, b) = (service("1", "a"), service("2", "b"));
        assert_eq!(choose(vec![a.clone()], None).expect("the only one").id, "1");
        assert_eq!(choose(vec![a.clone(), b.clone()], Some("2")).expect("by id").id, "2");
        assert_eq!(choose(vec![a.clone(), b.clone()], Some("a")).expect("by name").id, "1");
        let code = |services, named| choose(services, named).expect_err("not one").code();
        assert_eq!(code(vec![], None), "no_services");
        assert_eq!(code(vec![a.clone(), b], None), "which_service");
        assert_eq!(code(vec![a.clone()], Some("z")), "no_such_service");
        assert_eq!(code(vec![a, service("3", "a")], Some("a")), "same_name");
    }

    #[test]
    fn a_page_in_the_services_place_is_as_good_as_no_service() {
        assert!(is_away(ErrorCode::Unreachable) && is_away(ErrorCode::NotAService));
        assert!(!is_away(ErrorCode::SignInNeeded), "only the service itself ends a session");
    }

    #[test]
    fn a_credential_is_one_word() {
        assert_eq!(token("a.b-c_~+/=").as_deref(), Some("a.b-c_~+/="));
        for none in ["", "a b", "a\nb", "a\u{7f}"] {
            assert_eq!(token(none), None, "{none:?}");
        }
    }
}
