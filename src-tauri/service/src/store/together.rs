//! Verbs that wait at the same time share one transaction, and with it one sync.
//!
//! What must stay true: a verb is done whole or not at all (each has a savepoint of its own, so one
//! that fails takes nothing of another with it); they are done one after the other, in the order in
//! which they came; nobody is answered before the commit is on disk.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::StoreError;

/// Verbs in one transaction at most.
const VERBS_MAX: usize = 256;

/// Verbs that wait for the writing connection. Each caller has one here at most.
#[derive(Default)]
pub(super) struct Queue(Mutex<VecDeque<Box<dyn Waiting>>>);

impl Queue {
    /// Puts a verb at the end. Its result comes once it is on disk.
    pub(super) fn push<T, F>(&self, verb: F) -> oneshot::Receiver<Result<T, StoreError>>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let (caller, answer) = oneshot::channel();
        let waiting = Box::new(Verb { verb: Some(verb), result: None, caller });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(waiting);
        answer
    }

    /// Does what waits in one transaction. Nothing may wait any more: another call did it then.
    pub(super) fn run(&self, connection: &mut Connection) {
        let mut verbs: Vec<_> = {
            let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let most = queue.len().min(VERBS_MAX);
            queue.drain(..most).collect()
        };
        if verbs.is_empty() {
            return;
        }
        let committed = together(connection, &mut verbs).map_err(Arc::new);
        for verb in verbs {
            verb.answer(&committed);
        }
    }
}

fn together(connection: &mut Connection, verbs: &mut [Box<dyn Waiting>]) -> Result<(), StoreError> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for verb in verbs {
        step(&tx, "SAVEPOINT verb")?;
        if verb.run(&tx) == Ended::Undone {
            step(&tx, "ROLLBACK TO verb")?;
        }
        // A full disk can take the whole transaction away, and with it what others were promised.
        step(&tx, "RELEASE verb")?;
    }
    Ok(tx.commit()?)
}

fn step(tx: &Transaction<'_>, statement: &'static str) -> Result<(), StoreError> {
    tx.prepare_cached(statement)?.execute([])?;
    Ok(())
}

/// Whether a verb stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Done,
    Undone,
}

/// A verb of whatever result.
trait Waiting: Send {
    fn run(&mut self, tx: &Transaction<'_>) -> Ended;

    fn answer(self: Box<Self>, committed: &Result<(), Arc<StoreError>>);
}

struct Verb<T, F> {
    verb: Option<F>,
    result: Option<Result<T, StoreError>>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Waiting for Verb<T, F>
where
    T: Send,
    F: FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, tx: &Transaction<'_>) -> Ended {
        let verb = self.verb.take().expect("a verb is done once");
        let result = verb(tx);
        let ended = if result.is_ok() { Ended::Done } else { Ended::Undone };
        self.result = Some(result);
        ended
    }

    fn answer(self: Box<Self>, committed: &Result<(), Arc<StoreError>>) {
        let result = match (self.result, committed) {
            // Its own reason says more than that of the transaction.
            (Some(Err(error)), _) => Err(error),
            (Some(Ok(_)) | None, Err(error)) => Err(StoreError::Together(Arc::clone(error))),
            (Some(Ok(done)), Ok(())) => Ok(done),
            (None, Ok(())) => {
                unreachable!("every verb of a transaction that was committed was done")
            }
        };
        // The caller may have gone; what was done is done.
        drop(self.caller.send(result));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn database() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE done (n INTEGER NOT NULL) STRICT").unwrap();
        connection
    }

    fn write(tx: &Transaction<'_>, n: u32) -> Result<u32, StoreError> {
        tx.execute("INSERT INTO done (n) VALUES (?1)", [n])?;
        Ok(n)
    }

    fn done(connection: &Connection) -> Vec<u32> {
        let mut statement = connection.prepare("SELECT n FROM done ORDER BY rowid").unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn verbs_that_wait_share_one_commit_and_no_failure() {
        let (mut connection, queue) = (database(), Queue::default());
        let commits = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&commits);
        let first = Arc::new(Mutex::new(queue.push(|tx| write(tx, 1))));
        let second = queue.push(|tx| write(tx, 2).and(Err::<u32, _>(StoreError::Full)));
        let third = queue.push(|tx| write(tx, 3));
        // Asked just before the commit: nobody has been told anything.
        let seen = Arc::clone(&first);
        let commit = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            // To go through with the commit is to say `false`.
            seen.lock().unwrap().try_recv().is_ok()
        };
        connection.commit_hook(Some(commit)).unwrap();
        queue.run(&mut connection);
        assert_eq!(first.lock().unwrap().try_recv().unwrap().unwrap(), 1);
        assert!(matches!(second.blocking_recv().unwrap(), Err(StoreError::Full)));
        assert_eq!(third.blocking_recv().unwrap().unwrap(), 3);
        assert_eq!(done(&connection), [1, 3], "in the order in which they came");
        assert_eq!(commits.load(Ordering::Relaxed), 1);
        queue.run(&mut connection);
        assert_eq!(commits.load(Ordering::Relaxed), 1, "nothing waits any more");
    }

    #[test]
    fn nobody_is_promised_what_was_not_committed() {
        let (mut connection, queue) = (database(), Queue::default());
        connection.commit_hook(Some(|| true)).unwrap();
        let refused = [queue.push(|tx| write(tx, 1)), queue.push(|tx| write(tx, 2))];
        queue.run(&mut connection);
        for answer in refused {
            assert!(matches!(answer.blocking_recv().unwrap(), Err(StoreError::Together(_))));
        }
        connection.commit_hook(None::<fn() -> bool>).unwrap();
        // As a full disk does.
        let before = queue.push(|tx| write(tx, 3));
        let gone = queue.push(|tx| Ok(tx.execute_batch("ROLLBACK")?));
        let after = queue.push(|tx| write(tx, 4));
        queue.run(&mut connection);
        assert!(matches!(before.blocking_recv().unwrap(), Err(StoreError::Together(_))));
        assert!(matches!(gone.blocking_recv().unwrap(), Err(StoreError::Together(_))));
        assert!(matches!(after.blocking_recv().unwrap(), Err(StoreError::Together(_))));
        assert_eq!(done(&connection), [0; 0]);
        let next = queue.push(|tx| write(tx, 5));
        queue.run(&mut connection);
        assert_eq!(next.blocking_recv().unwrap().unwrap(), 5, "and it goes on");
    }
}
