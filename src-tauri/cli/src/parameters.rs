//! Parameters as they are typed, made into the JSON that the report's schema asks for. Pure.
//!
//! Only the kind of a value is looked at here, so that `rows=ten` is told at once and not by a
//! refusal. What a value may be beyond its kind is the service's to say. Where no schema is known,
//! because the service was never reached, a value that reads as JSON of its own is that, and the
//! rest is text.

use serde_json::{Map, Number, Value};

use crate::failure::Failure;

/// Whole numbers beyond this are not held exactly by a double; the protocol wants them as text.
const EXACT_MAX: u64 = (1 << 53) - 1;

/// What is known of the report that the parameters are for.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Its name.
    pub operation: &'a str,
    /// The JSON Schema of its parameters, where the service has told it.
    pub schema: Option<&'a Value>,
}

/// The parameters of `typed` (`name=value` each), on top of those in `base`.
///
/// # Errors
/// One sentence that names the parameter.
pub fn typed(
    report: Report<'_>,
    base: Map<String, Value>,
    typed: &[String],
) -> Result<Value, Failure> {
    let mut given: Vec<(&str, Vec<&str>)> = Vec::new();
    for text in typed {
        let (name, value) = text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| Failure::usage("terminal-error-parameter-shape", &[("text", text)]))?;
        match given.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => given.push((name, vec![value])),
        }
    }
    let mut parameters = base;
    for (name, values) in given {
        parameters.insert(name.to_owned(), parameter(report, name, &values)?);
    }
    missing(report, &parameters)?;
    Ok(Value::Object(parameters))
}

fn parameter(report: Report<'_>, name: &str, values: &[&str]) -> Result<Value, Failure> {
    let Some(root) = report.schema else { return guessed(name, values) };
    let properties = root.get("properties").and_then(Value::as_object);
    let Some(schema) = properties.and_then(|properties| properties.get(name)) else {
        if root.get("additionalProperties") == Some(&Value::Bool(false)) {
            return Err(unknown(report.operation, name, properties));
        }
        return guessed(name, values);
    };
    let schema = resolved(root, schema);
    if kinds(root, schema).contains(&Kind::Array) {
        let item = schema.get("items").map(|item| resolved(root, item));
        let items = values
            .iter()
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .filter(|value| !value.is_empty())
            .map(|value| match item {
                Some(item) => scalar(root, item, name, value),
                None => Ok(Value::from(value)),
            })
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(Value::Array(items));
    }
    scalar(root, schema, name, once(name, values)?)
}

fn once<'a>(name: &str, values: &[&'a str]) -> Result<&'a str, Failure> {
    match values {
        [value] => Ok(value),
        _ => Err(Failure::usage("terminal-error-parameter-twice", &[("name", name)])),
    }
}

fn guessed(name: &str, values: &[&str]) -> Result<Value, Failure> {
    let value = once(name, values)?;
    Ok(serde_json::from_str(value).unwrap_or_else(|_| Value::from(value)))
}

fn unknown(operation: &str, name: &str, properties: Option<&Map<String, Value>>) -> Failure {
    let names: Vec<&str> =
        properties.into_iter().flatten().map(|(known, _)| known.as_str()).collect();
    Failure::usage(
        "terminal-error-parameter-unknown",
        &[("operation", operation), ("name", name), ("names", &names.join(", "))],
    )
}

fn missing(report: Report<'_>, parameters: &Map<String, Value>) -> Result<(), Failure> {
    let required =
        report.schema.and_then(|schema| schema.get("required")).and_then(Value::as_array);
    let absent = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|name| !parameters.contains_key(*name));
    match absent {
        Some(name) => Err(Failure::usage("terminal-error-parameter-missing", &[("name", name)])),
        None => Ok(()),
    }
}

/// A schema's kinds of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    Array,
    Object,
    String,
}

