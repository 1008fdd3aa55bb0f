//! One person's computer: folders that go with the test, and an environment without anything of the
//! machine that runs it.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use docket_engine::view::ExportView;
use docket_tests::{in_time, rows::Rows};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::programs;

/// See the head of this file.
pub struct Person {
    folder: TempDir,
    language: &'static str,
    practice: bool,
    scale: &'static str,
}

impl Person {
    /// Somebody who never used Docket, and reads English.
    ///
    /// # Panics
    /// This computer has no room for folders.
    pub fn new() -> Self {
        let folder = TempDir::new().expect("a folder for the test can be made");
        for name in ["home", "run", "docket", "downloads"] {
            fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        Self { folder, language: "en", practice: false, scale: "1" }
    }

    /// Who reads this language.
    pub fn reading(mut self, language: &'static str) -> Self {
        self.language = language;
        self
    }

    /// Who starts Docket with its practice service ready.
    pub fn practising(mut self) -> Self {
        self.practice = true;
        self
    }

    /// Whose system draws text at 200 %.
    pub fn seeing_twice_the_size(mut self) -> Self {
        self.scale = "2";
        self
    }

    /// Whether their system does.
    pub fn sees_twice_the_size(&self) -> bool {
        self.scale != "1"
    }

    /// Docket's folder.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("docket")
    }

    /// The practice service's database.
    pub fn practice_rows(&self) -> Rows {
        Rows::of(&self.home().join("practice").join("service.db"))
    }

    /// The keys of all attempts in the logs of everything that this person ran, each once, in order.
    ///
    /// # Panics
    /// The logs can not be read.
    pub fn keys_logged(&self) -> Vec<String> {
        let folder = self.home().join("logs");
        let mut keys = BTreeSet::new();
        for entry in fs::read_dir(folder).expect("there are logs") {
            let path = entry.expect("the folder can be read").path();
            let lines = fs::read_to_string(path).expect("a log is text");
            for line in lines.lines() {
                let line: Value = serde_json::from_str(line).expect("a line is a document");
                // A check of the service asks about a key that is nobody's, as attempt 0.
                if line["attempt_no"].as_u64().is_some_and(|number| number > 0) {
                    keys.extend(line["request_key"].as_str().map(str::to_owned));
                }
            }
        }
        keys.into_iter().collect()
    }

    /// Gives a program this person's environment.
    pub fn lend(&self, command: &mut Command) {
        let at = |name: &str| self.folder.path().join(name);
        let home = at("home");
        command
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("XDG_RUNTIME_DIR", at("run"))
            .env("DOCKET_HOME", self.home())
            .env("DOCKET_LANG", self.language)
            // No session bus: no tray, no keychain, no notifications, and nothing left behind.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            .env("GTK_THEME", "Adwaita")
            .env("NO_AT_BRIDGE", "1")
            .env("GDK_DPI_SCALE", self.scale)
            .env_remove("DOCKET_TOKEN")
            .env_remove("DOCKET_PRACTICE")
            // A proxy of the machine is none of the test's.
            .env("NO_PROXY", "127.0.0.1,localhost")
            .env("no_proxy", "127.0.0.1,localhost");
        if self.practice {
            command.env("DOCKET_PRACTICE", "1");
        }
    }

    /// Runs the terminal program as this person, to its end.
    ///
    /// # Panics
    /// It can not be started, or does not end.
    pub async fn docket(&self, arguments: &[&str], token: Option<&str>) -> Output {
        let mut command = Command::new(programs::terminal());
        self.lend(&mut command);
        if let Some(token) = token {
            command.env("DOCKET_TOKEN", token);
        }
        command.args(arguments).stdin(Stdio::null());
        let mut command = tokio::process::Command::from(command);
        let output =
            in_time("the terminal program ends", command.kill_on_drop(true).output()).await;
        output.expect("the terminal program starts")
    }

    /// Asserts that an export's file is on disk, whole, ours and under its own name.
    ///
    /// # Panics
    /// It is not.
    pub fn has_file(&self, view: &ExportView, sha256: &str) {
        let file = view.file.as_ref().expect("a saved export has a file");
        let path = Path::new(&file.path);
        assert!(path.starts_with(self.folder.path()), "{} is not this person's", file.path);
        let bytes = fs::read(path).expect("the file can be read");
        assert_eq!(hex::encode(Sha256::digest(&bytes)), sha256, "not the service's bytes");
        assert_eq!(file.digest, sha256, "not the digest that the window shows");
        assert!(!bytes.is_empty());
    }
}
