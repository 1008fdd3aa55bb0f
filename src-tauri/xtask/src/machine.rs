//! Installs the system's libraries that are missing, or names them where this program cannot.
//!
//! Debian and Ubuntu are served by apt-get; elsewhere a person reads what to install and goes on.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::paths::{answers, command};

/// What the window needs to build and open.
const WINDOW: &[&str] = &[
    "build-essential",
    "file",
    "libayatana-appindicator3-dev",
    "librsvg2-dev",
    "libwebkit2gtk-4.1-dev",
    "pkg-config",
];

/// What the terminal program needs to build.
const TERMINAL: &[&str] = &["build-essential"];

/// What the figures need: what the terminal program needs, and what the bare sides are made of.
const FIGURES: &[&str] = &["coreutils", "curl"];

/// What the tests need besides: a display, a driver for the window, a keychain, both scripts' letters, a fetcher of
/// tools, and pictures.
const TESTS: &[&str] = &[
    "dbus-x11",
    "fonts-noto-cjk",
    "gnome-keyring",
    "imagemagick",
    "libglib2.0-bin",
    "libgl1-mesa-dri",
    "python3-pip",
    "webkit2gtk-driver",
    "xauth",
    "xvfb",
];

/// What the window's tools ask for.
const NODE_MAJOR_MIN: u32 = 20;

/// What is about to be done on this machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Window,
    Terminal,
    Tests,
    Figures,
}

/// Installs what is missing for `purpose`, or says what a person has to install.
pub fn prepare(purpose: Purpose) -> Result<()> {
    let window = purpose == Purpose::Window || purpose == Purpose::Tests;
    if window && !(node_major() >= Some(NODE_MAJOR_MIN) && answers(npm())) {
        bail!(
            "Docket's window is built with npm and Node.js {NODE_MAJOR_MIN} or newer. Install them, then run this again."
        );
    }
    match std::env::consts::OS {
        "linux" => linux(purpose),
        "macos" => macos(),
        "windows" => windows(),
        other => {
            eprintln!(
                "Nothing is known of {other} here: if the build stops, see Tauri's list of prerequisites."
            );
            Ok(())
        }
    }
}

/// The first number that `node --version` gives: `v20.19.0`.
fn node_major() -> Option<u32> {
    let output = command("node").arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// npm is a script on Windows.
pub fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

fn linux(purpose: Purpose) -> Result<()> {
    let wanted: Vec<&str> = match purpose {
        Purpose::Terminal => TERMINAL.to_vec(),
        Purpose::Window => WINDOW.to_vec(),
        Purpose::Tests => [WINDOW, TESTS].concat(),
        Purpose::Figures => [TERMINAL, FIGURES].concat(),
    };
    if !answers("apt-get") {
        eprintln!("No apt-get here. What Docket needs, by its Debian names: {}.", wanted.join(" "));
        return Ok(());
    }
    let missing: Vec<&str> = wanted.into_iter().filter(|package| !installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("Installing {}", missing.join(" "));
    apt_get(&["update"])?;
    let mut install = vec!["install", "--yes", "--no-install-recommends"];
    install.extend(&missing);
    apt_get(&install)
}

fn installed(package: &str) -> bool {
    command("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .output()
        .is_ok_and(|output| output.stdout == b"installed")
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let mut apt_get = if is_root() {
        command("apt-get")
    } else {
        let mut sudo = command("sudo");
        // sudo forgets the environment, so the setting is passed on its line.
        sudo.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        sudo
    };
    apt_get
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["--quiet", "--quiet", "-o", "Acquire::Retries=3", "-o", "Dpkg::Use-Pty=0"])
        .args(arguments);
    run(&mut apt_get)
}

fn is_root() -> bool {
    command("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn macos() -> Result<()> {
    if command("xcode-select").arg("--print-path").output().is_ok_and(|o| o.status.success()) {
        return Ok(());
    }
    bail!(
        "Docket needs the Xcode command line tools. Run `xcode-select --install`, then run this again."
    );
}

fn windows() -> Result<()> {
    let webview = [
        r"HKLM\SOFTWARE\WOW6432Node\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}",
        r"HKCU\Software\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}",
    ]
    .iter()
    .any(|key| command("reg").args(["query", key]).output().is_ok_and(|o| o.status.success()));
    if webview {
        return Ok(());
    }
    bail!(
        "Docket needs the WebView2 runtime, and to build it the Visual Studio Build Tools with \"Desktop development \
         with C++\". Install both, then run this again."
    );
}

/// Runs a command to its end, its output in sight of the person.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => bail!("{} ended with {status}", told(command)),
        Err(error) => bail!("{} cannot be started: {error}", told(command)),
    }
}

fn told(command: &Command) -> String {
    // Where the program lies is no news to the person.
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let mut words = vec![name.to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}
