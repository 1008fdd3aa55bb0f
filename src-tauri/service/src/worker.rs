//! The workers: take a job under a lease, write its file, say so.
//!
//! What must stay true: a job whose worker dies is taken by another; a file appears under its name
//! before its row says so; whatever callers can see was committed before their bell rings.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use docket_wire::{JobStatus, Problem, ProblemType};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::{
    app::{App, Shared},
    chance,
    clock::{between, later},
    files::WriteError,
    language::Language,
    operations::Prepared,
    store::{
        Job, StoreError, StoredFile,
        work::{self, End, Lease, Step, Taken},
    },
};

/// The least time between two tellings of progress: four a second at most.
const BETWEEN_STEPS: Duration = Duration::from_millis(250);
/// How long a worker waits where the database says no.
const AFTER_FAULT: Duration = Duration::from_secs(1);

/// Works until the service stops.
pub(crate) async fn run(app: Shared) {
    while !app.stop.is_cancelled() {
        let rung = app.work.notified();
        match take(&app).await {
            Ok((holder, Taken::Job { job, moved_up })) => {
                // Bells that rang while all were looking are one: whoever is free looks again.
                app.work.notify_one();
                for waiting in moved_up.iter().chain([&job.business_id]) {
                    app.changes.ring(waiting);
                }
                work_on(&app, *job, holder).await;
            }
            Ok((_, Taken::GivenUp(business_id))) => app.changes.ring(&business_id),
            Ok((_, Taken::NothingUntil(due))) => tokio::select! {
                () = rung => {}
                () = app.config.clock.sleep_until(due) => {}
                () = app.stop.cancelled() => {}
            },
            Ok((_, Taken::Nothing)) => tokio::select! {
                () = rung => {}
                () = app.stop.cancelled() => {}
            },
            Err(error) => {
                tracing::error!(reason = %error, "work can not be taken");
                app.pause(AFTER_FAULT).await;
            }
        }
    }
}

async fn take(app: &Shared) -> Result<(String, Taken), StoreError> {
    let holder = chance::lease_holder();
    let (lease, queued, now) = (app.config.lease, app.config.pace.queued, app.now());
    let name = holder.clone();
    let taken = app.store.write(move |tx| work::take(tx, &name, lease, queued, now)).await?;
    Ok((holder, taken))
}

async fn work_on(app: &Shared, job: Job, holder: String) {
    let started = app.now();
    let halt = app.stop.child_token();
    let entered = app.running.enter(&job.business_id, halt.clone());
    tracing::info!(business_id = job.business_id, operation = job.operation, "job begun");
    let end = match write_file(app, &job, &holder, &halt).await {
        Err(WriteError::Stopped) if app.stop.is_cancelled() => None,
        Err(WriteError::Stopped) => Some(End::Cancelled),
        Err(error) => {
            tracing::error!(business_id = job.business_id, reason = %error, "job failed");
            Some(End::Failed(broken()))
        }
        Ok(end) => Some(end),
    };
    let settled = conclude(app, &job, &holder, end).await;
    drop(entered);
    match settled {
        Ok(JobStatus::Running) => {
            tracing::info!(business_id = job.business_id, "job left to another worker");
        }
        Ok(status) => tracing::info!(
            business_id = job.business_id,
            status = status.as_str(),
            duration_ms =
                u64::try_from(between(started, app.now()).as_millis()).unwrap_or(u64::MAX),
            "job ended"
        ),
        // The lease runs out, and the job is taken anew.
        Err(error) => {
            tracing::error!(business_id = job.business_id, reason = %error, "an end was not written");
        }
    }
    app.changes.ring(&job.business_id);
    app.sweep.notify_one();
}

/// Writes how the work ended; without an end the job goes back to the others.
async fn conclude(
    app: &Shared,
    job: &Job,
    holder: &str,
    end: Option<End>,
) -> Result<JobStatus, StoreError> {
    let (business_id, holder, now) = (job.business_id.clone(), holder.to_owned(), app.now());
    let Some(end) = end else {
        app.store.write(move |tx| work::release(tx, &business_id, &holder)).await?;
        return Ok(JobStatus::Running);
    };
    let finished = matches!(end, End::Finished { .. });
    let status = app.store.write(move |tx| work::end(tx, &business_id, &holder, &end, now)).await?;
    if finished
        && status == JobStatus::Cancelled
        && let Some(format) = crate::files::Format::of_name(&job.format)
        && let Err(error) = app.folder.remove(&job.business_id, format)
    {
        tracing::warn!(business_id = job.business_id, reason = %error, "a file was not removed");
    }
    Ok(status)
}

