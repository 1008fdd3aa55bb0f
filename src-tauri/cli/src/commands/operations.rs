//! `docket operations`: what may be asked for, with the parameters.

use docket_engine::{
    export::ServiceId,
    view::OperationView,
    words::{Language, Words},
};
use serde_json::Value;

use crate::{
    exit::Exit,
    failure::Failure,
    output::{plain, table},
    session::Session,
};

/// Does what was typed.
pub async fn run(session: &Session, service: Option<&str>) -> Result<Exit, Failure> {
    let service = session.service(service).await?;
    session.use_token_of_environment(&service).await?;
    let catalogue = session.engine.operations(&ServiceId::from_text(service.id)).await?;
    session.output.answer(&catalogue, || {
        if catalogue.operations.is_empty() {
            return vec![session.words.say("terminal-none", &[])];
        }
        let head = ["report", "title", "formats", "parameters"]
            .map(|column| session.words.say(&format!("terminal-column-{column}"), &[]));
        let rows: Vec<Vec<String>> =
            catalogue.operations.iter().map(|operation| row(&session.words, operation)).collect();
        table(&head, &rows)
    })?;
    Ok(Exit::Done)
}

fn row(words: &Words, operation: &OperationView) -> Vec<String> {
    vec![
        plain(&operation.operation),
        title(words.language(), operation),
        plain(&operation.formats.join(", ")),
        parameters(&operation.parameters),
    ]
}

/// The title in the person's language, else in English, else the first.
fn title(language: Language, operation: &OperationView) -> String {
    let titles = &operation.title;
    let found = titles
        .get(language.as_str())
        .or_else(|| titles.get(Language::English.as_str()))
        .or_else(|| titles.values().next());
    found.map(|title| plain(title)).unwrap_or_default()
}

/// Names and kinds; those that are not required in brackets.
fn parameters(schema: &Value) -> String {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let shown: Vec<String> = properties
        .map(|(name, property)| {
            let kind = property["format"].as_str().or_else(|| property["type"].as_str());
            let name = plain(name);
            let text = kind.map_or_else(|| name.clone(), |kind| format!("{name}={}", plain(kind)));
            if required.contains(&name.as_str()) { text } else { format!("[{text}]") }
        })
        .collect();
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_with_their_kinds() {
        let schema = serde_json::json!({"required": ["from"], "properties": {
            "from": {"type": "string", "format": "date"},
            "region": {"type": "array"}, "any": {}}});
        assert_eq!(parameters(&schema), "[any] from=date [region=array]");
    }
}
