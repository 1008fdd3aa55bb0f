//! Whether a request may be made with these parameters, and what to tell a person if not.
//!
//! A schema's own messages speak of keywords; a person wants to know what to mend in which field. So
//! each finding becomes a JSON Pointer and a sentence in the caller's language.

use docket_wire::{FieldError, Operation};
use jsonschema::{
    Draft, ValidationError, Validator,
    error::{TypeKind, ValidationErrorKind},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{CATALOGUE, Report, ReportKind, format_of};
use crate::{files::Format, language::Language};

/// Findings that one answer names at most.
const MAX_FINDINGS: usize = 50;

/// The reports with their schemas made ready.
pub(crate) struct Catalogue(Vec<Entry>);

struct Entry {
    kind: &'static dyn ReportKind,
    operation: Operation,
    validator: Validator,
}

/// A request that may be made.
pub(crate) struct Prepared {
    pub(crate) report: Box<dyn Report>,
    pub(crate) format: Format,
}

impl Catalogue {
    /// Makes every schema ready.
    ///
    /// # Errors
    /// A schema of this crate is none.
    pub(crate) fn new() -> Result<Self, ValidationError<'static>> {
        let entry = |kind: &'static dyn ReportKind| {
            let operation = kind.operation();
            let validator = jsonschema::options()
                .with_draft(Draft::Draft202012)
                .should_validate_formats(true)
                .build(&operation.parameters)?;
            Ok(Entry { kind, operation, validator })
        };
        CATALOGUE.into_iter().map(entry).collect::<Result<_, _>>().map(Self)
    }

    /// Every report.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.0.iter().map(|entry| &entry.operation)
    }

    /// Whether there is such a report at all.
    pub(crate) fn knows(&self, operation: &str) -> bool {
        self.operations().any(|known| known.operation == operation)
    }

    /// Reads parameters, or says what to mend. An operation that is not known has no parameters that
    /// would do.
    pub(crate) fn prepare(
        &self,
        operation: &str,
        format: &str,
        parameters: &Value,
        language: Language,
    ) -> Result<Prepared, Vec<FieldError>> {
        let Some(entry) = self.0.iter().find(|entry| entry.operation.operation == operation) else {
            return Err(vec![field(
                "",
                language.say("There is no such report.", "没有这种报表。"),
            )]);
        };
        let Some(format) = format_of(&entry.operation, format) else {
            let formats = entry.operation.formats.join(", ");
            let detail = match language {
                Language::English => format!("Choose a format that this report has: {formats}."),
                Language::Chinese => format!("请选择该报表支持的格式：{formats}。"),
            };
            return Err(vec![field("", &detail)]);
        };
        let findings = find(entry, parameters, language);
        if !findings.is_empty() {
            return Err(findings);
        }
        let report = entry.kind.prepare(parameters, language)?;
        if format.max_rows().is_some_and(|most| report.total() > most) {
            let pointer = if parameters.get("rows").is_some() { "/rows" } else { "" };
            let detail = language.say(
                "A sheet holds 1,048,575 rows. Ask for fewer, or choose csv or ndjson.",
                "一张工作表最多 1,048,575 行。请减少行数，或选择 csv、ndjson。",
            );
            return Err(vec![field(pointer, detail)]);
        }
        Ok(Prepared { report, format })
    }
}

/// Parameters as a report's own type. The schema was kept, so this fails only where a schema and its
/// type do not agree; a caller then still learns that the parameters will not do.
pub(super) fn read<T: DeserializeOwned>(parameters: &Value) -> Result<T, Vec<FieldError>> {
    T::deserialize(parameters).map_err(|error| vec![field("", &error.to_string())])
}

pub(super) fn field(pointer: &str, detail: &str) -> FieldError {
    FieldError { pointer: pointer.to_owned(), detail: detail.to_owned() }
}

fn find(entry: &Entry, parameters: &Value, language: Language) -> Vec<FieldError> {
    let mut findings: Vec<FieldError> = Vec::new();
    for error in entry.validator.iter_errors(parameters).take(MAX_FINDINGS) {
        for finding in sentences(&error, &entry.operation.parameters, language) {
            // One sentence for a field: the first says enough.
            if findings.iter().all(|known| known.pointer != finding.pointer) {
                findings.push(finding);
            }
        }
    }
    // A library's order of looking is no order for people, and may change.
    findings.sort_by(|one, other| one.pointer.cmp(&other.pointer));
    findings
}

