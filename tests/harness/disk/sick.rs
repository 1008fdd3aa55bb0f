//! What is wrong with a disk, and when: the part of the shim that decides.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::platter::{Dark, Platter};

/// A call to the system, by what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Bytes go into a file.
    Write,
    /// A file is cut or drawn out.
    Resize,
    /// A file or a folder is made to last.
    Sync,
    /// A file is made, or a folder.
    Create,
    /// A file that is there is opened for writing.
    OpenToWrite,
    /// A file gets another name.
    Rename,
    /// A name is taken away.
    Remove,
    /// Bytes come out of a file.
    Read,
}

impl Op {
    /// Whether the disk is another one after it.
    fn changes(self) -> bool {
        match self {
            Self::Write
            | Self::Resize
            | Self::Sync
            | Self::Create
            | Self::Rename
            | Self::Remove => true,
            Self::OpenToWrite | Self::Read => false,
        }
    }
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// With this number of errno.h, and nothing done.
    With(i32),
    /// It reads or writes half of what it was asked to, and says so.
    Short,
}

/// Which calls fail.
#[derive(Clone, Debug)]
pub struct Fault {
    ops: Vec<Op>,
    of: &'static str,
    skip: u64,
    times: u64,
    failure: Failure,
}

impl Fault {
    /// Every one of these calls fails with this number of errno.h.
    pub fn with(errno: i32, ops: &[Op]) -> Self {
        let failure = Failure::With(errno);
        Self { ops: ops.to_vec(), of: "", skip: 0, times: u64::MAX, failure }
    }

    /// Every one of these does half.
    pub fn short(ops: &[Op]) -> Self {
        Self { failure: Failure::Short, ..Self::with(0, ops) }
    }

    /// No byte goes in and no file is made: the disk is full, and each write needs new room.
    pub fn full() -> Self {
        Self::with(libc::ENOSPC, &[Op::Write, Op::Create])
    }

    /// Nothing changes any more: the system mounted the disk anew, to be read alone.
    pub fn read_only() -> Self {
        let ops = [Op::Write, Op::Resize, Op::Create, Op::OpenToWrite, Op::Rename, Op::Remove];
        Self::with(libc::EROFS, &ops)
    }

    /// Only of files whose path ends so.
    pub fn of(mut self, end: &'static str) -> Self {
        self.of = end;
        self
    }

    /// The first that fails is the n-th that fits.
    pub fn from(mut self, n: u64) -> Self {
        self.skip = n.saturating_sub(1);
        self
    }

    /// Only so many.
    pub fn times(mut self, times: u64) -> Self {
        self.times = times;
        self
    }
}

/// What the door has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Pass,
    Fail(i32),
    Half,
}

pub(super) struct Inner {
    pub(super) folder: PathBuf,
    state: Mutex<State>,
}

impl Inner {
    pub(super) fn new(folder: PathBuf) -> Self {
        let state = Mutex::new(State::new(&folder));
        Self { folder, state }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct State {
    pub(super) platter: Platter,
    pub(super) calls: u64,
    pub(super) syncs: u64,
    pub(super) cut_at: Option<u64>,
    pub(super) cut_at_sync: Option<u64>,
    pub(super) dark: Option<Dark>,
    pub(super) off: tokio::sync::watch::Sender<bool>,
    pub(super) faults: Vec<Fault>,
    pub(super) is_full: bool,
    pub(super) failed: tokio::sync::watch::Sender<u64>,
    pub(super) told: Vec<String>,
}

impl State {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            platter: Platter::of(folder),
            calls: 0,
            syncs: 0,
            cut_at: None,
            cut_at_sync: None,
            dark: None,
            off: tokio::sync::watch::Sender::new(false),
            faults: Vec::new(),
            is_full: false,
            failed: tokio::sync::watch::Sender::new(0),
            told: Vec::new(),
        }
    }

    /// Judges a call that is about to be made. `grows` tells whether it takes more room.
    pub(super) fn judge(&mut self, folder: &Path, op: Op, path: &Path, grows: Grows) -> Verdict {
        if self.dark.is_some() {
            return Verdict::Fail(libc::EIO);
        }
        if op.changes() {
            self.calls += 1;
            self.syncs += u64::from(op == Op::Sync);
            let name = path.strip_prefix(folder).unwrap_or(path);
            self.told.push(format!("{} {op:?} {}", self.calls, name.display()));
            let at_sync = op == Op::Sync && self.cut_at_sync == Some(self.syncs);
            if self.cut_at == Some(self.calls) || at_sync {
                self.cut(folder);
                return Verdict::Fail(libc::EIO);
            }
        }
        if self.is_full && grows == Grows::Yes {
            return self.fails(Failure::With(libc::ENOSPC));
        }
        let fits = |fault: &&mut Fault| {
            fault.ops.contains(&op) && path.to_string_lossy().ends_with(fault.of)
        };
        for fault in self.faults.iter_mut().filter(fits) {
            if fault.skip > 0 {
                fault.skip -= 1;
            } else if fault.times > 0 {
                fault.times -= 1;
                let failure = fault.failure;
                return self.fails(failure);
            }
        }
        Verdict::Pass
    }

    /// Whether the disk says that it is full.
    pub(super) fn has_no_room(&self) -> bool {
        let full = Failure::With(libc::ENOSPC);
        let is_on = |fault: &Fault| {
            fault.failure == full && fault.of.is_empty() && fault.skip == 0 && fault.times > 0
        };
        self.is_full || self.faults.iter().any(is_on)
    }

    fn fails(&mut self, failure: Failure) -> Verdict {
        self.failed.send_modify(|failed| *failed += 1);
        match failure {
            Failure::With(errno) => Verdict::Fail(errno),
            Failure::Short => Verdict::Half,
        }
    }

    /// The power goes: whatever is not on the platter is undecided from now on.
    pub(super) fn cut(&mut self, folder: &Path) {
        if self.dark.is_none() {
            self.told.push("power off".to_owned());
            self.dark = Some(self.platter.darken(folder));
            self.off.send_replace(true);
        }
    }
}

/// Whether a call takes more room on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grows {
    Yes,
    No,
}
