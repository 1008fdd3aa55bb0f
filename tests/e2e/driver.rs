//! WebKit's own driver, and the one program that it starts.

use std::{
    fs::{self, File},
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use docket_tests::in_time;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tokio::{net::TcpStream, time::interval};

use crate::{person::Person, programs};

const DRIVER: &str = "WebKitWebDriver";
/// How often something that tells nobody is looked at.
const GAP: Duration = Duration::from_millis(25);

/// See the head of this file. Ends both when it is dropped.
pub struct Driver {
    process: Child,
    port: u16,
    app: Option<u32>,
}

impl Driver {
    /// Starts the driver in this person's environment; what it and the window say goes to `log`.
    ///
    /// # Panics
    /// It is not installed, or does not listen.
    pub async fn start(person: &Person, log: &Path) -> Self {
        let port = free_port();
        let mut command = Command::new(DRIVER);
        person.lend(&mut command);
        let log = File::create(log).expect("the log can be written");
        command
            .arg(format!("--port={port}"))
            .arg("--host=127.0.0.1")
            // Without it the session never begins.
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file has two handles"))
            .stderr(log);
        let process = command.spawn().unwrap_or_else(|error| {
            unreachable!("{DRIVER} does not start ({error}); `webkit2gtk-driver` has it")
        });
        let driver = Self { process, port, app: None };
        in_time("the driver listens", async {
            let mut gap = interval(GAP);
            while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
                gap.tick().await;
            }
        })
        .await;
        driver
    }

    /// Starts the window.
    ///
    /// # Panics
    /// It does not open.
    pub async fn open(&mut self) -> Client {
        let app = programs::desktop();
        let wanted = json!({ "webkitgtk:browserOptions": { "binary": app, "args": [] } });
        let wanted = wanted.as_object().expect("an object").clone();
        let address = format!("http://127.0.0.1:{}", self.port);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(wanted);
        let client = in_time("the window opens", builder.connect(&address)).await;
        let client = client.expect("the driver makes a session");
        self.app = Some(child_of(self.process.id()).expect("the driver started the window"));
        client
    }

    /// Kills the window as a power cut would: no signal is caught, nothing is said.
    pub async fn kill(mut self) {
        let app = self.app.take().expect("a window is open");
        signal(app, "-KILL");
        gone(app).await;
    }

    /// Waits for the window's own end.
    pub async fn ended(mut self) {
        let app = self.app.take().expect("a window is open");
        gone(app).await;
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(app) = self.app.take() {
            signal(app, "-KILL");
        }
        // Both fail only where it has ended already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A port that nobody has. Somebody else could take it before the driver does; then it says so.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
    listener.local_addr().expect("a listener has an address").port()
}

fn signal(process: u32, which: &str) {
    let sent =
        Command::new("kill").args([which, &process.to_string()]).stderr(Stdio::null()).status();
    assert!(sent.is_ok(), "there is a program `kill`");
}

async fn gone(process: u32) {
    in_time("the window ends", async {
        let mut gap = interval(GAP);
        while is_alive(process) {
            gap.tick().await;
        }
    })
    .await;
}

/// A process holds its files until its last thread has ended, though it is a zombie before.
fn is_alive(process: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return false };
    threads
        .flatten()
        .any(|thread| stat(&thread.path()).is_some_and(|(_, state)| !["Z", "X"].contains(&&*state)))
}

/// Its parent and its state.
fn stat(task: &Path) -> Option<(u32, String)> {
    let text = fs::read_to_string(task.join("stat")).ok()?;
    let mut words = text.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?.to_owned();
    Some((words.next()?.parse().ok()?, state))
}

fn child_of(parent: u32) -> Option<u32> {
    let processes = fs::read_dir("/proc").ok()?;
    let mut children = processes
        .flatten()
        .filter(|process| stat(&process.path()).is_some_and(|(of, _)| of == parent));
    children.next()?.file_name().to_str()?.parse().ok()
}
