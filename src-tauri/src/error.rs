//! What a command is rejected with: the engine's `ErrorView`, as it stands.

use docket_engine::{
    error::EngineError,
    settings::SettingsError,
    view::{ErrorCode, ErrorView},
};
use serde::Serialize;

/// A command's failure. The window gets the same shape whatever went wrong.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct CommandError(pub ErrorView);

impl CommandError {
    /// A failure outside the engine: one English sentence that says what to do.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(ErrorView { code, message: message.into(), fields: Vec::new() })
    }
}

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> Self {
        Self(error.into())
    }
}

impl From<SettingsError> for CommandError {
    fn from(error: SettingsError) -> Self {
        let code = match error {
            SettingsError::Unwritable { .. } => ErrorCode::CannotWrite,
            SettingsError::Unreadable { .. }
            | SettingsError::Malformed { .. }
            | SettingsError::Value { .. } => ErrorCode::Internal,
        };
        let mut message = error.to_string();
        message.push('.');
        Self::new(code, message)
    }
}
