//! The system's own door: the calls of libc that reach a file, looked at before they are let through.
//!
//! A program's own function goes before libc's of the same name (ELF, symbol resolution of the main
//! program), so whatever this program does with a file comes through here: the standard library's
//! calls, SQLite's, and those of crates that go through libc. What is not below a sick disk's folder
//! is handed on at once. `unsafe` is allowed in this one file, since a function of libc has no other
//! shape; each hands its arguments on as they came.
#![expect(unsafe_code, reason = "the functions of libc are these")]

use std::{
    cell::Cell,
    ffi::{CStr, OsStr},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use libc::{c_char, c_int, c_long, c_uint, c_void, iovec, mode_t, off_t, size_t, ssize_t};

use super::sick::{Grows, Inner, Op, State, Verdict};

static HUNG: AtomicBool = AtomicBool::new(false);
static DISKS: RwLock<Vec<Arc<Inner>>> = RwLock::new(Vec::new());

thread_local! {
    /// What this thread does now is the shim's own affair.
    static UNSEEN: Cell<bool> = const { Cell::new(false) };
}

/// Looks from now on at what is done below the folder of this disk.
pub(super) fn hang(disk: &Arc<Inner>) {
    DISKS.write().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(disk));
    HUNG.store(true, Ordering::SeqCst);
}

/// And no longer.
pub(super) fn take_down(disk: &Arc<Inner>) {
    let mut disks = DISKS.write().unwrap_or_else(PoisonError::into_inner);
    disks.retain(|hung| !Arc::ptr_eq(hung, disk));
}

/// Does something that is not looked at.
pub(super) fn unseen<T>(work: impl FnOnce() -> T) -> T {
    let before = UNSEEN.replace(true);
    let done = work();
    UNSEEN.set(before);
    done
}

/// The disk that this path lies on.
fn disk_of(path: &Path) -> Option<Arc<Inner>> {
    let disks = DISKS.read().unwrap_or_else(PoisonError::into_inner);
    let theirs = disks.iter().filter(|disk| path.starts_with(&disk.folder));
    // Of a disk on a disk the inner one is meant.
    theirs.max_by_key(|disk| disk.folder.as_os_str().len()).cloned()
}

fn is_looked_at() -> bool {
    HUNG.load(Ordering::Relaxed) && !UNSEEN.get()
}

/// Where an open file lies.
fn path_of(fd: c_int) -> Option<PathBuf> {
    let link = format!("/proc/self/fd/{fd}\0");
    let mut path = [0_u8; 4096];
    // SAFETY: the link ends with a zero; the system writes no more than the length that is given.
    let length =
        unsafe { libc::readlink(link.as_ptr().cast(), path.as_mut_ptr().cast(), path.len()) };
    let length = usize::try_from(length).ok()?;
    Some(Path::new(OsStr::from_bytes(&path[..length])).to_owned())
}

/// A name as a call gives it: whole, or from the folder that the program is in.
fn path_at(folder: c_int, name: *const c_char) -> Option<PathBuf> {
    // SAFETY: whoever makes the call gives a string that ends with a zero.
    let name = unsafe { CStr::from_ptr(name) };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    (path.is_absolute() || folder == libc::AT_FDCWD).then(|| path.to_owned())
}

/// The open file's inode and length.
fn inode_and_length(fd: c_int) -> (u64, u64) {
    // SAFETY: all zeros are a value of this structure, and it is the system's to fill.
    let mut found: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    let failed = unsafe { libc::fstat(fd, &raw mut found) } != 0;
    if failed { (0, 0) } else { (found.st_ino, u64::try_from(found.st_size).unwrap_or(0)) }
}

fn errno() -> c_int {
    // SAFETY: the number of this thread, always there.
    unsafe { *libc::__errno_location() }
}

fn refuse(errno: c_int) -> c_long {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
    -1
}

/// Looks at a call on an open file and makes it. `real` is given what is to be done: all, or half.
fn on_file(
    fd: c_int,
    op: Op,
    grows: impl FnOnce(u64) -> Grows,
    real: impl FnOnce(How) -> c_long,
    after: impl FnOnce(&mut State, u64, c_long),
) -> c_long {
    if !is_looked_at() {
        return real(How::Whole);
    }
    let Some(path) = path_of(fd) else { return real(How::Whole) };
    let Some(disk) = disk_of(&path) else { return real(How::Whole) };
    unseen(|| {
        let (inode, length) = inode_and_length(fd);
        let mut state = disk.state();
        let done = match state.judge(&disk.folder, op, &path, grows(length)) {
            Verdict::Pass => real(How::Whole),
            Verdict::Half => real(How::Half),
            Verdict::Fail(errno) => refuse(errno),
        };
        let told = errno();
        after(&mut state, inode, done);
        drop(state);
        if done < 0 { refuse(told) } else { done }
    })
}