impl Kind {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "array" => Self::Array,
            "object" => Self::Object,
            "string" => Self::String,
            _ => return None,
        })
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// The message that names it.
    fn message(self) -> &'static str {
        match self {
            Self::Null => "terminal-type-null",
            Self::Boolean => "terminal-type-boolean",
            Self::Integer => "terminal-type-integer",
            Self::Number => "terminal-type-number",
            Self::Array | Self::Object => "terminal-type-object",
            Self::String => "terminal-type-string",
        }
    }

    fn read(self, text: &str) -> Option<Value> {
        match self {
            Self::Null => (text == "null").then_some(Value::Null),
            Self::Boolean => text.parse().ok().map(Value::Bool),
            Self::Integer => integer(text),
            Self::Number => integer(text).or_else(|| number(text)),
            Self::Array => None,
            Self::Object => serde_json::from_str(text).ok().filter(Value::is_object),
            Self::String => Some(Value::from(text)),
        }
    }
}

fn integer(text: &str) -> Option<Value> {
    let value: i64 = text.parse().ok()?;
    (value.unsigned_abs() <= EXACT_MAX).then(|| Value::from(value))
}

fn number(text: &str) -> Option<Value> {
    text.parse().ok().and_then(Number::from_f64).map(Value::Number)
}

/// A value in one piece, of the first kind that reads it; a text comes last.
fn scalar(root: &Value, schema: &Value, name: &str, text: &str) -> Result<Value, Failure> {
    let choices = choices(root, schema);
    if !choices.is_empty() {
        return choices
            .iter()
            .find(|choice| shown(choice) == text)
            .map(|choice| (*choice).clone())
            .ok_or_else(|| wrong_choice(name, text, &choices));
    }
    let kinds = kinds(root, schema);
    if kinds.is_empty() {
        return Ok(Value::from(text));
    }
    let value = kinds
        .iter()
        .filter(|kind| **kind != Kind::String)
        .chain(kinds.iter().filter(|kind| **kind == Kind::String))
        .find_map(|kind| kind.read(text));
    value.ok_or_else(|| {
        let first = kinds.iter().find(|kind| **kind != Kind::Null).or(kinds.first());
        let message = first.map_or("terminal-type-string", |kind| kind.message());
        Failure::wrong_type(name, text, message)
    })
}

fn wrong_choice(name: &str, text: &str, choices: &[&Value]) -> Failure {
    let shown: Vec<String> = choices.iter().map(|choice| shown(choice)).collect();
    Failure::usage(
        "terminal-error-parameter-choice",
        &[("name", name), ("choices", &shown.join(", ")), ("value", text)],
    )
}

fn shown(choice: &Value) -> String {
    choice.as_str().map_or_else(|| choice.to_string(), str::to_owned)
}

/// The values that a schema lists: by `enum`, by `const`, or as members of `oneOf` and `anyOf`.
fn choices<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        return listed.iter().collect();
    }
    if let Some(only) = schema.get("const") {
        return vec![only];
    }
    let members: Vec<&Value> = members(root, schema).collect();
    // Where one member is open, the list is not whole.
    let constants: Option<Vec<&Value>> = members.iter().map(|member| member.get("const")).collect();
    constants.unwrap_or_default()
}

fn members<'a>(root: &'a Value, schema: &'a Value) -> impl Iterator<Item = &'a Value> {
    ["oneOf", "anyOf"]
        .into_iter()
        .filter_map(|word| schema.get(word).and_then(Value::as_array))
        .flatten()
        .map(|member| resolved(root, member))
}

fn kinds(root: &Value, schema: &Value) -> Vec<Kind> {
    match schema.get("type") {
        Some(Value::String(word)) => Kind::parse(word).into_iter().collect(),
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).filter_map(Kind::parse).collect()
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {
            members(root, schema)
                .flat_map(|member| match member.get("type").and_then(Value::as_str) {
                    Some(word) => Kind::parse(word),
                    None => member.get("const").map(Kind::of),
                })
                .collect()
        }
    }
}

/// A schema behind one `$ref` into the same document (RFC 6901); itself where there is none.
fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| root.pointer(pointer))
        .unwrap_or(schema)
}

#[cfg(test)]
mod tests;
