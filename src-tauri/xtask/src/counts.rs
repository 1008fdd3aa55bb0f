//! How many tests passed and failed, read from a JUnit file: nextest and vitest both write one.

use std::path::Path;

use anyhow::{Context, Result};

/// What a run of tests came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u32,
    pub failed: u32,
}

/// Reads the totals off the `testsuites` element.
pub fn read(path: &Path) -> Result<Counts> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("no counts: {} is not there", path.display()))?;
    parse(&text).with_context(|| format!("no counts in {}", path.display()))
}

fn parse(text: &str) -> Option<Counts> {
    let element = text.split("<testsuites").nth(1)?.split('>').next()?;
    let total = attribute(element, "tests")?;
    let failed = attribute(element, "failures")? + attribute(element, "errors").unwrap_or(0);
    // Only the suites say what was skipped. A skipped test has not passed.
    let skipped: u32 =
        text.split("<testsuite ").skip(1).filter_map(|suite| attribute(suite, "skipped")).sum();
    Some(Counts { passed: total.saturating_sub(failed + skipped), failed })
}

fn attribute(element: &str, name: &str) -> Option<u32> {
    let start = format!(" {name}=\"");
    element.split(&start).nth(1)?.split('"').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Counts, parse};

    #[test]
    fn nextest_and_vitest_files_are_counted() {
        let nextest = r#"<?xml version="1.0"?><testsuites name="nextest-run" tests="3" failures="1" errors="0" uuid="7">
            <testsuite name="a" tests="3" disabled="0" errors="0" failures="1">"#;
        assert_eq!(parse(nextest), Some(Counts { passed: 2, failed: 1 }));
        let vitest = r#"<testsuites name="vitest tests" tests="5" failures="0" errors="0" time="0.1">
            <testsuite name="a.test.ts" tests="5" failures="0" errors="0" skipped="2" time="0.1">"#;
        assert_eq!(parse(vitest), Some(Counts { passed: 3, failed: 0 }));
    }

    #[test]
    fn a_file_without_totals_counts_nothing() {
        assert_eq!(parse("<html>"), None);
        assert_eq!(parse(r#"<testsuites name="x">"#), None);
    }
}
