//! What the window's commands share: the engine or why there is none, the words, the practice
//! service.
//!
//! A store that can not be opened leaves the window standing: every command then says the same
//! sentence, and nothing is lost.

use std::{
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock},
};

use docket_engine::{engine::Engine, settings::Settings, words::Words};
use tokio::sync::Mutex;

use crate::{error::CommandError, practice::Practice};

/// See the head of this file.
pub struct Desk {
    home: PathBuf,
    engine: Result<Engine, CommandError>,
    /// What the person has chosen, as far as it could be read.
    settings: RwLock<Settings>,
    words: RwLock<Words>,
    /// The practice service, while it runs here.
    pub practice: Mutex<Option<Practice>>,
}

impl Desk {
    /// A desk over what could be opened.
    pub fn new(
        home: PathBuf,
        engine: Result<Engine, CommandError>,
        settings: Settings,
        words: Words,
    ) -> Self {
        if let Ok(engine) = &engine {
            engine.set_language(words.language().as_str());
        }
        Self {
            home,
            engine,
            settings: RwLock::new(settings),
            words: RwLock::new(words),
            practice: Mutex::new(None),
        }
    }

    /// Docket's folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The engine.
    ///
    /// # Errors
    /// Why the store could not be opened.
    pub fn engine(&self) -> Result<&Engine, CommandError> {
        self.engine.as_ref().map_err(Clone::clone)
    }

    /// What the person has chosen.
    pub fn settings(&self) -> Settings {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes what the person has chosen, on disk and here.
    ///
    /// # Errors
    /// The file can not be understood or written; it stays as it was.
    pub fn choose(&self, change: impl FnOnce(&mut Settings)) -> Result<Settings, CommandError> {
        let changed = Settings::change(&self.home, change)?;
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = changed.clone();
        Ok(changed)
    }

    /// Says something in the person's language.
    pub fn say(&self, id: &str, fillings: docket_engine::words::Fillings<'_>) -> String {
        self.words.read().unwrap_or_else(PoisonError::into_inner).say(id, fillings)
    }

    /// The language.
    pub fn language(&self) -> docket_engine::words::Language {
        self.words.read().unwrap_or_else(PoisonError::into_inner).language()
    }

    /// Speaks another language from now on.
    pub fn speak(&self, words: Words) {
        if let Ok(engine) = &self.engine {
            engine.set_language(words.language().as_str());
        }
        *self.words.write().unwrap_or_else(PoisonError::into_inner) = words;
    }
}