async fn write_file(
    app: &Shared,
    job: &Job,
    holder: &str,
    halt: &CancellationToken,
) -> Result<End, WriteError> {
    let language = Language::of_tag(&job.language);
    if app.faults.take_job_failure() {
        return Ok(End::Failed(broken()));
    }
    let parameters = serde_json::from_str(&job.parameters).map_err(std::io::Error::from)?;
    let prepared = app.catalogue.prepare(&job.operation, &job.format, &parameters, language);
    let prepared = match prepared {
        Ok(prepared) => prepared,
        // Accepted by an earlier version that knew other rules.
        Err(errors) => {
            return Ok(End::Failed(Problem {
                errors,
                retry_may_help: Some(false),
                ..Problem::new(ProblemType::InvalidParameters)
            }));
        }
    };
    let desk = Desk {
        app: Arc::clone(app),
        business_id: job.business_id.clone(),
        holder: holder.to_owned(),
        halt: halt.clone(),
        language,
        started: app.now(),
        told: app.now(),
    };
    let work = tokio::task::spawn_blocking(move || desk.write(&prepared));
    tokio::select! {
        written = work => written.unwrap_or_else(|error| Err(std::io::Error::other(error).into())),
        lost = keep_lease(app, &job.business_id, holder, halt) => match lost {},
    }
}

/// Renews the lease for as long as it is asked to; where it is lost, the work is told to stop.
async fn keep_lease(
    app: &Shared,
    business_id: &str,
    holder: &str,
    halt: &CancellationToken,
) -> std::convert::Infallible {
    loop {
        app.config.clock.sleep_until(later(app.now(), app.config.lease / 3)).await;
        let (id, name) = (business_id.to_owned(), holder.to_owned());
        let until = later(app.now(), app.config.lease);
        match app.store.write(move |tx| work::renew(tx, &id, &name, until)).await {
            Ok(Lease::Held) => {}
            Ok(Lease::CancelAsked | Lease::Lost) => halt.cancel(),
            Err(error) => tracing::warn!(business_id, reason = %error, "a lease was not renewed"),
        }
    }
}

fn broken() -> Problem {
    Problem { retry_may_help: Some(true), ..Problem::new(ProblemType::Internal) }
}

/// One job on the thread that writes it.
struct Desk {
    app: Arc<App>,
    business_id: String,
    holder: String,
    halt: CancellationToken,
    language: Language,
    started: Timestamp,
    /// When progress was last told.
    told: Timestamp,
}

impl Desk {
    fn write(mut self, prepared: &Prepared) -> Result<End, WriteError> {
        let Prepared { report, format } = prepared;
        let total = report.total();
        let app = Arc::clone(&self.app);
        if self.tell(0, total).is_break() {
            return Err(WriteError::Stopped);
        }
        let (business_id, holder) = (self.business_id.clone(), self.holder.clone());
        let whole = app
            .folder
            .write(&business_id, &holder, &**report, *format, &mut |done| self.tick(done, total))?;
        if self.keep_pace(1, 1).is_break() {
            app.folder.remove(&business_id, *format)?;
            return Err(WriteError::Stopped);
        }
        Ok(End::Finished {
            file: StoredFile {
                name: format!("{}.{}", report.stem(), format.name()),
                size: whole.size,
                media_type: format.media_type().to_owned(),
                sha256: whole.sha256,
            },
            rows: total,
            warnings: self.warnings(total),
            kept: app.config.file_retention,
        })
    }

    fn warnings(&self, total: u64) -> Vec<String> {
        let nothing = self.language.say(
            "Nothing matches these parameters; the file has no rows.",
            "没有符合条件的记录；文件中没有数据行。",
        );
        if total == 0 { vec![nothing.to_owned()] } else { Vec::new() }
    }

    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        if self.halt.is_cancelled() {
            return ControlFlow::Break(());
        }
        self.keep_pace(done, total)?;
        if between(self.told, self.app.now()) < BETWEEN_STEPS {
            return ControlFlow::Continue(());
        }
        self.tell(done, total)
    }

    fn tell(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        let now = self.app.now();
        self.told = now;
        let step = self.language.say("Writing rows", "正在写入数据行").to_owned();
        let step = Step { done, total, step };
        let until = later(now, self.app.config.lease);
        let told = self
            .app
            .store
            .write_here(|tx| work::tell(tx, &self.business_id, &self.holder, &step, until, now));
        match told {
            Ok(Lease::Held) => {
                self.app.changes.ring(&self.business_id);
                ControlFlow::Continue(())
            }
            Ok(Lease::CancelAsked | Lease::Lost) => ControlFlow::Break(()),
            Err(error) => {
                // Progress is a courtesy; the lease is kept by another hand.
                tracing::warn!(business_id = self.business_id, reason = %error, "progress not told");
                ControlFlow::Continue(())
            }
        }
    }

    /// Waits until a job at this point may be seen by the pace that is set.
    fn keep_pace(&self, done: u64, total: u64) -> ControlFlow<()> {
        let pace = self.app.config.pace.running;
        if !pace.is_zero() {
            let share = u128::from(done) * pace.as_millis() / u128::from(total.max(1));
            let due = later(
                self.started,
                Duration::from_millis(u64::try_from(share).unwrap_or(u64::MAX)),
            );
            tokio::runtime::Handle::current().block_on(async {
                tokio::select! {
                    () = self.halt.cancelled() => {}
                    () = self.app.config.clock.sleep_until(due) => {}
                }
            });
        }
        if self.halt.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
