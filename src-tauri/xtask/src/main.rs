//! The commands a person types at the root of the tree: `cargo xtask run`, `cargo xtask test` and their kin.
//!
//! It is what a fresh machine compiles first, so it depends on next to nothing. It installs what is missing, then calls
//! cargo, npm and the system's own programs; it decides nothing that those can decide.

mod bench;
mod bindings;
mod counts;
mod licences;
mod machine;
mod paths;
mod report;
mod run;
mod soak;
mod test;
mod tools;
mod ui;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask run [ARGS]      install what is missing, build Docket and open it with the practice service;
                            with no display, the same job in the terminal
cargo xtask test [--verbose]
                            install what is missing and check everything that CI checks
cargo xtask test --soak N [--from S]
                            play N seeds of the simulation, from seed S on
cargo xtask test --seed S   play one seed again and print its timeline
cargo xtask bench [NAME]... [--json FILE]
                            measure what Docket is held to, each against the bare thing; NAME is one of click, list,
                            download, confirming, idle, submits
cargo xtask bindings        write ui/src/lib/bindings.ts from the types that cross to the window
cargo xtask licences        write THIRD-PARTY-LICENSES.md from what is built in
cargo xtask help            this page
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let done = match command.as_deref() {
        Some("run") => run::run(&rest),
        Some("test") => test::test(&rest),
        Some("bench") => bench::bench(&rest),
        Some("bindings") => bindings::write(),
        Some("licences") => licences::write(),
        None | Some("help" | "-h" | "--help") => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => {
            eprint!("cargo xtask knows no `{other}`.\n\n{HELP}");
            Ok(ExitCode::from(2))
        }
    };
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::FAILURE
    })
}
