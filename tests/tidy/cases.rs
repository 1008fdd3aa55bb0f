//! `tests/scenarios/CASES.md`: which test holds which case from the field. A map that names tests
//! which are not there is worse than none, so each name in it is looked up.
//!
//! A case is one line: `- **tracker#number** — kind → ` and then tests as `path::name` in backticks,
//! or `does not apply: …`, or `not built yet: …`. Every test of `field/` stands in it.

use crate::tree::Source;

const MAP: &str = "tests/scenarios/CASES.md";
const FIELD: &str = "tests/scenarios/field/";
/// What may stand in the place of tests, with the reason after it.
const REASONS: &[&str] = &["does not apply: ", "not built yet: "];

/// Each case names tests that are there, or says why it has none; each test of `field/` is named.
pub fn map(files: &[Source]) -> Vec<String> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else { return Vec::new() };
    let mut complaints = Vec::new();
    let mut named = Vec::new();
    for (number, line) in map.text.lines().enumerate().filter(|(_, line)| line.starts_with("- ")) {
        let mut complain =
            |sentence: String| complaints.push(format!("{MAP}:{}: {sentence}", number + 1));
        let answer = line.strip_prefix("- **").and_then(|rest| rest.split_once(" → "));
        let Some((_, answer)) = answer else {
            complain("a case is `- **tracker#number** — kind → tests`".to_owned());
            continue;
        };
        if REASONS
            .iter()
            .any(|reason| answer.strip_prefix(reason).is_some_and(|why| !why.is_empty()))
        {
            continue;
        }
        let tests: Vec<&str> =
            answer.split('`').skip(1).step_by(2).filter(|name| name.contains("::")).collect();
        if tests.is_empty() {
            complain("no test and no reason".to_owned());
        }
        for test in tests {
            if !is_there(files, test) {
                complain(format!("there is no test `{test}`"));
            }
            named.push(test);
        }
    }
    complaints.extend(left_out(files, &named));
    complaints
}

fn left_out(files: &[Source], named: &[&str]) -> Vec<String> {
    let field = files.iter().filter(|file| file.path.starts_with(FIELD) && file.is_rust());
    field
        .flat_map(|file| {
            tests_of(file)
                .filter(|name| !named.contains(&format!("{}::{name}", file.path).as_str()))
                .map(|name| file.whole(&format!("`{name}` stands in no line of {MAP}")))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn is_there(files: &[Source], test: &str) -> bool {
    let Some((path, name)) = test.rsplit_once("::") else { return false };
    files.iter().filter(|file| file.path == path).any(|file| {
        if file.is_rust() {
            tests_of(file).any(|found| found == name)
        } else {
            file.text.contains(&format!("'{name}'")) || file.text.contains(&format!("\"{name}\""))
        }
    })
}

/// The functions of a file that carry `#[test]` or the like, by name.
fn tests_of(file: &Source) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = file.code.lines().map(str::trim).collect();
    let is_test = move |at: usize| {
        let above = lines[..at].iter().rev().take_while(|line| {
            line.is_empty() || line.starts_with("#[") || line.ends_with(']') || line.ends_with(')')
        });
        above
            .filter(|line| line.starts_with("#["))
            .any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    };
    file.code.lines().enumerate().filter_map(move |(at, line)| {
        let line = line.trim_start();
        let name = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")?;
        let end = name.find(['(', '<'])?;
        is_test(at).then(|| &name[..end])
    })
}
