//! What the system says of a process: its memory, its processor time, its wakes, its connections.
//! Linux alone tells.

use std::{fs, net::SocketAddr};

/// Processor time and wakes of a process so far, over all of its threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Time in the processor, in the system's ticks (a hundredth of a second).
    pub ticks: u64,
    /// How often one of its threads began to run again after it had waited: for a timer, a socket, a
    /// file, another thread.
    pub wakes: u64,
}

impl Spent {
    /// What was spent since. A thread that ended took its wakes with it.
    pub fn since(self, before: Self) -> Self {
        Self {
            ticks: self.ticks.saturating_sub(before.ticks),
            wakes: self.wakes.saturating_sub(before.wakes),
        }
    }
}

/// What a process has spent so far; None where it has ended.
pub fn spent(process: u32) -> Option<Spent> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may hold anything; what follows it is numbers.
    let after: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let (user, system): (u64, u64) = (after.get(11)?.parse().ok()?, after.get(12)?.parse().ok()?);
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let wakes = threads
        .map_while(Result::ok)
        .filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok())
        .filter_map(|status| field(&status, "voluntary_ctxt_switches:"))
        .sum();
    Some(Spent { ticks: user + system, wakes })
}

/// The most memory that a process has held so far, in kilobytes.
pub fn high_water_kb(process: u32) -> Option<u64> {
    field(&fs::read_to_string(format!("/proc/{process}/status")).ok()?, "VmHWM:")
}

/// How many connections to this address are open on this computer, as their callers see it.
pub fn connections_to(address: SocketAddr) -> Option<usize> {
    let SocketAddr::V4(address) = address else { return None };
    let number = u32::from_le_bytes(address.ip().octets());
    let remote = format!("{number:08X}:{:04X}", address.port());
    let table = fs::read_to_string("/proc/net/tcp").ok()?;
    let open = table.lines().skip(1).filter(|line| {
        let mut columns = line.split_whitespace().skip(2);
        // 01 is ESTABLISHED.
        columns.next() == Some(remote.as_str()) && columns.next() == Some("01")
    });
    Some(open.count())
}

fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
