//! The fetch of a file as a drive: what was on disk when it began, how much came, who may stop it.

use std::{
    sync::{Arc, PoisonError},
    time::Duration,
};

use docket_wire::ExportFile;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    attempt::{AttemptEnd, AttemptResult, CallReason},
    connector::Call,
    desk::{Desk, Result},
    download::{self, Fetch},
    export::{BusinessId, ExportId},
    journal::later,
    plan::{fetch_begins, fetch_is_wanted},
    record::Record,
};

/// Gap between two writes of how many bytes are here: each is a transaction.
const PROGRESS_GAP: Duration = Duration::from_millis(500);

/// Fetches the file of a job that succeeded.
pub(super) async fn fetch(desk: &Arc<Desk>, record: &Record, call: &Call) -> AttemptEnd {
    let id = record.export.id.clone();
    let wanted = record.knowledge.job().and_then(|job| {
        let href = record.journal.schedule.file_address.clone()?;
        Some((job, ExportFile { href, ..job.file.clone()? }))
    });
    let Some((job, file)) = wanted else {
        return AttemptEnd {
            result: AttemptResult::NotSent { reason: CallReason::RequestInvalid },
            http_status: None,
            service_time: None,
            phases: Vec::new(),
        };
    };
    let folder = record.export.folder.clone().unwrap_or_else(|| desk.downloads_folder());
    let fetch =
        Fetch { export: id.clone(), job: BusinessId::from_text(&*job.business_id), file, folder };
    let stop = CancellationToken::new();
    desk.fetches.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), stop.clone());
    let (done, growing) = watch::channel(record.delivery.kept);
    // A pause from before the switch was there to be thrown.
    stop_if_unwanted(desk, &id, &stop).await;
    let over = CancellationToken::new();
    // Also where this is aborted: nothing of a fetch outlives it.
    let _over_at_the_latest = over.clone().drop_guard();
    let telling = tell_progress(Arc::clone(desk), id.clone(), growing, over.clone());
    let progress = tokio::spawn(telling);
    let end = download::fetch(desk.connector.as_ref(), call, &fetch, &stop, &done).await;
    // What it writes must not come after the end, which it would undo.
    over.cancel();
    if let Err(error) = progress.await {
        tracing::error!(event = "progress_broke", reason = %error);
    }
    desk.fetches.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    end
}

/// Writes down that the fetch began, then how much is here, as often as a screen can use it.
async fn tell_progress(
    desk: Arc<Desk>,
    id: ExportId,
    mut growing: watch::Receiver<u64>,
    over: CancellationToken,
) {
    loop {
        let kept = *growing.borrow_and_update();
        let export = id.clone();
        let written = desk.blocking(move |desk| write(desk, &export, kept)).await;
        if let Err(error) = written {
            tracing::error!(event = "progress_not_written", reason = %error);
        }
        let more = async {
            desk.clock.sleep_until(later(desk.clock.now(), PROGRESS_GAP)).await;
            growing.changed().await
        };
        tokio::select! {
            () = over.cancelled() => return,
            grown = more => if grown.is_err() {
                return;
            },
        }
    }
}

async fn stop_if_unwanted(desk: &Arc<Desk>, id: &ExportId, stop: &CancellationToken) {
    let export = id.clone();
    match desk.blocking(move |desk| Ok(desk.store.get(&export)?)).await {
        Ok(Some(record)) if !fetch_is_wanted(&record) => stop.cancel(),
        Ok(Some(_) | None) => {}
        Err(error) => tracing::error!(event = "wish_not_read", reason = %error),
    }
}

fn write(desk: &Desk, id: &ExportId, kept: u64) -> Result<()> {
    let changed = desk.store.change(id, desk.clock.now(), &mut |record| {
        fetch_begins(record);
        record.delivery.kept = kept;
    })?;
    if let Some(record) = changed {
        desk.publish(&record)?;
    }
    Ok(())
}
