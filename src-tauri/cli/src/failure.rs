//! Why a command could not do what was asked: one sentence for people, one word for programs.

use docket_engine::{
    error::EngineError,
    settings::SettingsError,
    view::ErrorView,
    words::{Fillings, FluentValue, Language, Words},
};

use crate::exit::Exit;

/// Why a command ended without its answer.
#[derive(Debug)]
pub enum Failure {
    /// The engine's own.
    Engine(ErrorView),
    /// The settings file can not be used.
    Settings(SettingsError),
    /// A parameter is of the wrong kind.
    WrongType {
        /// The parameter.
        name: String,
        /// What was typed.
        value: String,
        /// The message that names the kind it must be.
        expected: &'static str,
    },
    /// Found here, before the engine was asked or after it answered.
    Said {
        /// The exit code.
        exit: Exit,
        /// The message in the catalogue; its last part is the word for programs.
        id: &'static str,
        /// What fills its places.
        fillings: Vec<(&'static str, FluentValue<'static>)>,
    },
}

const PREFIX: &str = "terminal-error-";

impl Failure {
    /// What was typed can not be done.
    pub fn usage(id: &'static str, fillings: &[(&'static str, &str)]) -> Self {
        Self::said(Exit::Usage, id, fillings)
    }

    /// A parameter of the wrong kind; `expected` is the message that names the right one.
    pub fn wrong_type(name: &str, value: &str, expected: &'static str) -> Self {
        Self::WrongType { name: name.to_owned(), value: value.to_owned(), expected }
    }

    /// A failure with an exit code of its own.
    pub fn said(exit: Exit, id: &'static str, fillings: &[(&'static str, &str)]) -> Self {
        let fillings = fillings.iter().map(|(name, text)| (*name, (*text).to_owned().into()));
        Self::Said { exit, id, fillings: fillings.collect() }
    }

    /// The exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Engine(error) => Exit::of_error(error.code),
            Self::Settings(_) => Exit::Other,
            Self::WrongType { .. } => Exit::Usage,
            Self::Said { exit, .. } => *exit,
        }
    }

    /// The word for programs.
    pub fn code(&self) -> String {
        match self {
            Self::Engine(error) => error.code.as_str().to_owned(),
            Self::Settings(_) => "settings".to_owned(),
            Self::WrongType { .. } => "parameter_type".to_owned(),
            Self::Said { id, .. } => id.trim_start_matches(PREFIX).replace('-', "_"),
        }
    }

    /// One sentence with what to do; for wrong parameters with the fields.
    pub fn sentence(&self, words: &Words) -> String {
        match self {
            Self::Engine(error) => engine_sentence(error, words),
            Self::Settings(error) => settings_sentence(error, words),
            Self::WrongType { name, value, expected } => {
                let fillings: Fillings<'_> = &[
                    ("name", name.as_str().into()),
                    ("value", value.as_str().into()),
                    ("expected", words.say(expected, &[]).into()),
                ];
                words.say("terminal-error-parameter-type", fillings)
            }
            Self::Said { id, fillings, .. } => words.say(id, fillings),
        }
    }
}

/// The engine speaks English and knows the case; the catalogue speaks both and knows the kind.
fn engine_sentence(error: &ErrorView, words: &Words) -> String {
    let mut sentence = match words.language() {
        Language::English => error.message.clone(),
        Language::Chinese => words.say(&format!("{PREFIX}{}", error.code), &[]),
    };
    for field in &error.fields {
        let name = field.pointer.trim_start_matches('/').to_owned();
        let fillings: Fillings<'_> =
            &[("field", name.into()), ("problem", field.detail.as_str().into())];
        sentence.push(' ');
        sentence.push_str(&words.say("terminal-error-field", fillings));
    }
    sentence
}

fn settings_sentence(error: &SettingsError, words: &Words) -> String {
    let (id, path, key, value) = match error {
        SettingsError::Unreadable { path, source } => {
            ("terminal-error-settings-unreadable", path, "problem", source.to_string())
        }
        SettingsError::Malformed { path, line } => {
            ("terminal-error-settings-malformed", path, "line", line.to_string())
        }
        SettingsError::Value { path, key, expected } => {
            let fillings: Fillings<'_> = &[
                ("path", path.display().to_string().into()),
                ("key", (*key).into()),
                ("expected", (*expected).into()),
            ];
            return words.say("terminal-error-settings-value", fillings);
        }
        SettingsError::Unwritable { path, source } => {
            ("terminal-error-settings-unwritable", path, "problem", source.to_string())
        }
    };
    words.say(id, &[("path", path.display().to_string().into()), (key, value.into())])
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        Self::Settings(error)
    }
}
