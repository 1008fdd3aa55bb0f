//! `GET …/operations`: who is calling, and what this caller may ask for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The answer to `GET …/operations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OperationList {
    /// Whose credential this is.
    pub caller: Caller,
    /// What the caller may ask for.
    pub operations: Vec<Operation>,
}

/// Whose credential a call carried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Caller {
    /// Stable id of the person or program.
    pub subject: String,
    /// What to call it on a screen.
    pub name: String,
}

/// One report that can be exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Operation {
    /// Stable id.
    pub operation: String,
    /// Title by BCP 47 language tag.
    pub title: BTreeMap<String, String>,
    /// One sentence by BCP 47 language tag.
    #[serde(default)]
    pub description: BTreeMap<String, String>,
    /// JSON Schema 2020-12 of the parameters. Titles and descriptions inside it may carry
    /// translations in the annotation `x-i18n`: `{"zh-CN": {"title": …, "description": …}}`. A choice
    /// is a `oneOf` of `{const, title, x-i18n}`. `x-order` beside `properties` lists their names in
    /// the order of a form; without it they are shown as they come.
    #[schema(value_type = Object)]
    pub parameters: serde_json::Value,
    /// `csv`, `xlsx`, `ndjson`.
    pub formats: Vec<String>,
}
