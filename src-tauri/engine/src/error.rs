//! What goes wrong with something that a person asked of Docket: a code for programs and one
//! sentence for people that says what to do.

use std::fmt;

use crate::{
    plan::NotNow,
    store::StoreError,
    view::{ErrorCode, ErrorView, FieldErrorView},
};

/// See the head of this file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    /// For programs.
    pub code: ErrorCode,
    /// One sentence with what to do, in English.
    pub message: String,
    /// What is wrong, field by field.
    pub fields: Vec<FieldErrorView>,
}

impl EngineError {
    /// An error without fields.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), fields: Vec::new() }
    }

    /// There is no such export here.
    pub fn unknown_export(id: &str) -> Self {
        Self::new(
            ErrorCode::UnknownExport,
            format!("There is no export {id} here; `docket list` shows those that are."),
        )
    }

    /// There is no such service here.
    pub fn unknown_service(name: &str) -> Self {
        Self::new(
            ErrorCode::UnknownService,
            format!("There is no service {name} here; `docket service list` shows those that are."),
        )
    }

    /// A fault of Docket's own.
    pub fn internal(what: impl fmt::Display) -> Self {
        Self::new(
            ErrorCode::Internal,
            format!("Docket met a fault of its own ({what}); nothing was lost, try again."),
        )
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineError {}

impl From<EngineError> for ErrorView {
    fn from(error: EngineError) -> Self {
        Self { code: error.code, message: error.message, fields: error.fields }
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::Unwritable { .. } => ErrorCode::StoreUnwritable,
            StoreError::DiskFull { .. } => ErrorCode::DiskFull,
            StoreError::TooNew { .. } => ErrorCode::StoreTooNew,
            StoreError::Damaged { .. } | StoreError::DamagedInUse { .. } => ErrorCode::StoreDamaged,
            StoreError::Foreign { .. } => ErrorCode::StoreForeign,
            StoreError::Busy { .. } | StoreError::OlderDriver { .. } => ErrorCode::StoreBusy,
            StoreError::OnNetwork { .. } => ErrorCode::StoreOnNetwork,
            StoreError::NotDriver => ErrorCode::Driven,
            StoreError::UnknownExport(_) => ErrorCode::UnknownExport,
            StoreError::ServiceRemoved(_) => ErrorCode::UnknownService,
            StoreError::Unstorable { .. } => ErrorCode::InvalidParameters,
            StoreError::IntentChanged(_)
            | StoreError::Unwatchable { .. }
            | StoreError::Sqlite { .. } => ErrorCode::Internal,
        };
        Self::new(code, sentence(&error.to_string()))
    }
}

/// A clause as a sentence: with a capital and a full stop.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first: String =
        letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

impl From<NotNow> for EngineError {
    fn from(_: NotNow) -> Self {
        Self::new(
            ErrorCode::NotNow,
            "That can not be done with this export now; its state says what can.",
        )
    }
}