fn sentences(error: &ValidationError<'_>, schema: &Value, language: Language) -> Vec<FieldError> {
    let place = error.instance_path().to_string();
    let member = |name: &str| format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
    if let ValidationErrorKind::Required { property } = error.kind() {
        let name = property.as_str().unwrap_or_default();
        return vec![field(&member(name), language.say("This is needed.", "必填。"))];
    }
    if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
        let detail = language.say("This report has no such parameter.", "该报表没有此参数。");
        return unexpected.iter().map(|name| field(&member(name), detail)).collect();
    }
    vec![field(&place, &sentence(error, schema, language))]
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a library's kinds; our schemas use these alone"
)]
fn sentence(error: &ValidationError<'_>, schema: &Value, language: Language) -> String {
    let say = |english: &str, chinese: &str| language.say(english, chinese).to_owned();
    match error.kind() {
        ValidationErrorKind::Type { kind } => type_sentence(kind, language),
        ValidationErrorKind::Format { .. } => say(
            "Enter a day that there is, as YYYY-MM-DD: 2026-11-28.",
            "请输入存在的日期，格式为 YYYY-MM-DD，例如 2026-11-28。",
        ),
        ValidationErrorKind::Minimum { limit } => match language {
            Language::English => format!("The least is {limit}."),
            Language::Chinese => format!("不能小于 {limit}。"),
        },
        ValidationErrorKind::Maximum { limit } => match language {
            Language::English => format!("The most is {limit}."),
            Language::Chinese => format!("不能大于 {limit}。"),
        },
        ValidationErrorKind::MinItems { .. } => say("Choose at least one.", "请至少选择一项。"),
        ValidationErrorKind::UniqueItems => say("Choose each only once.", "每一项只能选择一次。"),
        ValidationErrorKind::OneOfNotValid { .. } => {
            let labels = labels(schema, &error.schema_path().to_string(), language);
            match language {
                Language::English => format!("Choose one of these: {labels}."),
                Language::Chinese => format!("请从以下各项中选择：{labels}。"),
            }
        }
        _ => say("This value will not do.", "该值无效。"),
    }
}

fn type_sentence(kind: &TypeKind, language: Language) -> String {
    let wanted = match kind {
        TypeKind::Single(wanted) => wanted.to_string(),
        TypeKind::Multiple(_) => String::new(),
    };
    let (english, chinese) = match wanted.as_str() {
        "string" => ("This must be text.", "必须是文本。"),
        "integer" => ("This must be a whole number.", "必须是整数。"),
        "array" => ("This must be a list.", "必须是列表。"),
        "object" => ("The parameters must be an object.", "参数必须是一个对象。"),
        _ => ("This is of the wrong kind.", "类型不正确。"),
    };
    language.say(english, chinese).to_owned()
}

/// The labels of a choice, as a person reads them.
fn labels(schema: &Value, one_of: &str, language: Language) -> String {
    let members = schema.pointer(one_of).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let label = |member: &Value| {
        let own = match language {
            Language::English => member.pointer("/title"),
            Language::Chinese => member.pointer("/x-i18n/zh-CN/title"),
        };
        own.and_then(Value::as_str).map(str::to_owned)
    };
    let labels: Vec<String> = members.iter().filter_map(label).collect();
    labels.join(language.say(", ", "、"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn findings(
        operation: &str,
        format: &str,
        parameters: Value,
        language: Language,
    ) -> Vec<String> {
        let catalogue = Catalogue::new().unwrap();
        match catalogue.prepare(operation, format, &parameters, language) {
            Ok(_) => Vec::new(),
            Err(errors) => errors
                .into_iter()
                .map(|error| format!("{}: {}", error.pointer, error.detail))
                .collect(),
        }
    }

    #[test]
    fn each_wrong_field_is_named_with_what_to_mend() {
        let english = |operation, format, parameters| {
            findings(operation, format, parameters, Language::English)
        };
        assert_eq!(
            english("orders", "csv", json!({"from": "2026-01-01", "to": "2026-12-31"})),
            [""; 0]
        );
        assert_eq!(
            english("orders", "csv", json!({"from": "yesterday", "region": [], "x/y": 1})),
            [
                "/from: Enter a day that there is, as YYYY-MM-DD: 2026-11-28.",
                "/region: Choose at least one.",
                "/to: This is needed.",
                "/x~1y: This report has no such parameter.",
            ]
        );
        assert_eq!(
            english("orders", "csv", json!({"from": "2026-02-01", "to": "2026-01-01"})),
            ["/to: The period must end on or after its first day."]
        );
        assert_eq!(
            english("orders", "csv", json!({"from": "2024-01-01", "to": "2025-01-01"})),
            ["/to: The period must not exceed 366 days. Choose a shorter one."]
        );
        assert_eq!(
            english(
                "orders",
                "csv",
                json!({"from": "2026-01-01", "to": "2026-01-02", "status": "new"})
            ),
            ["/status: Choose one of these: All, Open, Shipped, Invoiced, Returned."]
        );
        assert_eq!(
            english("ledger", "xlsx", json!({"rows": 1_048_576})),
            ["/rows: A sheet holds 1,048,575 rows. Ask for fewer, or choose csv or ndjson."]
        );
        assert_eq!(english("ledger", "xlsx", json!({"rows": 1_048_575})), [""; 0]);
        assert_eq!(
            english("ledger", "csv", json!({"rows": 10_000_001, "seed": "one"})),
            ["/rows: The most is 10000000.", "/seed: This must be a whole number."]
        );
        assert_eq!(
            english("ledger", "pdf", json!({"rows": 1})),
            [": Choose a format that this report has: csv, xlsx, ndjson."]
        );
    }

    #[test]
    fn a_caller_is_told_in_their_language() {
        assert_eq!(findings("ledger", "csv", json!({}), Language::Chinese), ["/rows: 必填。"]);
        assert_eq!(
            findings(
                "orders",
                "csv",
                json!({"from": "2026-01-01", "to": "2026-01-02", "status": "x"}),
                Language::Chinese
            ),
            ["/status: 请从以下各项中选择：全部、未发货、已发货、已开票、已退货。"]
        );
    }
}
