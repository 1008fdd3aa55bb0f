//! `THIRD-PARTY-LICENSES.md`: whose work ships with Docket, and under which terms.
//!
//! Written from what cargo and npm have resolved. The check holds names and terms, not versions: a patch release of a
//! dependency changes no licence, and should not stop anybody.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::{paths, ui};

const HEAD: &str = "\
# Third-party licences

What is built into Docket's programs and its window, by name, version and licence. `cargo xtask licences` writes this
file; the texts are in the packages.

| package | version | licence |
| --- | --- | --- |
";

/// Where Docket runs: the targets of `deny.toml`.
const TARGETS: &[&str] = &[
    "--target=x86_64-unknown-linux-gnu",
    "--target=aarch64-unknown-linux-gnu",
    "--target=x86_64-pc-windows-msvc",
    "--target=aarch64-apple-darwin",
    "--target=x86_64-apple-darwin",
];

/// Prints `name version|licence` for each package of the lock file that is not for development alone.
const WINDOW_PACKAGES: &str = "
const { packages } = JSON.parse(require('node:fs').readFileSync('package-lock.json', 'utf8'));
for (const [path, entry] of Object.entries(packages))
  if (path && !entry.dev && !entry.devOptional && !entry.optional)
    console.log(`${path.split('node_modules/').pop()} ${entry.version}|${entry.license}`);
";

fn file() -> PathBuf {
    paths::root().join("THIRD-PARTY-LICENSES.md")
}

/// Writes the file anew.
pub fn write() -> Result<ExitCode> {
    let rows: Vec<String> = packages()?
        .into_iter()
        .map(|(name, version, licence)| format!("| {name} | {version} | {licence} |\n"))
        .collect();
    std::fs::write(file(), format!("{HEAD}{}", rows.concat()))
        .with_context(|| file().display().to_string())?;
    println!("wrote {}, {} packages", file().display(), rows.len());
    Ok(ExitCode::SUCCESS)
}

/// Holds the committed file against what is resolved now.
pub fn check() -> Result<()> {
    let text = std::fs::read_to_string(file()).with_context(|| file().display().to_string())?;
    let written: BTreeSet<(String, String)> = text
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
            Some((cells.next()?.to_owned(), cells.nth(1)?.to_owned()))
        })
        .skip(2)
        .collect();
    let resolved: BTreeSet<(String, String)> =
        packages()?.into_iter().map(|(name, _, licence)| (name, licence)).collect();
    let changed: Vec<&str> =
        written.symmetric_difference(&resolved).map(|(name, _)| name.as_str()).collect();
    if !changed.is_empty() {
        bail!(
            "THIRD-PARTY-LICENSES.md does not tell of {}: run `cargo xtask licences` and commit it",
            changed.join(", ")
        );
    }
    Ok(())
}

/// Name, version and licence of everything that ships.
fn packages() -> Result<BTreeSet<(String, String, String)>> {
    let mut tree = paths::cargo(&["tree", "--locked", "--edges=normal", "--prefix=none"]);
    tree.args(["--format={p}|{l}", "--package=docket-desktop", "--package=docket"]);
    tree.arg("--package=docket-service").args(TARGETS);
    let mut found: BTreeSet<_> = listed(&mut tree)?
        .lines()
        // Our own crates are named with their folder.
        .filter(|line| !line.contains(" (/") && !line.contains(":\\"))
        .filter_map(package)
        .collect();
    if ui::folder().join("package-lock.json").exists() {
        let mut node = paths::command("node");
        node.current_dir(ui::folder()).args(["--eval", WINDOW_PACKAGES]);
        found.extend(listed(&mut node)?.lines().filter_map(package));
    }
    Ok(found)
}

/// `name v1.2.3 (proc-macro)|MIT (*)`
fn package(line: &str) -> Option<(String, String, String)> {
    let (named, licence) = line.split_once('|')?;
    let mut words = named.split(' ');
    let name = words.next()?;
    let version = words.next()?.trim_start_matches('v');
    let licence = licence.strip_suffix(" (*)").unwrap_or(licence);
    Some((name.to_owned(), version.to_owned(), licence.to_owned()))
}

fn listed(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| command.get_program().display().to_string())?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::package;

    #[test]
    fn both_lists_are_read() {
        let read = |line| package(line).map(|(name, version, licence)| [name, version, licence]);
        let expected = |parts: [&str; 3]| Some(parts.map(str::to_owned));
        assert_eq!(
            read("a v1.0.0 (proc-macro)|MIT OR Zlib (*)"),
            expected(["a", "1.0.0", "MIT OR Zlib"])
        );
        assert_eq!(read("@scope/b 2.0.0|ISC"), expected(["@scope/b", "2.0.0", "ISC"]));
        assert_eq!(read(""), None);
    }
}