/// The same of a call that names a file.
fn on_name(
    path: Option<PathBuf>,
    op: impl FnOnce(&Path) -> Option<Op>,
    before: impl FnOnce(&mut State, &Path),
    real: impl FnOnce() -> c_long,
    after: impl FnOnce(&mut State, c_long),
) -> c_long {
    let Some(path) = path.filter(|_| is_looked_at()) else { return real() };
    let Some(disk) = disk_of(&path) else { return real() };
    unseen(|| {
        let op = op(&path);
        let mut state = disk.state();
        let grows = if op == Some(Op::Create) { Grows::Yes } else { Grows::No };
        let verdict = match op {
            Some(op) => state.judge(&disk.folder, op, &path, grows),
            None if state.dark.is_some() => Verdict::Fail(libc::EIO),
            None => Verdict::Pass,
        };
        let done = match verdict {
            Verdict::Pass | Verdict::Half => {
                before(&mut state, &path);
                real()
            }
            Verdict::Fail(errno) => refuse(errno),
        };
        let told = errno();
        after(&mut state, done);
        drop(state);
        if done < 0 { refuse(told) } else { done }
    })
}

/// How much of a call is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Whole,
    Half,
}

impl How {
    fn of(self, count: size_t) -> size_t {
        match self {
            Self::Whole => count,
            Self::Half => count.div_ceil(2),
        }
    }
}

fn put(fd: c_int, at: Option<off_t>, count: size_t, real: impl FnOnce(How) -> c_long) -> c_long {
    // SAFETY: asks where the file is, and moves nothing.
    let place = || at.unwrap_or_else(|| unsafe { libc::lseek(fd, 0, libc::SEEK_CUR) });
    let start = if is_looked_at() { u64::try_from(place()).unwrap_or(0) } else { 0 };
    let grows = |length| if start + count as u64 > length { Grows::Yes } else { Grows::No };
    on_file(fd, Op::Write, grows, real, |state, inode, done| {
        if let Ok(bytes) = usize::try_from(done) {
            state.platter.written(inode, start, bytes);
        }
    })
}

fn resize(fd: c_int, length: off_t) -> c_int {
    let wanted = u64::try_from(length).unwrap_or(0);
    let grows = |now| if wanted > now { Grows::Yes } else { Grows::No };
    // SAFETY: the arguments as they came.
    let real = |_| unsafe { libc::syscall(libc::SYS_ftruncate, fd, length) };
    on_file(fd, Op::Resize, grows, real, |_, _, _| {}) as c_int
}

fn sync(fd: c_int, call: c_long) -> c_int {
    // SAFETY: the arguments as they came.
    let real = |_| unsafe { libc::syscall(call, fd) };
    let done = on_file(
        fd,
        Op::Sync,
        |_| Grows::No,
        real,
        |state, inode, done| {
            if state.dark.is_some() {
                return;
            }
            let Some(path) = path_of(fd) else { return };
            if path.is_dir() {
                if done == 0 {
                    state.platter.folder_synced(&path);
                }
                return;
            }
            // By its number and not by its name, which may be gone.
            let shown = std::fs::read(format!("/proc/self/fd/{fd}")).unwrap_or_default();
            if done == 0 {
                state.platter.synced(inode, shown);
            } else {
                state.platter.sync_failed(inode, &shown);
            }
        },
    );
    done as c_int
}

fn open_at(folder: c_int, name: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    // SAFETY: the arguments as they came.
    let real = || unsafe { libc::syscall(libc::SYS_openat, folder, name, flags, mode) };
    let path = if is_looked_at() { path_at(folder, name) } else { None };
    let creates = Cell::new(false);
    let op = |path: &Path| {
        let writes = flags & libc::O_ACCMODE != libc::O_RDONLY;
        let found = std::fs::symlink_metadata(path);
        match found {
            Err(_) if flags & libc::O_CREAT != 0 => {
                creates.set(true);
                Some(Op::Create)
            }
            Ok(found) if writes && flags & libc::O_TRUNC != 0 && found.len() > 0 => {
                Some(Op::Resize)
            }
            Ok(_) if writes => Some(Op::OpenToWrite),
            Ok(_) | Err(_) => None,
        }
    };
    let made = |state: &mut State, fd: c_long| {
        if creates.get() && fd >= 0 {
            state.platter.made(inode_and_length(fd as c_int).0);
        }
    };
    on_name(path, op, |_, _| {}, real, made) as c_int
}

