//! A program with nothing due: no processor time and no wakes, beside one that only sleeps.
//!
//! Ours is `docket run` over a store of settled exports and of others that wait for a person, its
//! service dead. Both programs are watched at the same time.

use std::{process::Stdio, time::Duration};

use docket_tests::{
    filled,
    process::{Spent, spent},
    program::{Ended, ServiceProgram, Terminal},
};
use tokio::process::Command;

use crate::{
    measured::{Bar, Figure, ROUNDS_MIN, Side, Subject},
    place,
};

/// Exports in the store.
const EXPORTS: u32 = 1_000;
/// Rounds, and the length of each: ten seconds in all.
const ROUNDS: usize = ROUNDS_MIN;
const ROUND: Duration = Duration::from_secs(2);
/// Rounds that the program may take to come to rest: threads for what blocks end after ten idle
/// seconds, and a look whose time had come is made first.
const SETTLING_MAX: usize = 30;

/// Watches both.
pub async fn run() -> Vec<Figure> {
    let folder = place::folder();
    let service = ServiceProgram::start(folder.path(), &[]).await;
    let terminal = Terminal::at(folder.path());
    terminal.add_service(&service.url).await;
    export(&terminal, "2026-11-01", "2026-11-07").await.with_code(0);
    let terminal = terminal.with_token(None);
    export(&terminal, "2026-10-01", "2026-10-07").await.with_code(8);
    service.kill().await;
    filled::exports(&terminal.home(), EXPORTS, 60_000, |_| Vec::new());
    let mut docket = terminal.command(["run"]);
    docket.stdout(Stdio::null()).stderr(Stdio::null());
    let mut docket = docket.spawn().expect("docket starts");
    let mut sleeper = Command::new("sleep").arg("1000").spawn().expect("there is `sleep`");
    let pids = [&docket, &sleeper].map(|child| child.id().expect("it runs"));
    let read = || pids.map(|pid| spent(pid).expect("it runs"));
    for _ in 0..SETTLING_MAX {
        let before = read()[0];
        place::pass(ROUND).await;
        if read()[0] == before {
            break;
        }
    }
    let (mut ticks, mut wakes) =
        ([Side::default(), Side::default()], [Side::default(), Side::default()]);
    let mut before = read();
    for _ in 0..ROUNDS {
        place::pass(ROUND).await;
        let after = read();
        for (at, (after, before)) in after.iter().zip(&before).enumerate() {
            let Spent { ticks: t, wakes: w } = after.since(*before);
            ticks[at].round(vec![count(t)]);
            wakes[at].round(vec![count(w)]);
        }
        before = after;
    }
    docket.kill().await.expect("it can be ended");
    sleeper.kill().await.expect("it can be ended");
    let subject = |figure: &str, unit| Subject {
        bench: "idle",
        figure: format!("{figure} in {} s, nothing due", ROUND.as_secs()),
        unit,
        ours: format!("docket run, {EXPORTS} exports settled or waiting for a person"),
        bare: "sleep 1000".to_owned(),
    };
    let none = Bar::EachAtMost(0.0);
    vec![
        Figure::of_pair(subject("processor", "ticks"), none, &ticks[0], &ticks[1]),
        Figure::of_pair(subject("wakes", "wakes"), none, &wakes[0], &wakes[1]),
    ]
}

/// Requests a report to its end.
async fn export(terminal: &Terminal, from: &str, to: &str) -> Ended {
    let (from, to) = (format!("from={from}"), format!("to={to}"));
    terminal.run(["export", "orders", "-p", &from, "-p", &to]).await
}

fn count(number: u64) -> f64 {
    number as f64
}
