//! The Fluent catalogue for everything that speaks outside the window: terminal, tray,
//! notifications.
//!
//! The window reads the same two files, so a state has one name wherever it is told. A missing
//! message is a bug that the tests find; at run time it shows its id and breaks nothing.

use std::fmt;

use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};

pub use fluent_bundle::FluentValue;

const ENGLISH: &str = include_str!("../../../ui/locales/en.ftl");
const CHINESE: &str = include_str!("../../../ui/locales/zh-CN.ftl");

/// A language that Docket speaks.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, ts_rs::TS,
)]
pub enum Language {
    /// English.
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    Chinese,
}

impl Language {
    /// Every language, in the order in which a person is offered them.
    pub const ALL: &[Self] = &[Self::English, Self::Chinese];

    /// The tag (BCP 47), as in `DOCKET_LANG` and `settings.toml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// The language of a tag or of a system's locale name: `zh`, `zh_CN.UTF-8`, `en-GB`.
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_', '.', '@']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("en") {
            Some(Self::English)
        } else if primary.eq_ignore_ascii_case("zh") {
            Some(Self::Chinese)
        } else {
            None
        }
    }

    /// `DOCKET_LANG`, else the settings, else the system's, else English. A tag that names no language
    /// of ours is passed over.
    pub fn chosen(environment: Option<&str>, settings: Option<Self>, system: Option<&str>) -> Self {
        environment
            .and_then(Self::parse)
            .or(settings)
            .or_else(|| system.and_then(Self::parse))
            .unwrap_or(Self::English)
    }

    fn catalogue(self) -> &'static str {
        match self {
            Self::English => ENGLISH,
            Self::Chinese => CHINESE,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What fills the places of a message, by name.
pub type Fillings<'a> = &'a [(&'a str, FluentValue<'a>)];

/// The catalogue in one language.
pub struct Words {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Words").field("language", &self.language).finish_non_exhaustive()
    }
}

impl Words {
    /// The catalogue that was built into the program.
    pub fn for_language(language: Language) -> Self {
        let tag = language.as_str().parse().expect("our own tags are well formed");
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // Marks of direction around a value would end up in scripts that read the terminal.
        bundle.set_use_isolating(false);
        let resource = match FluentResource::try_new(language.catalogue().to_owned()) {
            Ok(resource) => resource,
            // What could be read is kept: one bad message does not silence the others.
            Err((resource, errors)) => {
                tracing::error!(%language, count = errors.len(), "messages that can not be read");
                resource
            }
        };
        bundle.add_resource_overriding(resource);
        Self { language, bundle }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The message of this id, or the id itself where there is none.
    pub fn say(&self, id: &str, fillings: Fillings<'_>) -> String {
        self.find(id, fillings).unwrap_or_else(|| {
            tracing::error!(id, language = %self.language, "no such message");
            id.to_owned()
        })
    }

    /// The message of this id, where there is one: for words that a service may add to.
    pub fn find(&self, id: &str, fillings: Fillings<'_>) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut arguments = FluentArgs::with_capacity(fillings.len());
        for (name, value) in fillings {
            arguments.set(*name, value.clone());
        }
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&arguments), &mut errors).into_owned();
        if !errors.is_empty() {
            tracing::error!(id, language = %self.language, ?errors, "a message with a gap");
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests;
