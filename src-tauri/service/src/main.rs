//! `docket-service`: the reference service as a program.
//!
//! The first line on stdout is `listening http://ADDRESS:PORT`, the second, in practice mode,
//! `token …`; scripts rely on both. Logs go to stderr. SIGTERM and SIGINT end it cleanly, SIGHUP reads
//! the tokens anew.

use std::{
    io::{self, IsTerminal, Write},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use clap::{Parser, ValueEnum};
use docket_service::{
    Config, Feature, Pace, RateLimit, ServiceHandle, StartError, TokensError, logs::JsonLines,
    read_tokens, start,
};
use thiserror::Error;
use tracing_subscriber::EnvFilter;

/// The reference export service of Docket.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The database file.
    #[arg(long)]
    database: PathBuf,
    /// The folder of finished files.
    #[arg(long)]
    files: PathBuf,
    /// The credentials: a TOML file of `[[token]]` tables.
    #[arg(long)]
    tokens: Option<PathBuf>,
    /// How long a key is remembered: a number and s, m, h or d.
    #[arg(long, default_value = "24h", value_parser = length)]
    key_retention: Duration,
    /// How long a file is kept.
    #[arg(long, default_value = "7d", value_parser = length)]
    file_retention: Duration,
    /// The database was put back from a copy.
    #[arg(long)]
    restored: bool,
    /// What to switch off: idempotency, lookup, traits, abandon, cancel, resume.
    #[arg(long, value_delimiter = ',', value_parser = str::parse::<Feature>)]
    without: Vec<Feature>,
    /// Make a throw-away tenant `practice` with a token, and serve /practice/faults.
    #[arg(long)]
    practice: bool,
    /// New jobs that a subject may ask for in a minute.
    #[arg(long)]
    rate_limit: Option<u32>,
    /// Looks see a job only this long after it was created.
    #[arg(long, default_value = "0s", value_parser = length)]
    visibility_lag: Duration,
    /// The least time that a job waits before it is begun (practice: 500ms).
    #[arg(long, value_parser = length)]
    queued_for: Option<Duration>,
    /// The least time that a job runs (practice: 2500ms).
    #[arg(long, value_parser = length)]
    running_for: Option<Duration>,
    /// How often the service asks to be polled.
    #[arg(long, default_value = "2s", value_parser = length)]
    poll_interval: Duration,
    /// How long a worker that gives no sign of life keeps its job.
    #[arg(long, default_value = "30s", value_parser = length)]
    lease: Duration,
    /// How the log is written.
    #[arg(long, value_enum, default_value = "text")]
    log: LogFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Why the program ended.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Tokens(#[from] TokensError),
    #[error("the runtime can not be started: {0}")]
    Io(#[from] io::Error),
}

/// Why a length of time can not be read.
#[derive(Debug, Error)]
#[error("write a number and ms, s, m, h or d, such as 24h")]
struct NotALength;

fn length(text: &str) -> Result<Duration, NotALength> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| NotALength)?;
    let seconds = match unit {
        "ms" => return Ok(Duration::from_millis(number)),
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(NotALength),
    };
    number.checked_mul(seconds).map(Duration::from_secs).ok_or(NotALength)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    log_to_stderr(arguments.log);
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("docket-service: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn log_to_stderr(format: LogFormat) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("docket_service=info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.event_format(JsonLines).init(),
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let service = start(config(arguments)?).await?;
        announce(&service)?;
        until_told_to_end(arguments, &service, &mut signals).await?;
        service.shutdown().await;
        Ok(())
    })
}

fn config(arguments: &Arguments) -> Result<Config, Failure> {
    let (database, files) = (arguments.database.clone(), arguments.files.clone());
    let base = if arguments.practice {
        Config::practice(database, files)
    } else {
        Config::new(arguments.listen, database, files)
    };
    let tokens = match &arguments.tokens {
        Some(path) => read_tokens(path)?,
        None => Vec::new(),
    };
    Ok(Config {
        listen: arguments.listen,
        tokens,
        key_retention: arguments.key_retention,
        file_retention: arguments.file_retention,
        restored: arguments.restored,
        without: arguments.without.iter().copied().collect(),
        rate_limit: arguments
            .rate_limit
            .map(|submits| RateLimit { submits, per: Duration::from_secs(60) }),
        visibility_lag: arguments.visibility_lag,
        pace: Pace {
            queued: arguments.queued_for.unwrap_or(base.pace.queued),
            running: arguments.running_for.unwrap_or(base.pace.running),
        },
        poll_interval: arguments.poll_interval,
        lease: arguments.lease,
        ..base
    })
}

fn announce(service: &ServiceHandle) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "listening {}", service.url())?;
    if let Some(token) = service.practice_token() {
        writeln!(stdout, "token {token}")?;
    }
    stdout.flush()
}

/// What the system is told to hand over. Listened for before the first line is printed: a signal that
/// comes right after it must not end the process as it would end one that has not asked for it.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }
}

#[cfg(unix)]
async fn until_told_to_end(
    arguments: &Arguments,
    service: &ServiceHandle,
    signals: &mut Signals,
) -> Result<(), Failure> {
    loop {
        tokio::select! {
            _ = signals.terminate.recv() => return Ok(()),
            _ = signals.interrupt.recv() => return Ok(()),
            _ = signals.hang_up.recv() => read_tokens_anew(arguments, service),
        }
    }
}

#[cfg(unix)]
fn read_tokens_anew(arguments: &Arguments, service: &ServiceHandle) {
    let Some(path) = &arguments.tokens else { return };
    match read_tokens(path).and_then(|tokens| service.replace_tokens(tokens)) {
        Ok(()) => tracing::info!("tokens read anew"),
        Err(error) => tracing::error!(reason = %error, "tokens stay as they were"),
    }
}

/// Elsewhere there is only Ctrl-C, and it is listened for when it is waited for.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self)
    }
}

#[cfg(not(unix))]
async fn until_told_to_end(
    _: &Arguments,
    _: &ServiceHandle,
    _: &mut Signals,
) -> Result<(), Failure> {
    Ok(tokio::signal::ctrl_c().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_read_as_interfaces_says() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        assert_eq!(length("24h").unwrap(), Duration::from_secs(86_400));
        assert_eq!(length("250ms").unwrap(), Duration::from_millis(250));
        for wrong in ["", "h", "1w", "-1s", "1.5h"] {
            assert!(length(wrong).is_err(), "{wrong}");
        }
    }
}
