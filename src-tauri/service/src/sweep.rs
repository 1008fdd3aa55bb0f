//! The sweeper: throws files away when their time is over, and keys that nobody may send any more.
//!
//! It sleeps until something falls due; with nothing to do no timer runs.

use std::time::Duration;

use jiff::Timestamp;

use crate::{
    app::Shared,
    clock::later,
    files::Format,
    store::{self, Job, StoreError, sweep},
};

/// The least time between two sweeps.
const BETWEEN_SWEEPS: Duration = Duration::from_secs(1);

/// Sweeps until the service stops.
pub(crate) async fn run(app: Shared) {
    while !app.stop.is_cancelled() {
        let rung = app.sweep.notified();
        let next = match everything(&app).await {
            Ok(next) => next,
            Err(error) => {
                tracing::error!(reason = %error, "the sweep came to nothing");
                Some(later(app.now(), Duration::from_secs(60)))
            }
        };
        // A bell may ring for every job that ends; one look a second is enough.
        app.pause(BETWEEN_SWEEPS).await;
        match next {
            Some(due) => tokio::select! {
                () = rung => {}
                () = app.config.clock.sleep_until(due) => {}
                () = app.stop.cancelled() => {}
            },
            None => tokio::select! {
                () = rung => {}
                () = app.stop.cancelled() => {}
            },
        }
    }
}

/// Sweeps all that is due, and says when something will be next.
pub(crate) async fn everything(app: &Shared) -> Result<Option<Timestamp>, StoreError> {
    files(app).await?;
    let (retention, now) = (app.config.key_retention, app.now());
    while app.store.write(move |tx| sweep::forget_keys(tx, retention, now)).await? {}
    app.store.read(move |connection| sweep::next(connection, retention)).await
}

/// Throws every file away whose time is over. The file goes first: a row that still promises one is
/// mended by the next sweep, a file without a row by none.
pub(crate) async fn files(app: &Shared) -> Result<(), StoreError> {
    loop {
        let now = app.now();
        let stale = app.store.read(move |connection| sweep::stale_files(connection, now)).await?;
        if stale.is_empty() {
            return Ok(());
        }
        let mut gone = Vec::new();
        for job in stale {
            let removed = Format::of_name(&job.format)
                .map_or(Ok(()), |format| app.folder.remove(&job.business_id, format));
            if let Err(error) = removed {
                tracing::warn!(business_id = job.business_id, reason = %error, "a file stays");
            }
            gone.push(job.business_id);
        }
        let told = gone.clone();
        app.store
            .write(move |tx| gone.iter().try_for_each(|id| store::expire(tx, id, now)))
            .await?;
        told.iter().for_each(|id| app.changes.ring(id));
    }
}

/// Whether a job's row promises a file whose time is over.
pub(crate) fn is_stale(job: &Job, now: Timestamp) -> bool {
    job.status == docket_wire::JobStatus::Succeeded
        && job.expires_at.is_some_and(|expires| expires <= now)
}
