//! Which way the house depends: between crates by their manifests, between the engine's modules by what they name.

use crate::lex::{closing, name_at, words};
use crate::tree::Source;

/// What each crate may use of the others.
const CRATES: &[(&str, &[&str])] = &[
    ("docket-wire", &[]),
    ("docket-engine", &["docket-wire"]),
    ("docket-service", &["docket-wire", "docket-engine"]),
    ("docket", &["docket-engine", "docket-service"]),
    ("docket-desktop", &["docket-engine", "docket-service"]),
    ("docket-tests", &["docket-wire", "docket-engine", "docket-service"]),
    ("xtask", &[]),
];

/// What the service may use of the engine, to ask another service in its turn.
const ENGINE_FOR_THE_SERVICE: &[&str] = &["knowledge", "plan", "policy", "connector"];

const ENGINE: &str = "src-tauri/engine/src/";

/// What every module may name: the words that the others are made of.
const GROUND: &str = "attempt capabilities clock export mutants secret";
/// What is known, wished and computed of one export, on the ground.
const EXPORT: &str = "delivery journal knowledge policy stage record";

/// What each module of the engine may name besides the ground. A new module finds its place here first.
const MODULES: &[(&str, &[&str])] = &[
    ("attempt", &[]),
    ("capabilities", &[]),
    ("clock", &[]),
    ("export", &[]),
    ("mutants", &[]),
    ("secret", &[]),
    ("delivery", &[]),
    ("journal", &[]),
    ("knowledge", &[]),
    ("policy", &["journal knowledge"]),
    ("stage", &["delivery journal knowledge policy"]),
    ("record", &["delivery journal knowledge stage"]),
    ("plan", &[EXPORT]),
    ("store", &[EXPORT, "lasting"]),
    ("connector", &[EXPORT]),
    ("download", &[EXPORT, "connector file_name lasting"]),
    ("error", &["plan store view"]),
    ("trace", &[]),
    ("file_name", &[]),
    ("lasting", &[]),
    ("desk", &[EXPORT, "plan store connector secrets view error trace"]),
    ("reconciler", &[EXPORT, "plan store connector download desk error trace"]),
    ("secrets", &["view"]),
    ("words", &[EXPORT, "view"]),
    ("settings", &["policy words"]),
    ("view", &[EXPORT, "plan file_name"]),
    ("service_profile", &[EXPORT, "store"]),
    ("conform", &[EXPORT, "connector"]),
    ("checks", &[EXPORT, "connector view"]),
    ("log", &[]),
    ("diagnostics", &[EXPORT, "store view words"]),
    (
        "engine",
        &[
            EXPORT,
            "plan store connector download reconciler",
            "secrets words settings view service_profile conform diagnostics checks log",
            "desk error trace",
        ],
    ),
];

/// What is pure: no I/O, no clock, no chance.
const PURE: &[&str] = &["knowledge", "stage", "plan", "policy", "journal", "delivery", "record"];
const IMPURE: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::sync",
    "SystemTime",
    "Instant",
    "tokio",
    "reqwest",
    "rusqlite",
    "getrandom",
    "async",
    "tracing",
];

/// The crates' manifests name only what lies below them.
pub fn crates(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (file, manifest) in manifests(files) {
        let Some(name) =
            manifest.get("package").and_then(|p| p.get("name")).and_then(|n| n.as_str())
        else {
            continue;
        };
        let Some((_, allowed)) = CRATES.iter().find(|(known, _)| *known == name) else {
            complaints.push(file.whole("give this crate its place in tests/tidy/arrows.rs"));
            continue;
        };
        for used in dependencies(&manifest) {
            let ours = CRATES.iter().any(|(known, _)| *known == used);
            if ours && !allowed.contains(&used.as_str()) {
                complaints.push(file.whole(&format!("{name} may not depend on {used}")));
            }
            if used.starts_with("tauri") && name != "docket-desktop" {
                complaints.push(file.whole("only docket-desktop knows Tauri"));
            }
            if matches!(used.as_str(), "reqwest" | "hyper" | "ureq")
                && matches!(name, "docket" | "docket-desktop")
            {
                complaints
                    .push(file.whole(&format!("{used}: only the engine speaks to a service")));
            }
        }
    }
    complaints
}

fn manifests(files: &[Source]) -> impl Iterator<Item = (&Source, toml::Table)> {
    files
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml"))
        .map(|file| (file, file.text.parse().expect("a manifest is TOML")))
}

/// Every dependency of a manifest, of whatever kind and target.
fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in manifest {
        let Some(table) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            found.extend(table.keys().cloned());
        } else if key == "target" {
            found.extend(table.values().filter_map(toml::Value::as_table).flat_map(dependencies));
        }
    }
    found
}

