//! JSON Schema 2020-12 with titles in two languages.
//!
//! The words of `title` and `description` are English. Those of another language stand beside them in
//! the annotation `x-i18n`: `{"zh-CN": {"title": …, "description": …}}`, as `docket_wire::Operation`
//! says. A choice is a `oneOf` of `{const, title, x-i18n}`, so that its labels can be translated too.
//! The members of a JSON object have no order (RFC 8259, 1), so `x-order` names the fields as a form
//! should show them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A word in both languages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) en: &'static str,
    pub(super) zh: &'static str,
}

impl Words {
    pub(super) const fn new(en: &'static str, zh: &'static str) -> Self {
        Self { en, zh }
    }

    /// By language tag, as an operation's own title is.
    pub(super) fn by_tag(self) -> BTreeMap<String, String> {
        BTreeMap::from([
            ("en".to_owned(), self.en.to_owned()),
            ("zh-CN".to_owned(), self.zh.to_owned()),
        ])
    }
}

/// A member of a choice: the value that travels, and its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) value: &'static str,
    pub(super) label: Words,
}

impl Choice {
    pub(super) const fn new(value: &'static str, en: &'static str, zh: &'static str) -> Self {
        Self { value, label: Words::new(en, zh) }
    }
}

/// An object with these members and no others.
pub(super) fn object(required: &[&str], properties: Vec<(&str, Value)>) -> Value {
    let order: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "x-order": order,
        "required": required,
        "additionalProperties": false,
    })
}

/// A day.
pub(super) fn day(title: Words, description: Words) -> Value {
    titled(json!({"type": "string", "format": "date"}), title, description)
}

/// A whole number from `minimum` to `maximum`.
pub(super) fn whole(
    title: Words,
    description: Words,
    minimum: u64,
    maximum: u64,
    default: u64,
) -> Value {
    let schema =
        json!({"type": "integer", "minimum": minimum, "maximum": maximum, "default": default});
    titled(schema, title, description)
}

/// One of several.
pub(super) fn one_of(title: Words, description: Words, choices: &[Choice], default: &str) -> Value {
    let schema = json!({"type": "string", "oneOf": members(choices), "default": default});
    titled(schema, title, description)
}

/// Any of several, each once, at least one.
pub(super) fn any_of(
    title: Words,
    description: Words,
    choices: &[Choice],
    default: &[&str],
) -> Value {
    let schema = json!({
        "type": "array",
        "items": {"type": "string", "oneOf": members(choices)},
        "uniqueItems": true,
        "minItems": 1,
        "default": default,
    });
    titled(schema, title, description)
}

fn members(choices: &[Choice]) -> Vec<Value> {
    choices
        .iter()
        .map(|choice| {
            json!({
                "const": choice.value,
                "title": choice.label.en,
                "x-i18n": {"zh-CN": {"title": choice.label.zh}},
            })
        })
        .collect()
}

fn titled(mut schema: Value, title: Words, description: Words) -> Value {
    schema["title"] = title.en.into();
    schema["description"] = description.en.into();
    schema["x-i18n"] = json!({"zh-CN": {"title": title.zh, "description": description.zh}});
    schema
}
