//! `settings.toml` in Docket's folder: what a person has chosen, readable and writable by hand.
//!
//! A change rewrites one value and keeps the rest as it was: comments, order, keys of a later
//! version. A file that can not be understood is an error and is never written over. Writes go to a
//! part file that takes the old one's place when it is whole and on disk.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use crate::words::Language;

const FILE: &str = "settings.toml";
const PART: &str = "settings.toml.part";

/// A settings file larger than this is not one.
const MAX_BYTES: u64 = 1 << 20;

const HEAD: &str = "\
# Docket's settings. Docket changes single values and keeps everything else, comments too.
# language = \"en\" or \"zh-CN\"; without it the system's.
# theme = \"system\", \"light\" or \"dark\".
# close = \"quit\" or \"background\": what the window's close button does.
# [downloads] folder = \"…\"; without it the person's Downloads folder.

";

/// How the window looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// What the window's close button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CloseButton {
    /// Ends the program; the next start goes on where it was.
    #[default]
    Quit,
    /// Hides the window where there is a tray; Docket works on.
    Background,
}

impl CloseButton {
    const ALL: [Self; 2] = [Self::Quit, Self::Background];

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Quit => "quit",
            Self::Background => "background",
        }
    }
}

/// What a person has chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The language; the system's where absent.
    pub language: Option<Language>,
    /// How the window looks.
    pub theme: Theme,
    /// What the window's close button does.
    pub close: CloseButton,
    /// Where files go; the person's Downloads folder where absent.
    pub downloads_folder: Option<PathBuf>,
}

/// A settings file that can not be used, or not be written.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The system does not let it be read.
    #[error("{} can not be read: {source}; nothing was changed", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is not TOML.
    #[error("{} is not valid TOML (line {line}): mend it or move it aside; nothing was changed", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line of the first mistake, from 1.
        line: usize,
    },
    /// A value is of the wrong kind.
    #[error("{}: `{key}` must be {expected}: mend it; nothing was changed", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key.
        key: &'static str,
        /// What it must be, for people.
        expected: &'static str,
    },
    /// The system does not let it be written.
    #[error("{} can not be written: {source}; the settings stay as they were", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl Settings {
    /// The settings in Docket's folder `home`; the defaults where there is no file.
    ///
    /// # Errors
    /// A file that can not be read or understood.
    pub fn load(home: &Path) -> Result<Self, SettingsError> {
        let path = home.join(FILE);
        Self::of(&document(&path)?, &path)
    }

    /// Changes the settings in `home` and returns them as they are now.
    ///
    /// # Errors
    /// A file that can not be read, understood or written; it stays as it was.
    pub fn change(home: &Path, change: impl FnOnce(&mut Self)) -> Result<Self, SettingsError> {
        let path = home.join(FILE);
        let mut document = document(&path)?;
        let before = Self::of(&document, &path)?;
        let mut after = before.clone();
        change(&mut after);
        if after != before {
            let head = if path.exists() { "" } else { HEAD };
            after.write_into(document.as_table_mut(), &before);
            write(home, &path, &format!("{head}{document}"))
                .map_err(|source| SettingsError::Unwritable { path, source })?;
        }
        Ok(after)
    }

    fn of(document: &DocumentMut, path: &Path) -> Result<Self, SettingsError> {
        let wrong = |key, expected| SettingsError::Value { path: path.to_owned(), key, expected };
        let mut settings = Self::default();
        if let Some(item) = document.get("language") {
            let language = item
                .as_str()
                .and_then(|tag| Language::ALL.iter().find(|known| known.as_str() == tag));
            settings.language =
                Some(*language.ok_or_else(|| wrong("language", "\"en\" or \"zh-CN\""))?);
        }
        if let Some(item) = document.get("theme") {
            settings.theme = Theme::ALL
                .into_iter()
                .find(|known| item.as_str() == Some(known.as_str()))
                .ok_or_else(|| wrong("theme", "\"system\", \"light\" or \"dark\""))?;
        }
        if let Some(item) = document.get("close") {
            settings.close = CloseButton::ALL
                .into_iter()
                .find(|known| item.as_str() == Some(known.as_str()))
                .ok_or_else(|| wrong("close", "\"quit\" or \"background\""))?;
        }
        if let Some(item) = document.get("downloads") {
            let table = item.as_table_like().ok_or_else(|| wrong("downloads", "a table"))?;
            settings.downloads_folder = folder(table)
                .map_err(|()| wrong("downloads.folder", "the full path of a folder"))?;
        }
        Ok(settings)
    }

    /// Writes what is another than before, and nothing else.
    fn write_into(&self, document: &mut Table, before: &Self) {
        if self.language != before.language {
            set(document, "language", self.language.map(Language::as_str));
        }
        if self.theme != before.theme {
            set(document, "theme", Some(self.theme.as_str()));
        }
        if self.close != before.close {
            set(document, "close", Some(self.close.as_str()));
        }
        if self.downloads_folder != before.downloads_folder {
            let folder = self.downloads_folder.as_ref().map(|folder| folder.display().to_string());
            let downloads = document.entry("downloads").or_insert(Item::Table(Table::new()));
            if let Some(table) = downloads.as_table_like_mut() {
                set(table, "folder", folder.as_deref());
            }
        }
    }
}

fn folder(table: &dyn TableLike) -> Result<Option<PathBuf>, ()> {
    match table.get("folder") {
        None => Ok(None),
        Some(item) => match item.as_str().map(PathBuf::from) {
            Some(folder) if folder.is_absolute() => Ok(Some(folder)),
            Some(_) | None => Err(()),
        },
    }
}

/// Sets one value and keeps what stands around it: a comment behind it, the blanks before it.
fn set(table: &mut (impl TableLike + ?Sized), key: &str, value: Option<&str>) {
    match (value, table.get_mut(key).and_then(Item::as_value_mut)) {
        (Some(text), Some(place)) => {
            let around = place.decor().clone();
            *place = Value::from(text);
            *place.decor_mut() = around;
        }
        (Some(text), None) => {
            table.insert(key, toml_edit::value(text));
        }
        (None, _) => {
            table.remove(key);
        }
    }
}

fn document(path: &Path) -> Result<DocumentMut, SettingsError> {
    let text = match read(path) {
        Ok(text) => text,
        Err(source) if source.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(SettingsError::Unreadable { path: path.to_owned(), source }),
    };
    text.parse::<DocumentMut>().map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        SettingsError::Malformed { path: path.to_owned(), line: 1 + before.matches('\n').count() }
    })
}

fn read(path: &Path) -> io::Result<String> {
    if fs::metadata(path)?.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is too large"));
    }
    fs::read_to_string(path)
}

fn write(home: &Path, path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(home)?;
    let part = home.join(PART);
    let mut file = File::create(&part)?;
    restrict(&file)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    drop(file);
    fs::rename(&part, path)
}

/// The person's alone.
#[cfg(unix)]
fn restrict(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

/// The person's profile folder is theirs alone on other systems.
#[cfg(not(unix))]
fn restrict(_file: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
