//! The log: JSON lines in rotating files under `logs/` of the home, with the field names of
//! interfaces.md.
//!
//! Deny by default, so that no credential, signed address or parameter value gets in by way of a
//! dependency's chatter or a field that somebody adds: only events of our own crates are written, and
//! of them only the fields in [`FIELDS`]. Messages are fixed texts.

use std::{
    collections::BTreeMap,
    fmt, io,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};
use thiserror::Error;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    subscriber::SetGlobalDefaultError,
};
use tracing_appender::{
    non_blocking::{NonBlocking, WorkerGuard},
    rolling::{InitError, RollingFileAppender, Rotation},
};
use tracing_subscriber::{
    Layer,
    filter::filter_fn,
    fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter, format::Writer},
    layer::SubscriberExt,
    registry::LookupSpan,
};

use crate::clock::{Clock, SystemClock};

/// The folder of the log inside the home.
pub const FOLDER: &str = "logs";
/// Most files that are kept, one for each day.
const FILES_MAX: usize = 14;
/// What our crates' names begin with.
const OURS: &str = "docket";
/// Every field that is written, beside `time`, `level` and `message`.
const FIELDS: &[&str] = &[
    "event",
    "export_id",
    "request_key",
    "business_id",
    "attempt_no",
    "kind",
    "phase",
    "call_result",
    "result",
    "reason",
    "http_status",
    "duration_ms",
    "trace_id",
    "span_id",
    "stage",
    "hold",
    "service_id",
    "count",
    "version",
    "language",
    "id",
];

/// Writes what is left when the program ends: keep it until then.
#[must_use = "the log ends when this is dropped"]
pub struct LogGuard {
    _writer: WorkerGuard,
}

/// The log can not be kept.
#[derive(Debug, Error)]
pub enum LogError {
    /// The folder can not be made.
    #[error("the folder for the log can not be made")]
    Folder(#[from] io::Error),
    /// The file can not be opened.
    #[error("the log can not be opened")]
    File(#[from] InitError),
    /// There is a log already in this process.
    #[error("this process keeps a log already")]
    Kept(#[from] SetGlobalDefaultError),
}

/// Starts the log of this process in a home. `program` begins the names of its files, so that two
/// programs on one home do not rotate each other's.
///
/// # Errors
/// See [`LogError`]. A program may go on without.
pub fn start(home: &Path, program: &str) -> Result<LogGuard, LogError> {
    let (writer, guard) = rotating(home, program)?;
    tracing::subscriber::set_global_default(subscriber(writer))?;
    Ok(LogGuard { _writer: guard })
}

fn rotating(home: &Path, program: &str) -> Result<(NonBlocking, WorkerGuard), LogError> {
    let folder = home.join(FOLDER);
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(&folder)?;
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix(program)
        .filename_suffix("jsonl")
        .max_log_files(FILES_MAX)
        .build(&folder)?;
    Ok(tracing_appender::non_blocking(Private { files, folder, day: None }))
}

/// Files that are the person's alone, also the one that a new day begins.
struct Private {
    files: RollingFileAppender,
    folder: PathBuf,
    /// The last day (UTC, as the files turn) on which they were made private.
    day: Option<jiff::civil::Date>,
}

impl io::Write for Private {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.files.write(bytes)?;
        let today = SystemClock.now().to_zoned_datetime(jiff::tz::TimeZone::UTC).date();
        if self.day != Some(today) {
            restrict(&self.folder)?;
            self.day = Some(today);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.files.flush()
    }
}

#[cfg(unix)]
fn restrict(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if path.is_file() {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

/// The person's profile folder is theirs alone on other systems.
#[cfg(not(unix))]
fn restrict(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn subscriber<W>(writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .event_format(Lines)
        .with_writer(writer)
        .with_filter(LevelFilter::INFO)
        .with_filter(filter_fn(is_ours));
    tracing_subscriber::registry().with(lines)
}

fn is_ours(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with(OURS)
}

/// One event as one line.
struct Lines;

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut line = Map::new();
        line.insert("time".to_owned(), SystemClock.now().to_string().into());
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        line.insert("level".to_owned(), level.into());
        line.extend(fields.0.into_iter().map(|(name, value)| (name.to_owned(), value)));
        writeln!(writer, "{}", Value::Object(line))
    }
}

/// The fields of one event that may be written.
#[derive(Default)]
struct Fields(BTreeMap<&'static str, Value>);

impl Fields {
    fn keep(&mut self, field: &Field, value: Value) {
        if FIELDS.contains(&field.name()) || field.name() == "message" {
            self.0.insert(field.name(), value);
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.keep(field, format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.keep(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.keep(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.keep(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.keep(field, value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that a piece of code leaves in the log of a new home.
    fn lines(work: impl FnOnce()) -> Vec<Value> {
        let home = tempfile::tempdir().unwrap();
        let (writer, guard) = rotating(home.path(), "docket").unwrap();
        tracing::subscriber::with_default(subscriber(writer), work);
        drop(guard);
        let files: Vec<_> = std::fs::read_dir(home.path().join(FOLDER)).unwrap().collect();
        let [Ok(file)] = &files[..] else { panic!("{files:?}") };
        let text = std::fs::read_to_string(file.path()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn an_attempt_is_one_line_with_the_names_that_stay() {
        let lines = lines(|| {
            tracing::info!(
                event = "attempt_ended",
                export_id = %"E-1",
                attempt_no = 2_u32,
                http_status = Some(202_u16),
                business_id = None::<String>,
                duration_ms = 31_i64,
                "an attempt ended"
            );
        });
        let [line] = &lines[..] else { panic!("{lines:?}") };
        let mut line = line.clone();
        let time = line["time"].take();
        assert!(time.as_str().is_some_and(|time| time.ends_with('Z')), "{time}");
        line.as_object_mut().unwrap().remove("time");
        let expected = serde_json::json!({
            "level": "info", "event": "attempt_ended", "export_id": "E-1", "attempt_no": 2,
            "http_status": 202, "duration_ms": 31, "message": "an attempt ended",
        });
        assert_eq!(line, expected);
    }

    #[test]
    fn what_is_not_meant_for_the_log_does_not_get_in() {
        let lines = lines(|| {
            tracing::info!(event = "kept", authorization = "Bearer s3cret", href = "https://x?sig");
            tracing::info!(target: "hyper", event = "a dependency's", url = "https://x?sig");
            tracing::debug!(event = "too small to keep");
        });
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(line.as_object().unwrap().len(), 3, "{line}");
        assert_eq!(line["event"], "kept");
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_and_its_files_are_the_users_alone() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let (writer, guard) = rotating(home.path(), "docket").unwrap();
        tracing::subscriber::with_default(subscriber(writer), || tracing::info!(event = "one"));
        drop(guard);
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let folder = home.path().join(FOLDER);
        assert_eq!(mode(&folder), 0o700);
        for file in std::fs::read_dir(&folder).unwrap() {
            assert_eq!(mode(&file.unwrap().path()), 0o600);
        }
    }
}
