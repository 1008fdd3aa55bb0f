//! Who may do what: tokens, and the callers that they stand for.
//!
//! A token's secret is never kept, only its SHA-256. Every call looks here anew, so a permission
//! that is taken away is gone with the next call.

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use serde::Deserialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// What one credential may do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// SHA-256 of the secret, 64 hexadecimal digits.
    pub secret_sha256: String,
    /// The only tenant that this credential can reach.
    pub tenant_id: String,
    /// Stable id of the person or program.
    pub subject: String,
    /// What to call it on a screen; the subject where it is not given.
    #[serde(default)]
    pub name: Option<String>,
    /// Operations that it may ask for.
    #[serde(default)]
    pub operations: BTreeSet<String>,
    /// Whether it sees the jobs of other subjects of its tenant.
    #[serde(default)]
    pub see_others: bool,
    /// Whom to ask for a permission that is missing.
    #[serde(default)]
    pub owner: Option<String>,
}

impl Token {
    /// A token for `secret` that may ask for nothing yet.
    pub fn new(secret: &str, tenant_id: impl Into<String>, subject: impl Into<String>) -> Self {
        Self {
            secret_sha256: hex::encode(Sha256::digest(secret)),
            tenant_id: tenant_id.into(),
            subject: subject.into(),
            name: None,
            operations: BTreeSet::new(),
            see_others: false,
            owner: None,
        }
    }

    /// The same with these operations allowed, and no others.
    pub fn with_operations<I>(mut self, operations: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        self.operations = operations.into_iter().map(Into::into).collect();
        self
    }

    /// The same, seeing what others of its tenant asked for.
    pub fn seeing_others(mut self) -> Self {
        self.see_others = true;
        self
    }
}

/// Why a list of tokens can not be used.
#[derive(Debug, Error)]
pub enum TokensError {
    /// The file can not be read.
    #[error("the tokens file {path} can not be read: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not what `interfaces.md` says.
    #[error("the tokens file {path} is not well formed: {source}")]
    Malformed {
        /// The file.
        path: String,
        /// Where and what.
        source: Box<toml::de::Error>,
    },
    /// A secret's hash is no SHA-256.
    #[error("secret_sha256 of subject {subject} must be 64 hexadecimal digits")]
    NotAHash {
        /// Whose token it is.
        subject: String,
    },
}

/// Reads a tokens file: `[[token]]` tables with the members of [`Token`].
///
/// # Errors
/// A file that can not be read or is not well formed.
pub fn read_tokens(path: &Path) -> Result<Vec<Token>, TokensError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct TokensFile {
        #[serde(default)]
        token: Vec<Token>,
    }
    let name = || path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|source| TokensError::Unreadable { path: name(), source })?;
    let file: TokensFile = toml::from_str(&text)
        .map_err(|source| TokensError::Malformed { path: name(), source: Box::new(source) })?;
    Ok(file.token)
}

/// The tokens in force.
#[derive(Debug)]
pub(crate) struct Access {
    by_hash: RwLock<HashMap<[u8; 32], Arc<Token>>>,
    /// The token that practice mode made: no list takes it away.
    own: Option<Token>,
}

impl Access {
    pub(crate) fn new(tokens: Vec<Token>, own: Option<Token>) -> Result<Self, TokensError> {
        let by_hash = index(tokens.into_iter().chain(own.clone()))?;
        Ok(Self { by_hash: RwLock::new(by_hash), own })
    }

    /// From now on these tokens and no others.
    pub(crate) fn replace(&self, tokens: Vec<Token>) -> Result<(), TokensError> {
        let tokens = index(tokens.into_iter().chain(self.own.clone()))?;
        *self.by_hash.write().unwrap_or_else(PoisonError::into_inner) = tokens;
        Ok(())
    }

    /// Whose secret this is. The look goes by its hash, so its time tells nothing of the secret.
    pub(crate) fn caller(&self, secret: &str) -> Option<Arc<Token>> {
        let hash: [u8; 32] = Sha256::digest(secret).into();
        self.by_hash.read().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned()
    }
}

fn index(
    tokens: impl Iterator<Item = Token>,
) -> Result<HashMap<[u8; 32], Arc<Token>>, TokensError> {
    tokens
        .map(|token| {
            let mut hash = [0; 32];
            hex::decode_to_slice(&token.secret_sha256, &mut hash)
                .map_err(|_| TokensError::NotAHash { subject: token.subject.clone() })?;
            Ok((hash, Arc::new(token)))
        })
        .collect()
}
