//! The job succeeded: fetch its file, as far as nothing holds it up.

use std::time::Duration;

use super::{Action, Planner, WaitWhy};
use crate::{attempt::AttemptKind, delivery::Want, journal::Hold, record::Record};

impl Planner<'_> {
    /// The job succeeded: fetch its file.
    pub(super) fn fetch(&self) -> Action {
        let Record { knowledge, journal, delivery, .. } = self.record;
        let policy = self.moment.policy;
        let interrupted = journal.holds.contains(&Hold::DownloadInterrupted);
        if journal.wishes.check && !interrupted && self.hold_of_the_account().is_none() {
            return self.at(Duration::from_millis(journal.schedule.poll_gap_ms), AttemptKind::Poll);
        }
        for hold in journal.holds.iter().copied() {
            match hold {
                // It is tried for as long as a job that tells nothing new is asked, and no longer.
                Hold::NoSpace | Hold::DownloadInterrupted if self.is_quiet_to_the_end() => {
                    return Action::WaitForPerson(WaitWhy::Hold(hold));
                }
                Hold::NoSpace => return self.at(policy.space_gap, AttemptKind::Download),
                // Once the job was asked, its fresh address is tried at once.
                Hold::DownloadInterrupted if journal.wishes.check => {
                    return self.at(policy.slow_gap, AttemptKind::Poll);
                }
                Hold::DownloadInterrupted => return self.at(Duration::ZERO, AttemptKind::Download),
                Hold::SignIn
                | Hold::OtherAccount
                | Hold::AccessWithdrawn
                | Hold::Paused
                | Hold::CannotWrite
                | Hold::CheckFailed => return Action::WaitForPerson(WaitWhy::Hold(hold)),
                Hold::RestoredStore | Hold::NoProgress => {}
            }
        }
        if delivery.want == Want::OnRequest {
            return Action::WaitForPerson(WaitWhy::File);
        }
        let Some(job) = knowledge.job() else { return Action::WaitForPerson(WaitWhy::Breach) };
        let service_now = self.facts().map_or(self.moment.now, |f| f.service_time(self.moment.now));
        let gone = job.expires_at.is_some_and(|at| service_now >= at);
        if job.file.is_none() || gone {
            return if self.is_quiet_to_the_end() {
                Action::WaitForPerson(WaitWhy::File)
            } else {
                self.poll_as_quiet()
            };
        }
        let gap = match delivery.failures {
            0 => Duration::ZERO,
            failures => self.look_gap(failures - 1),
        };
        self.at(gap, AttemptKind::Download)
    }
}
