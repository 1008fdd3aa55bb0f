//! The real programs as children of a test, in folders that go with it.
//!
//! A child sees no folder, no keychain and no session bus of the person who runs the tests.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStderr, ChildStdout, Command},
};

use crate::world::{ADA, TENANT};

/// A program of this workspace: where the environment says, else beside the tests.
///
/// # Panics
/// It was not built.
pub fn path_of(program: &str) -> PathBuf {
    let variable = format!("{}_BIN", program.replace('-', "_").to_uppercase());
    let found = std::env::var_os(&variable).map(PathBuf::from).unwrap_or_else(|| {
        let test = std::env::current_exe().expect("a test knows where it is");
        let folder = test.parent().and_then(Path::parent).expect("tests lie in `deps`");
        folder.join(program).with_extension(std::env::consts::EXE_EXTENSION)
    });
    assert!(found.exists(), "{} is not there: `cargo build --workspace`", found.display());
    found
}

/// A person at a terminal, with folders of their own.
pub struct Terminal {
    folder: PathBuf,
    token: Option<String>,
}

/// How a program ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it said.
    pub stdout: String,
    /// What it said beside.
    pub stderr: String,
}

impl Ended {
    /// Its one document.
    ///
    /// # Panics
    /// It printed something else, or more.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| unreachable!("{error} in {self:?}"))
    }

    /// Asserts that it ended with this code.
    ///
    /// # Panics
    /// It did not.
    #[track_caller]
    pub fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Terminal {
    /// In this folder, with Ada's credential in the environment.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), token: Some(ADA.to_owned()) }
    }

    /// The same with another credential, or none.
    pub fn with_token(mut self, token: Option<&str>) -> Self {
        self.token = token.map(str::to_owned);
        self
    }

    /// Docket's folder.
    pub fn home(&self) -> PathBuf {
        self.folder.join("docket")
    }

    /// Where the twin of its store's count lies.
    pub fn machine_state(&self) -> PathBuf {
        self.folder.join("xdg/state/Docket/machine")
    }

    /// Where files go, if a command says so.
    pub fn downloads(&self) -> PathBuf {
        self.folder.join("downloads")
    }

    /// `docket` with these arguments, ready to start.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(path_of("docket"));
        command
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.join("person"))
            .env("DOCKET_HOME", self.home())
            .env("DOCKET_LANG", "en")
            .env("XDG_DATA_HOME", self.folder.join("xdg/data"))
            .env("XDG_STATE_HOME", self.folder.join("xdg/state"))
            .env("XDG_CONFIG_HOME", self.folder.join("xdg/config"))
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(token) = &self.token {
            command.env("DOCKET_TOKEN", token);
        }
        command
    }

    /// Runs `docket` to its end.
    ///
    /// # Panics
    /// It does not start, or does not end in time.
    pub async fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ended {
        let mut command = self.command(arguments);
        let output = crate::in_time("docket", command.output()).await;
        output.expect("docket starts").into()
    }

    /// Runs `docket` with this on its standard input.
    ///
    /// # Panics
    /// It does not start, or does not end in time.
    pub async fn run_with_input(&self, arguments: &[&str], input: &str) -> Ended {
        let mut child =
            self.command(arguments).stdin(Stdio::piped()).spawn().expect("docket starts");
        let mut stdin = child.stdin.take().expect("its input is ours");
        // One that fails before it reads its input closes it; its exit code tells.
        drop(stdin.write_all(input.as_bytes()).await);
        drop(stdin);
        let output = crate::in_time("docket", child.wait_with_output()).await;
        output.expect("docket ends").into()
    }

    /// Adds the service at this address under the name `Reports`.
    ///
    /// # Panics
    /// It is refused.
    pub async fn add_service(&self, url: &str) -> Ended {
        let arguments =
            ["service", "add", url, "--tenant", TENANT, "--name", "Reports", "--token-stdin"];
        self.run_with_input(&arguments, ADA).await.with_code(0)
    }

    /// Starts `docket` and leaves it running.
    ///
    /// # Panics
    /// It does not start.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Running {
        let mut child = self.command(arguments).spawn().expect("docket starts");
        let said = BufReader::new(child.stderr.take().expect("its errors are ours"));
        Running { child, said }
    }
}

