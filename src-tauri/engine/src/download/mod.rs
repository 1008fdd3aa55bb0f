//! From a job's file to a verified file on this computer's disk.
//!
//! One fetch is one request, or none where only the name was missing. It goes on where the last one
//! stopped, and only there: a range is asked for with the tag of what is here, and what comes back
//! says where it belongs. A name is given after length and digest are right, never before. Memory
//! stays flat: bytes go from the socket through a short queue to one thread that writes and hashes.
//!
//! Nothing here retries. How the fetch ended says what to do next; a signed address that has run out
//! shows as `Interrupted`, and the next poll brings a new one.

mod part;
mod place;
#[cfg(test)]
mod tests;

use std::{
    io,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use docket_wire::ExportFile;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use self::part::{Part, Whole};
use crate::{
    attempt::{AttemptEnd, AttemptResult, CallReason, DeferUntil, FetchEnd, Phase, Verified},
    connector::{Call, Connector, FileRefusal, FileStream, OpenFile, sha256_of_digest},
    export::{BusinessId, ExportId},
    file_name::safe_name,
    mutants::{self, Mutant},
};

/// Pieces between the socket and the disk. One has at most a few hundred KiB.
const PIECES_MAX: usize = 16;
/// Bytes that a download leaves free on the disk.
pub const SPACE_RESERVE: u64 = 32 * 1024 * 1024;

/// What is to be fetched, and where to.
#[derive(Clone, Debug)]
pub struct Fetch {
    /// The export: its part is named after it.
    pub export: ExportId,
    /// The job that made the file.
    pub job: BusinessId,
    /// The file as the job's last answer describes it.
    pub file: ExportFile,
    /// The folder that it goes to; made where it is missing.
    pub folder: PathBuf,
}

/// Fetches a file. The result is [`AttemptResult::Fetched`], or [`AttemptResult::Deferred`] where it
/// is to be fetched later.
///
/// `stop` ends it with what is there kept; `done` is told the bytes on disk as they grow.
pub async fn fetch(
    connector: &dyn Connector,
    call: &Call,
    fetch: &Fetch,
    stop: &CancellationToken,
    done: &watch::Sender<u64>,
) -> AttemptEnd {
    let mut heard = Heard { http_status: None, service_time: None };
    let result = match run(connector, call, fetch, stop, done, &mut heard).await {
        Ok(end) | Err(Early::Ended(end)) => AttemptResult::Fetched { end },
        Err(Early::PutOff(until)) => AttemptResult::Deferred { until: DeferUntil::Time(until) },
    };
    AttemptEnd {
        result,
        http_status: heard.http_status,
        service_time: heard.service_time,
        phases: call.progress.marks(),
    }
}

/// What the head of the answer said beside the file.
struct Heard {
    http_status: Option<u16>,
    service_time: Option<jiff::Timestamp>,
}

/// An end that came before all bytes were here.
enum Early {
    Ended(FetchEnd),
    /// Not before then.
    PutOff(jiff::Timestamp),
}

impl From<FetchEnd> for Early {
    fn from(end: FetchEnd) -> Self {
        Self::Ended(end)
    }
}

async fn run(
    connector: &dyn Connector,
    call: &Call,
    fetch: &Fetch,
    stop: &CancellationToken,
    done: &watch::Sender<u64>,
    heard: &mut Heard,
) -> Result<FetchEnd, Early> {
    let whole = Whole {
        size: fetch.file.size,
        digest: fetch.file.digest.as_deref().and_then(sha256_of_digest),
    };
    if let Some(saved) = placed(fetch, whole.clone(), stop).await? {
        return Ok(saved);
    }
    let part = open_part(fetch, whole.clone(), stop).await?;
    let before = part.kept();
    done.send_replace(before);
    if before == whole.size && before > 0 {
        return Ok(finish(call, fetch, part, whole.digest).await?);
    }
    have_room(fetch, before)?;
    let open = OpenFile {
        job: fetch.job.clone(),
        href: fetch.file.href.clone(),
        media_type: fetch.file.media_type.clone(),
        from: if part.etag().is_some() { before } else { 0 },
        if_range: part.etag().map(str::to_owned),
    };
    let answer = tokio::select! {
        answer = connector.open_file(call, &open) => answer,
        () = stop.cancelled() => return Ok(FetchEnd::Stopped { kept: before }),
    };
    heard.http_status = answer.http_status;
    heard.service_time = answer.service_time;
    let stream = match answer.opened {
        Ok(stream) => stream,
        Err(refusal) => return Err(refused(fetch, part, refusal).await),
    };
    let digest = whole.digest.or(stream.digest);
    let (part, came) = receive(fetch, part, stream, &whole, stop, done).await?;
    let (kept, gained) = (part.kept(), came.gained);
    match came.ended {
        Ended::Whole if kept == whole.size => Ok(finish(call, fetch, part, digest).await?),
        Ended::Whole if kept < whole.size => {
            Ok(FetchEnd::Interrupted { reason: CallReason::Truncated, kept, gained })
        }
        Ended::Whole | Ended::TooLong => Ok(wrong(fetch, part).await),
        Ended::Broken(reason) => Ok(FetchEnd::Interrupted { reason, kept, gained }),
        Ended::Stopped => Ok(FetchEnd::Stopped { kept }),
    }
}

/// How the bytes ended.
enum Ended {
    Whole,
    TooLong,
    Broken(CallReason),
    Stopped,
}

struct Came {
    ended: Ended,
    gained: u64,
}

/// Takes the bytes in, once it is sure where they belong.
async fn receive(
    fetch: &Fetch,
    part: Part,
    mut stream: FileStream,
    whole: &Whole,
    stop: &CancellationToken,
    done: &watch::Sender<u64>,
) -> Result<(Part, Came), FetchEnd> {
    let other_file = stream.size.is_some_and(|size| size != whole.size)
        || (stream.from > 0 && stream.etag.as_deref() != part.etag());
    if other_file || stream.from > part.kept() {
        return Err(begin_again(fetch, part).await);
    }
    let part = put_at(fetch, part, (stream.from, stream.etag.clone()), stop).await?;
    done.send_replace(part.kept());
    let (start, most) = (part.kept(), part.most());
    let (pieces, queue) = mpsc::channel(PIECES_MAX);
    let writer = {
        let done = done.clone();
        tokio::task::spawn_blocking(move || write(part, queue, &done))
    };
    let mut room = whole.size - start;
    let ended = loop {
        let piece = tokio::select! {
            piece = stream.source.next() => piece,
            () = stop.cancelled() => break Ended::Stopped,
        };
        match piece {
            Ok(Some(piece)) if piece.len() as u64 > room => break Ended::TooLong,
            Ok(Some(piece)) => {
                room -= piece.len() as u64;
                // A writer that is gone has its own reason, below.
                if pieces.send(piece).await.is_err() {
                    break Ended::Broken(CallReason::Interrupted);
                }
            }
            Ok(None) => break Ended::Whole,
            Err(reason) => break Ended::Broken(reason),
        }
    };
    drop(pieces);
    match ran(fetch, writer.await)? {
        (part, Ok(())) => {
            let gained = part.kept().saturating_sub(start.max(most));
            Ok((part, Came { ended, gained }))
        }
        (part, Err(error)) => Err(obstacle(fetch, &error, part.kept())),
    }
}

/// Writes and hashes what comes through the queue, and makes it last when no more comes.
fn write(
    mut part: Part,
    mut queue: mpsc::Receiver<Bytes>,
    done: &watch::Sender<u64>,
) -> (Part, io::Result<()>) {
    while let Some(piece) = queue.blocking_recv() {
        if let Err(error) = part.write(&piece) {
            return (part, Err(error));
        }
        done.send_replace(part.kept());
    }
    let settled = part.settle();
    (part, settled)
}

/// The end of a try that gave the file its name, where its program ended before that was recorded.
async fn placed(
    fetch: &Fetch,
    whole: Whole,
    stop: &CancellationToken,
) -> Result<Option<FetchEnd>, FetchEnd> {
    let (folder, export, stop) =
        (fetch.folder.clone(), fetch.export.as_str().to_owned(), stop.clone());
    let verified = if whole.digest.is_some() { Verified::Digest } else { Verified::Size };
    let size = whole.size;
    let found = on_disk(fetch, 0, move || place::placed(&folder, &export, &whole, &stop)).await?;
    Ok(found.map(|(path, digest)| FetchEnd::Saved {
        path,
        size,
        digest: hex::encode(digest),
        verified,
    }))
}

/// A file that was saved is recorded as such: what was noted for its fetch is no longer needed.
pub fn recorded(export: &ExportId, saved: &Path) {
    if let Some(folder) = saved.parent() {
        part::forget(folder, export.as_str());
    }
}

async fn open_part(
    fetch: &Fetch,
    whole: Whole,
    stop: &CancellationToken,
) -> Result<Part, FetchEnd> {
    let (folder, export, stop) =
        (fetch.folder.clone(), fetch.export.as_str().to_owned(), stop.clone());
    let kept = Part::length(&folder, &export);
    on_disk(fetch, kept, move || Part::open(&folder, &export, whole, &stop)).await
}

/// Brings the part to where the first byte belongs.
async fn put_at(
    fetch: &Fetch,
    mut part: Part,
    (from, etag): (u64, Option<String>),
    stop: &CancellationToken,
) -> Result<Part, FetchEnd> {
    let stop = stop.clone();
    on_disk(fetch, part.kept(), move || {
        if from < part.kept() {
            part.cut_to(from, &stop)?;
        }
        if from == 0 {
            part.belongs_to(etag)?;
        }
        Ok(part)
    })
    .await
}

/// Holds a whole part against its digest and gives it its name.
async fn finish(
    call: &Call,
    fetch: &Fetch,
    part: Part,
    expected: Option<[u8; 32]>,
) -> Result<FetchEnd, FetchEnd> {
    call.progress.enter(Phase::Record);
    let (size, digest) = (part.kept(), part.digest());
    let is_wrong = expected.is_some_and(|expected| expected != digest);
    if is_wrong && !mutants::is(Mutant::NameUnverified) {
        return Ok(wrong(fetch, part).await);
    }
    let name = safe_name(&fetch.file.name);
    let path = on_disk(fetch, size, move || place::place(part, &name)).await?;
    let verified = if expected.is_some() { Verified::Digest } else { Verified::Size };
    Ok(FetchEnd::Saved { path, size, digest: hex::encode(digest), verified })
}

/// The bytes are not those that were announced.
async fn wrong(fetch: &Fetch, part: Part) -> FetchEnd {
    match on_disk(fetch, 0, move || part.throw_away()).await {
        Ok(()) => FetchEnd::WrongDigest,
        Err(end) => end,
    }
}

/// What is here is a part of something else: the next try begins at the first byte.
async fn begin_again(fetch: &Fetch, part: Part) -> FetchEnd {
    match on_disk(fetch, 0, move || part.empty()).await {
        Ok(()) => FetchEnd::Interrupted { reason: CallReason::Mismatched, kept: 0, gained: 0 },
        Err(end) => end,
    }
}

async fn refused(fetch: &Fetch, part: Part, refusal: FileRefusal) -> Early {
    Early::Ended(match refusal {
        FileRefusal::PutOff { until } => return Early::PutOff(until),
        FileRefusal::SignIn => FetchEnd::SignIn,
        FileRefusal::AccessWithdrawn => FetchEnd::AccessWithdrawn,
        FileRefusal::Gone => FetchEnd::FileGone,
        FileRefusal::NoSuchRange => begin_again(fetch, part).await,
        FileRefusal::Call { reason } => {
            FetchEnd::Interrupted { reason, kept: part.kept(), gained: 0 }
        }
    })
}

fn have_room(fetch: &Fetch, kept: u64) -> Result<(), FetchEnd> {
    let needed = fetch.file.size.saturating_sub(kept);
    match fs4::available_space(&fetch.folder) {
        Ok(free) if free < needed.saturating_add(SPACE_RESERVE) => {
            Err(FetchEnd::NoSpace { needed, free, kept })
        }
        // A file system that does not tell is found out by writing to it.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Runs blocking work on the part on a thread of its own.
async fn on_disk<T: Send + 'static>(
    fetch: &Fetch,
    kept: u64,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, FetchEnd> {
    let ended = tokio::task::spawn_blocking(work).await;
    ran(fetch, ended)?.map_err(|error| obstacle(fetch, &error, kept))
}

/// A thread that did not come to its end is one more thing that the system refused.
fn ran<T>(fetch: &Fetch, ended: Result<T, tokio::task::JoinError>) -> Result<T, FetchEnd> {
    ended.map_err(|error| obstacle(fetch, &io::Error::other(error), 0))
}

/// What an error of the file system means for the person.
fn obstacle(fetch: &Fetch, error: &io::Error, kept: u64) -> FetchEnd {
    let kind = error.kind();
    if kind == io::ErrorKind::Interrupted {
        return FetchEnd::Stopped { kept };
    }
    if kind == io::ErrorKind::StorageFull || kind == io::ErrorKind::QuotaExceeded {
        let needed = fetch.file.size.saturating_sub(kept);
        let free = fs4::available_space(&fetch.folder).unwrap_or(0);
        return FetchEnd::NoSpace { needed, free, kept };
    }
    FetchEnd::CannotWrite { folder: fetch.folder.clone(), reason: error.to_string(), kept }
}
