//! Rules broken on purpose, so that the model can be seen to notice (lifecycle.md, invariants).
//!
//! Each rule that keeps the promise has a hook of one line, which asks whether it is broken. Without
//! the feature `mutants` the answer is a constant `false`, and a program holds nothing of it. The
//! feature is enabled by the tests alone; a build of the whole workspace unifies features, so the
//! programs that it makes carry the question, which is answered by *no* outside of [`with`].

/// A rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mutant {
    /// A retry after a loss is sent under another key.
    NewKeyOnRetry,
    /// *Not seen* is believed as *not created*, without a tombstone.
    NotSeenIsNotCreated,
    /// A refusal settles the export although another submit was lost.
    RefusalSettlesLost,
    /// A submit is sent after the retention window.
    SubmitAfterRetention,
    /// The statement that was heard last stands, however old it is.
    OldAnswerOverwrites,
    /// A status that nobody knows is taken as running.
    UnknownIsRunning,
    /// A key is abandoned however old it is.
    AbandonAtAnyAge,
    /// First-Sent is taken anew at each attempt.
    FirstSentAnew,
    /// A copy is offered by the stage that is shown.
    GuardByStage,
    /// A call that was under way when the program ended counts as not sent.
    InterruptedIsNotSent,
    /// A file gets its name whatever its digest is.
    NameUnverified,
}

#[cfg(feature = "mutants")]
mod broken {
    use std::cell::Cell;

    use super::Mutant;

    thread_local! {
        static BROKEN: Cell<Option<Mutant>> = const { Cell::new(None) };
    }

    /// Runs `work` with this rule broken on this thread.
    pub fn with<T>(mutant: Option<Mutant>, work: impl FnOnce() -> T) -> T {
        struct Mend(Option<Mutant>);
        impl Drop for Mend {
            fn drop(&mut self) {
                BROKEN.set(self.0);
            }
        }
        let _mend = Mend(BROKEN.replace(mutant));
        work()
    }

    /// Breaks this rule on this thread for good: for the threads of a runtime, each as it starts.
    pub fn on_this_thread(mutant: Option<Mutant>) {
        BROKEN.set(mutant);
    }

    pub(crate) fn is(mutant: Mutant) -> bool {
        BROKEN.get() == Some(mutant)
    }
}

#[cfg(feature = "mutants")]
pub(crate) use broken::is;
#[cfg(feature = "mutants")]
pub use broken::{on_this_thread, with};

/// Whether this rule is broken.
#[cfg(not(feature = "mutants"))]
pub(crate) const fn is(_: Mutant) -> bool {
    false
}
