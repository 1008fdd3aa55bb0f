//! Where credentials are kept: the system's keychain, else memory until the program ends.
//!
//! Never the store, never an argument, never a log.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{export::ServiceId, secret::Secret, view::CredentialKept};

/// Keeps one credential for each service. Every method may block.
pub trait Secrets: Send + Sync {
    /// The credential, if one is kept and can be read.
    fn get(&self, service: &ServiceId) -> Option<Secret>;
    /// Keeps a credential in place of the one before.
    fn set(&self, service: &ServiceId, secret: &Secret);
    /// Forgets the credential.
    fn delete(&self, service: &ServiceId);
    /// Where the credential of this service is kept.
    fn kept(&self, service: &ServiceId) -> CredentialKept;
}

/// Keeps credentials in memory.
#[derive(Debug, Default)]
pub struct MemorySecrets(Mutex<HashMap<ServiceId, Secret>>);

impl Secrets for MemorySecrets {
    fn get(&self, service: &ServiceId) -> Option<Secret> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(service).cloned()
    }

    fn set(&self, service: &ServiceId, secret: &Secret) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(service.clone(), secret.clone());
    }

    fn delete(&self, service: &ServiceId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(service);
    }

    fn kept(&self, service: &ServiceId) -> CredentialKept {
        match self.get(service) {
            Some(_) => CredentialKept::Session,
            None => CredentialKept::None,
        }
    }
}

/// What this computer offers.
pub fn of_this_computer() -> Arc<dyn Secrets> {
    Arc::new(MemorySecrets::default())
}
