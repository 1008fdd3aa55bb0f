//! What the window may do, what it says, and through which door it speaks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::tree::Source;

/// Only one file of the window imports Tauri's JavaScript; its own test may stand in for it.
pub fn one_door(files: &[Source]) -> Vec<String> {
    const DOOR: &[&str] = &["ui/src/lib/api.ts", "ui/src/lib/api.test.ts"];
    files
        .iter()
        .filter(|file| file.path.starts_with("ui/src/") && !DOOR.contains(&file.path.as_str()))
        .flat_map(|file| {
            file.text
                .match_indices("@tauri-apps")
                .map(|(at, _)| file.at(at, "only lib/api.ts imports Tauri's JavaScript"))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// A capability names our own commands and the core's events, and nothing of the machine.
pub fn capabilities(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("src-tauri/capabilities/")) {
        let Ok(capability) = serde_json::from_str::<Value>(&file.text) else {
            complaints.push(file.whole("a capability is one JSON document"));
            continue;
        };
        if capability.get("remote").is_some() {
            complaints.push(file.whole("no page from elsewhere may call Docket"));
        }
        for permission in
            capability.get("permissions").and_then(Value::as_array).into_iter().flatten()
        {
            let name = permission.as_str().or_else(|| permission.get("identifier")?.as_str());
            // A permission of our own has no prefix; those of the core and of plugins have one.
            if name.is_none_or(|name| name.contains(':') && !name.starts_with("core:event:")) {
                complaints
                    .push(file.whole(&format!("{permission}: only our commands and core events")));
            }
        }
    }
    complaints
}

/// The window runs under a policy that no page can talk its way out of.
pub fn policy(files: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.path == "src-tauri/tauri.conf.json") {
        let conf: Value = serde_json::from_str(&file.text).unwrap_or_default();
        let app = &conf["app"];
        let csp = match &app["security"]["csp"] {
            Value::String(csp) => csp.clone(),
            Value::Object(directives) => Value::from(directives.clone()).to_string(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => String::new(),
        };
        if !csp.contains("default-src") {
            complaints.push(file.whole("there is no content security policy"));
        }
        for word in ["unsafe-", "*", "https:", "blob:"] {
            if csp.contains(word) {
                complaints.push(file.whole(&format!("`{word}` in the content security policy")));
            }
        }
        let security = &app["security"];
        if security["dangerousDisableAssetCspModification"] != Value::Null {
            complaints.push(file.whole("the policy is switched off in part"));
        }
        if app["withGlobalTauri"] == Value::Bool(true) {
            complaints.push(file.whole("Tauri's JavaScript has one door, lib/api.ts"));
        }
    }
    complaints
}

/// Both catalogues say the same things, with the same values in them, and neither shouts.
pub fn catalogues(files: &[Source]) -> Vec<String> {
    let of = |name: &str| files.iter().find(|file| file.path == format!("ui/locales/{name}.ftl"));
    let (Some(en), Some(zh)) = (of("en"), of("zh-CN")) else {
        let any = files.iter().find(|file| file.path.starts_with("ui/locales/"));
        return any.map(|file| file.whole("its twin is missing")).into_iter().collect();
    };
    let mut complaints = Vec::new();
    let (english, chinese) = (messages(&en.text), messages(&zh.text));
    for (file, ours, theirs) in [(en, &english, &chinese), (zh, &chinese, &english)] {
        for (id, message) in ours {
            match theirs.get(id) {
                None => complaints.push(file.whole(&format!("`{id}` is in this catalogue alone"))),
                Some(twin) if twin.values != message.values && file.path == en.path => {
                    let said = format!(
                        "`{id}` uses {:?} here and {:?} in zh-CN",
                        message.values, twin.values
                    );
                    complaints.push(file.whole(&said));
                }
                Some(_) => {}
            }
            if message.text.contains(['!', '！']) {
                complaints.push(file.whole(&format!("`{id}` shouts")));
            }
            if message.text.contains('您') {
                complaints.push(file.whole(&format!("`{id}`: 你 throughout, never 您")));
            }
        }
        for id in twice(&file.text) {
            complaints.push(file.whole(&format!("`{id}` is said twice")));
        }
    }
    complaints
}

#[derive(Default)]
struct Message {
    text: String,
    values: BTreeSet<String>,
}

/// Messages, terms and attributes by their id (`id` or `id.attribute`).
fn messages(catalogue: &str) -> BTreeMap<String, Message> {
    let mut found: BTreeMap<String, Message> = BTreeMap::new();
    let (mut id, mut key) = (String::new(), String::new());
    for line in catalogue.lines().filter(|line| !line.starts_with('#')) {
        let mut text = line;
        if let Some((name, rest)) = entry(line) {
            if let Some(attribute) = name.strip_prefix('.') {
                key = format!("{id}.{attribute}");
            } else {
                name.clone_into(&mut id);
                name.clone_into(&mut key);
            }
            text = rest;
        }
        let message = found.entry(key.clone()).or_default();
        message.text.push_str(text);
        for piece in text.split('$').skip(1) {
            let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
            let (name, rest) = piece.split_at(end.unwrap_or(piece.len()));
            // A value that only chooses between forms is not said: Chinese has no plural to choose.
            if !rest.trim_start().trim_start_matches(')').trim_start().starts_with("->") {
                message.values.insert(name.to_owned());
            }
        }
    }
    found.remove("");
    found
}

/// `id = text`, or an attribute `    .name = text`.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once('=')?;
    let indented = name.starts_with(' ');
    let name = name.trim();
    let bare = name.strip_prefix(if indented { '.' } else { '-' });
    if indented && bare.is_none() {
        return None;
    }
    let bare = bare.unwrap_or(name);
    let is_id = bare.starts_with(|c: char| c.is_ascii_alphabetic())
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    is_id.then_some((name, rest))
}

fn twice(catalogue: &str) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    catalogue
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(entry)
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with('.') && !seen.insert(*name))
        .collect()
}