fn rename_at(
    (from_folder, from): (c_int, *const c_char),
    (to_folder, to): (c_int, *const c_char),
    flags: c_uint,
) -> c_int {
    let call = libc::SYS_renameat2;
    // SAFETY: the arguments as they came.
    let real = || unsafe { libc::syscall(call, from_folder, from, to_folder, to, flags) };
    let path = if is_looked_at() { path_at(to_folder, to) } else { None };
    let before = |state: &mut State, to: &Path| {
        if flags == 0 {
            state.platter.leaving(to);
        }
    };
    on_name(path, |_| Some(Op::Rename), before, real, |_, _| {}) as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn write(fd: c_int, bytes: *const c_void, count: size_t) -> ssize_t {
    let call = libc::SYS_write;
    // SAFETY: the arguments as they came.
    let real = |how: How| unsafe { libc::syscall(call, fd, bytes, how.of(count)) };
    put(fd, None, count, real) as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pwrite64(
    fd: c_int,
    bytes: *const c_void,
    count: size_t,
    at: off_t,
) -> ssize_t {
    let call = libc::SYS_pwrite64;
    // SAFETY: the arguments as they came.
    let real = |how: How| unsafe { libc::syscall(call, fd, bytes, how.of(count), at) };
    put(fd, Some(at), count, real) as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn writev(fd: c_int, pieces: *const iovec, count: c_int) -> ssize_t {
    // SAFETY: whoever makes the call gives so many pieces.
    let length = (0..count).map(|at| unsafe { (*pieces.offset(at as isize)).iov_len }).sum();
    // SAFETY: the arguments as they came; half of it is its first piece.
    let real = |how| unsafe {
        let count = if how == How::Half { count.min(1) } else { count };
        libc::syscall(libc::SYS_writev, fd, pieces, count)
    };
    put(fd, None, length, real) as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn read(fd: c_int, bytes: *mut c_void, count: size_t) -> ssize_t {
    let call = libc::SYS_read;
    // SAFETY: the arguments as they came.
    let real = |how: How| unsafe { libc::syscall(call, fd, bytes, how.of(count)) };
    on_file(fd, Op::Read, |_| Grows::No, real, |_, _, _| {}) as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pread64(fd: c_int, bytes: *mut c_void, count: size_t, at: off_t) -> ssize_t {
    let call = libc::SYS_pread64;
    // SAFETY: the arguments as they came.
    let real = |how: How| unsafe { libc::syscall(call, fd, bytes, how.of(count), at) };
    on_file(fd, Op::Read, |_| Grows::No, real, |_, _, _| {}) as ssize_t
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftruncate64(fd: c_int, length: off_t) -> c_int {
    resize(fd, length)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fsync(fd: c_int) -> c_int {
    sync(fd, libc::SYS_fsync)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fdatasync(fd: c_int) -> c_int {
    sync(fd, libc::SYS_fdatasync)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn open64(name: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(libc::AT_FDCWD, name, flags, mode)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn open(name: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    open_at(libc::AT_FDCWD, name, flags, mode)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    rename_at((libc::AT_FDCWD, from), (libc::AT_FDCWD, to), 0)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn renameat2(
    from_folder: c_int,
    from: *const c_char,
    to_folder: c_int,
    to: *const c_char,
    flags: c_uint,
) -> c_int {
    rename_at((from_folder, from), (to_folder, to), flags)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn unlink(name: *const c_char) -> c_int {
    // SAFETY: the arguments as they came.
    let real = || unsafe { libc::syscall(libc::SYS_unlinkat, libc::AT_FDCWD, name, 0) };
    let path = if is_looked_at() { path_at(libc::AT_FDCWD, name) } else { None };
    let leaving = |state: &mut State, path: &Path| state.platter.leaving(path);
    on_name(path, |_| Some(Op::Remove), leaving, real, |_, _| {}) as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mkdir(name: *const c_char, mode: mode_t) -> c_int {
    // SAFETY: the arguments as they came.
    let real = || unsafe { libc::syscall(libc::SYS_mkdirat, libc::AT_FDCWD, name, mode) };
    let path = if is_looked_at() { path_at(libc::AT_FDCWD, name) } else { None };
    let op = |path: &Path| (!path.exists()).then_some(Op::Create);
    on_name(path, op, |_, _| {}, real, |_, _| {}) as c_int
}

#[unsafe(no_mangle)]
unsafe extern "C" fn statvfs64(name: *const c_char, found: *mut libc::statvfs) -> c_int {
    // SAFETY: the arguments as they came, to the same function by its other name.
    let done = unsafe { libc::statvfs(name, found) };
    let path = if is_looked_at() { path_at(libc::AT_FDCWD, name) } else { None };
    let disk = path.and_then(|path| disk_of(&path));
    if done == 0 && disk.is_some_and(|disk| disk.state().has_no_room()) {
        // SAFETY: the call went well, so it is there and filled.
        unsafe {
            (*found).f_bavail = 0;
            (*found).f_bfree = 0;
        }
    }
    done
}
