//! A fetch began or ended: what is on disk, and what holds it up.

use super::advance::Ended;
use crate::{
    attempt::{AttemptResult, DeferUntil, FetchEnd},
    delivery::{Fetching, Obstacle, SavedFile, Want},
    journal::{Hold, between},
    policy::Policy,
    record::Record,
};

/// Moves the delivery on by the end of one fetch.
pub(super) fn fetched(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    record.delivery.fetching = Fetching::Idle;
    if let AttemptResult::Deferred { until: DeferUntil::Time(_) } = end.result {
        return put_off(record, end, policy);
    }
    if end.result.withdraws_access() {
        record.journal.holds.insert(Hold::AccessWithdrawn);
        return;
    }
    let AttemptResult::Fetched { end: fetch } = end.result else {
        return failed(record, 0, policy);
    };
    let Record { delivery, journal, .. } = &mut *record;
    delivery.obstacle = None;
    journal.holds.retain(|hold| !hold.is_of_the_fetch() || *hold == Hold::Paused);
    match fetch {
        FetchEnd::Saved { path, size, digest, verified } => {
            delivery.kept = 0;
            journal.holds.clear();
            delivery.saved = Some(SavedFile {
                path: path.clone(),
                size: *size,
                digest: digest.clone(),
                verified: *verified,
                at: end.ended_at,
            });
        }
        FetchEnd::Interrupted { kept, gained, .. } => {
            delivery.kept = *kept;
            failed(record, *gained, policy);
        }
        FetchEnd::Stopped { kept } => delivery.kept = *kept,
        FetchEnd::WrongDigest => is_another(record, policy),
        FetchEnd::NoSpace { needed, free, kept } => {
            delivery.kept = *kept;
            delivery.obstacle = Some(Obstacle::NoSpace { needed: *needed, free: *free });
            journal.holds.insert(Hold::NoSpace);
        }
        FetchEnd::CannotWrite { folder, reason, kept } => {
            delivery.kept = *kept;
            let (folder, reason) = (folder.clone(), reason.clone());
            delivery.obstacle = Some(Obstacle::CannotWrite { folder, reason });
            // A whole file wants only its name. What keeps it from that, such as a scanner that looks
            // at the file, mostly lets go by itself.
            let is_whole = delivery.total == Some(*kept);
            delivery.failures = delivery.failures.saturating_add(1);
            if !is_whole || delivery.failures >= policy.download_tries_max {
                journal.holds.insert(Hold::CannotWrite);
            }
        }
        FetchEnd::AccessWithdrawn => {
            journal.holds.insert(Hold::AccessWithdrawn);
        }
        FetchEnd::FileGone => {
            // The job says whether it expired; the file's address alone does not.
            journal.schedule.poll_gap_ms = 0;
            failed(record, 0, policy);
        }
        FetchEnd::SignIn => {
            journal.holds.insert(Hold::SignIn);
        }
    }
}

/// The file is not what the job said. It may have been made anew: the job says what it is to be.
fn is_another(record: &mut Record, policy: &Policy) {
    let Record { delivery, journal, .. } = record;
    delivery.kept = 0;
    delivery.failures += 1;
    delivery.wrong_digests += 1;
    journal.wishes.check = true;
    if delivery.wrong_digests >= policy.wrong_digests_max {
        journal.holds.insert(Hold::CheckFailed);
    }
}

/// Whoever keeps the file says when to come back: nothing failed. The gap grows all the same, so that
/// one who always says "soon" is not asked in haste; nor is it asked for ever.
fn put_off(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    let Record { delivery, journal, .. } = record;
    let most = policy.download_tries_max.saturating_sub(1).max(delivery.failures);
    delivery.failures = delivery.failures.saturating_add(1).min(most);
    let news_at = *journal.schedule.news_at.get_or_insert(end.ended_at);
    if between(news_at, end.ended_at) >= policy.no_progress_end {
        journal.holds.insert(Hold::DownloadInterrupted);
    }
}

/// One more try that was cut short, or could not be begun.
fn failed(record: &mut Record, gained: u64, policy: &Policy) {
    let Record { delivery, journal, .. } = record;
    // The address may have run out: the job is asked for a fresh one before the next try.
    journal.wishes.check |= gained == 0;
    delivery.failures = if gained > 0 { 1 } else { delivery.failures.saturating_add(1) };
    if delivery.failures >= policy.download_tries_max {
        journal.holds.insert(Hold::DownloadInterrupted);
    }
}

/// Whether a fetch that is under way is still wanted.
pub fn fetch_is_wanted(record: &Record) -> bool {
    record.delivery.want == Want::Fetch && !record.journal.holds.contains(&Hold::Paused)
}

/// A fetch begins: what stopped the last one is tried anew.
pub fn fetch_begins(record: &mut Record) {
    record.delivery.fetching = Fetching::UnderWay;
    record.delivery.obstacle = None;
    record.delivery.total = record.knowledge.job().and_then(|job| Some(job.file.as_ref()?.size));
    record.journal.holds.remove(&Hold::NoSpace);
    record.journal.holds.remove(&Hold::DownloadInterrupted);
}
