//! The laws of the house, held against the tree.
//!
//! Each test does two things: it breaks its law on purpose, in a file that is not there, and sees the law complain;
//! then it holds the law against every file that is. A law that cannot go red guards nothing.

#[path = "tidy/arrows.rs"]
mod arrows;
#[path = "tidy/cases.rs"]
mod cases;
#[path = "tidy/lex.rs"]
mod lex;
#[path = "tidy/places.rs"]
mod places;
#[path = "tidy/shape.rs"]
mod shape;
#[path = "tidy/tree.rs"]
mod tree;
#[path = "tidy/window.rs"]
mod window;

use tree::Source;

type Law = fn(&[Source]) -> Vec<String>;

/// The law complains of these files.
fn breaks(law: Law, files: &[(&str, &str)]) {
    assert!(!complaints(law, files).is_empty(), "the law says nothing of {files:?}");
}

/// The law says nothing of these files.
fn allows(law: Law, files: &[(&str, &str)]) {
    assert_eq!(complaints(law, files), Vec::<String>::new());
}

fn complaints(law: Law, files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
    law(&files)
}

/// The tree keeps the law.
fn holds(law: Law) {
    let complaints = law(&tree::files());
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn crates_depend_downwards_and_only_the_window_knows_tauri() {
    let cli = |line: &str| format!("[package]\nname = \"docket\"\n[dependencies]\n{line}\n");
    for line in ["tauri = \"2\"", "reqwest = \"0\"", "docket-desktop.workspace = true"] {
        breaks(arrows::crates, &[("src-tauri/cli/Cargo.toml", &cli(line))]);
    }
    let nested = "[package]\nname = \"docket-wire\"\n[target.'cfg(unix)'.dev-dependencies]\ndocket-engine = \"1\"\n";
    breaks(arrows::crates, &[("src-tauri/wire/Cargo.toml", nested)]);
    breaks(arrows::crates, &[("src-tauri/new/Cargo.toml", "[package]\nname = \"docket-new\"\n")]);
    allows(arrows::crates, &[("src-tauri/cli/Cargo.toml", &cli("docket-engine.workspace = true"))]);
    holds(arrows::crates);
}

#[test]
fn modules_of_the_engine_depend_downwards() {
    let engine = |module: &str| format!("src-tauri/engine/src/{module}");
    for (module, text) in [
        ("store/mod.rs", "use crate::connector::Job;"),
        ("connector/native.rs", "use crate::{export::Export, store::{Store, x}};"),
        ("knowledge.rs", "fn f() -> crate::plan::Action {}"),
        ("clock.rs", "use crate::{\n    engine::Engine,\n};"),
        ("reconciler.rs", "use crate::engine::Engine;"),
        ("plan.rs", "use crate::Export;"),
        ("unheard_of.rs", "use crate::export::Export;"),
    ] {
        breaks(arrows::modules, &[(&engine(module), text)]);
    }
    allows(
        arrows::modules,
        &[(&engine("store/mod.rs"), "// crate::connector\nuse crate::{export::Export, stage};")],
    );
    allows(arrows::modules, &[(&engine("lib.rs"), "pub use crate::engine::Engine;")]);
    holds(arrows::modules);

    breaks(arrows::roots, &[(&engine("store/mod.rs"), "use super::connector::Job;")]);
    breaks(arrows::roots, &[(&engine("store/export.rs"), "use super::super::connector::Job;")]);
    allows(arrows::roots, &[(&engine("plan.rs"), "mod tests { use super::Action; }")]);
    holds(arrows::roots);
}

#[test]
fn the_service_knows_little_of_the_engine() {
    let service = |text| [("src-tauri/service/src/render.rs", text)];
    breaks(arrows::service, &service("use docket_engine::{knowledge::Knowledge, store::Store};"));
    breaks(arrows::service, &service("docket_engine::engine::Engine::open()"));
    allows(arrows::service, &service("use docket_engine::{connector::Connector, plan::Action};"));
    holds(arrows::service);
}

#[test]
fn pure_files_stay_pure() {
    let plan = |text| [("src-tauri/engine/src/plan.rs", text)];
    for text in [
        "use std::fs;",
        "use std::{collections::BTreeMap, net};",
        "std::time::Instant::now()",
        "tokio::spawn(f)",
    ] {
        breaks(arrows::pure, &plan(text));
    }
    allows(
        arrows::pure,
        &plan("use std::{collections::BTreeMap, time::Duration}; // tokio, std::fs"),
    );
    holds(arrows::pure);
}

#[test]
fn http_and_sql_have_one_address_each() {
    breaks(arrows::http, &[("src-tauri/engine/src/conform.rs", "use reqwest::Client;")]);
    allows(arrows::http, &[("src-tauri/engine/src/connector/http.rs", "use reqwest::Client;")]);
    holds(arrows::http);

    let reconciler = |text| [("src-tauri/engine/src/reconciler.rs", text)];
    breaks(arrows::sql, &reconciler("store.run(\"SELECT id FROM export\")"));
    breaks(arrows::sql, &reconciler("store.run(r#\"\n  UPDATE export SET x\"#)"));
    breaks(arrows::sql, &reconciler("use rusqlite::Connection;"));
    breaks(arrows::sql, &[("src-tauri/engine/schema/0001.sql", "")]);
    allows(arrows::sql, &[("src-tauri/engine/src/store/export.rs", "rusqlite::run(\"SELECT 1\")")]);
    allows(arrows::sql, &reconciler("\"Update the service\" // SELECT"));
    holds(arrows::sql);
}

#[test]
fn files_and_functions_stay_short() {
    let long = "//! Head.\n".to_owned() + &"\n".repeat(400);
    breaks(shape::lengths, &[("a.rs", &long)]);
    breaks(shape::lengths, &[("ui/src/views/Exports.svelte", &long)]);
    allows(
        shape::lengths,
        &[("a.rs", &long.replacen("Head.", "Head.\n//! Long because it is a table.", 1))],
    );
    holds(shape::lengths);

    let long = format!("fn f(a: [u8; 2]) -> [u8; 2] {{{}}}", "\n".repeat(70));
    breaks(shape::functions, &[("a.rs", &long)]);
    allows(shape::functions, &[("a.rs", &long.replacen('\n', "", 1))]);
    allows(
        shape::functions,
        &[("a.rs", &format!("fn f();\nfn g() {{ \"{{\" }}{}", "\n".repeat(90)))],
    );
    holds(shape::functions);
}

#[test]
fn files_open_with_what_they_are() {
    breaks(shape::heads, &[("a.rs", "use std::fs;\n//! Late.")]);
    breaks(shape::heads, &[("a.rs", "")]);
    allows(shape::heads, &[("a.rs", "//! What and why.\n")]);
    holds(shape::heads);
}

#[test]
fn nothing_is_left_for_later() {
    for text in [
        "#[ignore]\nfn f() {}",
        "fn f() { todo!() }",
        "unimplemented!(\"later\")",
        "{ send().ok(); }",
    ] {
        breaks(shape::leftovers, &[("a.rs", text)]);
    }
    allows(
        shape::leftovers,
        &[("a.rs", "// todo!\nlet a = \"#[ignore]\"; let b = c.ok(); return d.ok();")],
    );
    holds(shape::leftovers);
}

#[test]
fn errors_are_types() {
    breaks(shape::errors, &[("a.rs", "fn f() -> Result<Vec<(u8, u8)>, String> {}")]);
    allows(
        shape::errors,
        &[("a.rs", "fn f() -> Result<String, Error<u8, String>> {} fn g() -> Result<String> {}")],
    );
    holds(shape::errors);
}

#[test]
fn names_say_what() {
    breaks(shape::names, &[("a.rs", "pub struct ExportManager;")]);
    breaks(shape::names, &[("a.rs", "enum Info { A }")]);
    breaks(shape::names, &[("src-tauri/engine/src/models.rs", "")]);
    breaks(shape::names, &[("ui/src/lib/utils.ts", "")]);
    allows(
        shape::names,
        &[(
            "a.rs",
            "struct DataSet; struct Metadata; // struct Data\nimpl Body for B {\n    type Data = Bytes;\n}\nlet a = \"struct Data\";",
        )],
    );
    holds(shape::names);
}

#[test]
fn the_window_has_one_door_and_no_keys() {
    let import = "import { invoke } from \"@tauri-apps/api/core\";";
    breaks(window::one_door, &[("ui/src/views/Exports.svelte", import)]);
    allows(window::one_door, &[("ui/src/lib/api.ts", import)]);
    holds(window::one_door);

    let capability = |text| [("src-tauri/capabilities/main.json", text)];
    for text in [
        "{\"permissions\": [\"core:default\"]}",
        "{\"permissions\": [{\"identifier\": \"fs:allow-read\"}]}",
        "{\"remote\": {}, \"permissions\": []}",
        "{",
    ] {
        breaks(window::capabilities, &capability(text));
    }
    allows(
        window::capabilities,
        &capability("{\"permissions\": [\"allow-request\", \"core:event:allow-listen\"]}"),
    );
    holds(window::capabilities);
}

#[test]
fn the_content_policy_is_strict() {
    let conf = |security: &str| format!("{{\"app\": {{\"security\": {{{security}}}}}}}");
    for security in [
        "",
        "\"csp\": null",
        "\"csp\": \"default-src 'self'; style-src 'unsafe-inline'\"",
        "\"csp\": \"default-src *\"",
        "\"csp\": \"default-src 'self'\", \"dangerousDisableAssetCspModification\": true",
    ] {
        breaks(window::policy, &[("src-tauri/tauri.conf.json", &conf(security))]);
    }
    allows(
        window::policy,
        &[("src-tauri/tauri.conf.json", &conf("\"csp\": \"default-src 'self'\""))],
    );
    holds(window::policy);
}

#[test]
fn both_languages_say_the_same() {
    let pair = |en, zh| [("ui/locales/en.ftl", en), ("ui/locales/zh-CN.ftl", zh)];
    for (en, zh) in [
        ("a = A", "b = B"),
        ("a = A { $n }", "a = A { $m }"),
        ("a = A\n    .label = L", "a = A"),
        ("a = A", "a = A！"),
        ("a = A!", "a = A"),
        ("a = A", "a = 您"),
        ("a = A\na = B", "a = A\na = B"),
    ] {
        breaks(window::catalogues, &pair(en, zh));
    }
    breaks(window::catalogues, &[("ui/locales/en.ftl", "a = A")]);
    let english = "# Wow!\na = { $n ->\n    [one] One\n   *[other] { $n } = many\n }\nc = { $m ->\n *[other] rows\n }\nb =\n    .label = L\n";
    allows(window::catalogues, &pair(english, "a = { $n } 个\nc = 行\nb =\n    .label = 你\n"));
    holds(window::catalogues);
}

#[test]
fn the_tree_names_no_machine_and_no_helper() {
    let note = |text: String| complaints(places::machines, &[("NOTES.md", text.as_str())]);
    for start in ["/wo", "/ro", "/ho"] {
        let end = match start {
            "/wo" => "rk/a",
            "/ro" => "ot/.cargo",
            _ => "me/ann/x",
        };
        assert!(!note(format!("in {start}{end}")).is_empty());
        assert!(note(format!("in my{start}{end}")).is_empty());
    }
    holds(places::machines);

    breaks(
        places::hosts,
        &[("ui/package-lock.json", &format!("https://registry.{}org/x", "npmjs."))],
    );
    holds(places::hosts);

    breaks(places::helpers, &[("NOTES.md", &format!("Thanks, Co{}", "pilot."))]);
    allows(places::helpers, &[("NOTES.md", "OpenAPI, codecs, include")]);
    holds(places::helpers);
}

#[test]
fn each_case_from_the_field_names_tests_that_are_there() {
    let map = |line: &str| ("tests/scenarios/CASES.md", format!("# Cases\n\n{line}\n"));
    let test =
        ("tests/scenarios/field/a.rs", "//! Head.\n#[tokio::test]\nasync fn one() {}\nfn no() {}");
    let of = |line: &str| {
        let (path, text) = map(line);
        complaints(cases::map, &[(path, &text), test, ("ui/a.test.ts", "it('does so', f);")])
    };
    let named = "`tests/scenarios/field/a.rs::one`";
    assert_eq!(of(&format!("- **a/b#1** — kind → {named}, `ui/a.test.ts::does so`")), [""; 0]);
    for wrong in [
        "- **a/b#1** — kind → `tests/scenarios/field/a.rs::two`, `tests/scenarios/field/a.rs::one`",
        "- **a/b#1** — kind → `tests/scenarios/field/a.rs::no`, `tests/scenarios/field/a.rs::one`",
        "- **a/b#1** — kind → `tests/b.rs::one`, `tests/scenarios/field/a.rs::one`",
        "- **a/b#1** — kind → `ui/a.test.ts::does it`, `tests/scenarios/field/a.rs::one`",
        "- **a/b#1** — kind → covered by `tests/scenarios/field/a.rs`",
        "- **a/b#1** — kind → does not apply: ",
        "- **a/b#1** — kind",
        "- **a/b#1** — kind → not built yet: and no line names the test of `field/`",
    ] {
        assert!(!of(wrong).is_empty(), "the law says nothing of {wrong}");
    }
    holds(cases::map);
}