/// A `docket` that runs.
pub struct Running {
    child: Child,
    said: BufReader<ChildStderr>,
}

impl Running {
    /// Waits for `recorded ID`, and gives the id: from then on the intent is durable.
    ///
    /// # Panics
    /// It ends without saying so.
    pub async fn recorded(&mut self) -> String {
        loop {
            let line = self.says().await;
            if let Some(id) = line.strip_prefix("recorded ") {
                return id.to_owned();
            }
        }
    }

    /// Waits for the next line beside its document.
    ///
    /// # Panics
    /// It ends without one.
    pub async fn says(&mut self) -> String {
        let mut line = String::new();
        let read = self.said.read_line(&mut line);
        let read = crate::in_time("its next line", read).await.expect("its errors can be read");
        assert!(read > 0, "it ended");
        line.trim().to_owned()
    }

    /// Its number.
    ///
    /// # Panics
    /// It has ended.
    pub fn process(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Whether it has not ended.
    ///
    /// # Panics
    /// The system does not say.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("the system says").is_none()
    }

    /// SIGKILL, and waits until the system has taken it away.
    ///
    /// # Panics
    /// It can not be killed.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// It does not end in time.
    pub async fn end(self) -> Ended {
        let Self { mut child, mut said } = self;
        let mut stderr = String::new();
        let ended = async {
            let read = tokio::io::AsyncReadExt::read_to_string(&mut said, &mut stderr);
            let (output, _) = tokio::join!(child_output(&mut child), read);
            output
        };
        let mut ended: Ended = crate::in_time("docket", ended).await;
        ended.stderr = stderr;
        ended
    }
}

async fn child_output(child: &mut Child) -> Ended {
    let mut stdout = String::new();
    if let Some(mut out) = child.stdout.take() {
        tokio::io::AsyncReadExt::read_to_string(&mut out, &mut stdout)
            .await
            .expect("its output can be read");
    }
    let code = child.wait().await.expect("it ends").code();
    Ended { code, stdout, stderr: String::new() }
}

/// The service as a program.
pub struct ServiceProgram {
    child: Child,
    _stdout: BufReader<ChildStdout>,
    /// `http://ADDRESS:PORT`.
    pub url: String,
}

impl ServiceProgram {
    /// Starts `docket-service` over what lies in this folder, with more arguments. Ada and Bob may
    /// call it.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start(folder: &Path, more: &[&str]) -> Self {
        let tokens = folder.join("tokens.toml");
        std::fs::write(&tokens, tokens_file()).expect("the tokens can be written");
        let mut child = Command::new(path_of("docket-service"))
            .arg("--database")
            .arg(folder.join("service.db"))
            .arg("--files")
            .arg(folder.join("files"))
            .arg("--tokens")
            .arg(tokens)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("docket-service starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("its output is ours"));
        let mut line = String::new();
        let read = crate::in_time("`listening`", stdout.read_line(&mut line)).await;
        read.expect("its output can be read");
        let url = line.trim().strip_prefix("listening ").expect("its first line").to_owned();
        Self { child, _stdout: stdout, url }
    }

    /// Where it listens.
    ///
    /// # Panics
    /// Its first line is not as interfaces.md says.
    pub fn address(&self) -> std::net::SocketAddr {
        self.url.strip_prefix("http://").expect("an address").parse().expect("an address")
    }

    /// Its process.
    ///
    /// # Panics
    /// It has ended.
    pub fn process(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// SIGKILL.
    ///
    /// # Panics
    /// It can not be killed.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("it can be killed");
    }
}

fn tokens_file() -> String {
    [crate::world::ada(), crate::world::bob()]
        .iter()
        .map(|token| {
            let operations: Vec<String> =
                token.operations.iter().map(|operation| format!("\"{operation}\"")).collect();
            format!(
                "[[token]]\nsecret_sha256 = \"{}\"\ntenant_id = \"{}\"\nsubject = \"{}\"\n\
                 operations = [{}]\n",
                token.secret_sha256,
                token.tenant_id,
                token.subject,
                operations.join(", ")
            )
        })
        .collect()
}