/// The engine's modules name only what lies below them: the store and the connector never meet.
pub fn modules(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let Some(module) = engine_module(&file.path) else { continue };
        if module == "lib" {
            continue;
        }
        let Some((_, allowed)) = MODULES.iter().find(|(known, _)| *known == module) else {
            complaints.push(file.whole("give this module its place in tests/tidy/arrows.rs"));
            continue;
        };
        for (at, used) in named(&file.code, "crate::") {
            let below = allowed
                .iter()
                .chain([&GROUND])
                .any(|group| group.split(' ').any(|one| one == used));
            if used != module && !below {
                complaints.push(file.at(at, &format!("{module} may not name crate::{used}")));
            }
        }
    }
    complaints
}

/// `super` at the top of a module is the crate's root under another name: it would slip past the arrows.
pub fn roots(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let Some(inside) = file.path.strip_prefix(ENGINE) else { continue };
        let depth = inside.matches('/').count();
        let top = depth == 0 || (depth == 1 && inside.ends_with("/mod.rs"));
        let inner: Vec<(usize, usize)> = words(&file.code, "mod")
            .into_iter()
            .filter_map(|at| Some(at + file.code[at..].find(['{', ';'])?))
            .filter(|open| file.code[*open..].starts_with('{'))
            .map(|open| (open, closing(&file.code, open)))
            .collect();
        for at in words(&file.code, "super::") {
            let nested = inner.iter().any(|(open, close)| (*open..*close).contains(&at));
            let twice = file.code[at..].starts_with("super::super::");
            if twice || (top && !nested) {
                complaints.push(file.at(at, "name the module from `crate::`"));
            }
        }
    }
    complaints
}

fn engine_module(path: &str) -> Option<&str> {
    let inside = path.strip_prefix(ENGINE)?;
    inside.split('/').next().map(|first| first.strip_suffix(".rs").unwrap_or(first))
}

/// The names that follow `prefix`, alone or in braces.
fn named(code: &str, prefix: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for at in words(code, prefix) {
        let start = at + prefix.len();
        if !code[start..].starts_with('{') {
            found.push((at, name_at(code, start).to_owned()));
            continue;
        }
        let (mut depth, mut fresh) = (0_usize, true);
        for (offset, byte) in code[start..].bytes().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => break,
                b'}' => depth -= 1,
                b',' if depth == 1 => fresh = true,
                _ if fresh && !byte.is_ascii_whitespace() => {
                    found.push((start + offset, name_at(code, start + offset).to_owned()));
                    fresh = false;
                }
                _ => {}
            }
        }
    }
    found
}

/// The service asks other services with the engine's connector, and knows nothing else of it.
pub fn service(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("src-tauri/service/src/")) {
        for (at, used) in named(&file.code, "docket_engine::") {
            if !ENGINE_FOR_THE_SERVICE.contains(&used.as_str()) {
                complaints
                    .push(file.at(at, &format!("the service may not name docket_engine::{used}")));
            }
        }
    }
    complaints
}

/// The pure files stay pure.
pub fn pure(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        if !engine_module(&file.path).is_some_and(|module| PURE.contains(&module)) {
            continue;
        }
        for word in IMPURE {
            for at in words(&file.code, word) {
                complaints.push(file.at(at, &format!("`{word}` in a pure file")));
            }
        }
        // `use std::{fs, net}` names them without the path in one piece.
        for (at, used) in named(&file.code, "std::") {
            if IMPURE.contains(&format!("std::{used}").as_str()) {
                complaints.push(file.at(at, &format!("`std::{used}` in a pure file")));
            }
        }
    }
    complaints
}

/// Only `connector/` and `download.rs` know the HTTP client.
pub fn http(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let knows = matches!(engine_module(&file.path), None | Some("connector" | "download"));
        for at in words(&file.code, "reqwest") {
            if !knows {
                complaints.push(file.at(at, "only connector/ and download.rs know reqwest"));
            }
        }
    }
    complaints
}

/// Only folders named `store` hold SQL.
pub fn sql(files: &[Source]) -> Vec<String> {
    const STATEMENTS: &[&str] = &[
        "SELECT ",
        "INSERT INTO",
        "INSERT OR",
        "UPDATE ",
        "DELETE FROM",
        "CREATE TABLE",
        "CREATE INDEX",
        "ALTER TABLE",
        "DROP TABLE",
        "PRAGMA ",
        "BEGIN IMMEDIATE",
        "VACUUM",
    ];
    let mut complaints = Vec::new();
    for file in files {
        // The tests look into both databases: that is their work.
        if !file.path.starts_with("src-tauri/")
            || file.path.contains("/store/")
            || file.path.contains("/tests/")
        {
            continue;
        }
        if file.path.ends_with(".sql") {
            complaints.push(file.whole("a schema lies in a store's folder"));
        }
        for at in ["rusqlite", "rusqlite_migration"].iter().flat_map(|name| words(&file.code, name))
        {
            complaints.push(file.at(at, "only store/ knows rusqlite"));
        }
        for literal in if file.is_rust() { crate::lex::literals(&file.text) } else { Vec::new() } {
            let said = literal.text.trim_start();
            if STATEMENTS.iter().any(|statement| said.starts_with(statement)) {
                complaints.push(file.at(literal.at, "only store/ holds SQL"));
            }
        }
    }
    complaints
}
