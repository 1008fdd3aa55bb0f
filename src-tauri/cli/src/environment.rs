//! The credential of `DOCKET_TOKEN`: for the one service that the command is for, in memory, in
//! front of wherever credentials are kept. It is never written to the keychain and never sent to
//! another service.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use docket_engine::{export::ServiceId, secret::Secret, secrets::Secrets, view::CredentialKept};

/// See the head of this file.
pub struct EnvironmentSecrets {
    behind: Arc<dyn Secrets>,
    lent: Mutex<HashMap<ServiceId, Option<Secret>>>,
}

impl EnvironmentSecrets {
    /// Nothing lent yet.
    pub fn before(behind: Arc<dyn Secrets>) -> Self {
        Self { behind, lent: Mutex::default() }
    }

    /// From now on a credential for this service stays here.
    pub fn hold_for(&self, service: &ServiceId) {
        self.lent().entry(service.clone()).or_default();
    }

    fn lent(&self) -> MutexGuard<'_, HashMap<ServiceId, Option<Secret>>> {
        self.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Secrets for EnvironmentSecrets {
    fn get(&self, service: &ServiceId) -> Option<Secret> {
        let lent = self.lent().get(service).cloned().flatten();
        lent.or_else(|| self.behind.get(service))
    }

    fn set(&self, service: &ServiceId, secret: &Secret) -> CredentialKept {
        if let Some(place) = self.lent().get_mut(service) {
            *place = Some(secret.clone());
            return CredentialKept::Session;
        }
        self.behind.set(service, secret)
    }

    fn delete(&self, service: &ServiceId) {
        self.lent().remove(service);
        self.behind.delete(service);
    }

    fn kept(&self, service: &ServiceId) -> CredentialKept {
        match self.lent().get(service) {
            Some(Some(_)) => CredentialKept::Session,
            Some(None) | None => self.behind.kept(service),
        }
    }
}

#[cfg(test)]
mod tests {
    use docket_engine::secrets::MemorySecrets;

    use super::*;

    #[test]
    fn a_lent_credential_stays_in_front_and_goes_to_one_service() {
        let behind = Arc::new(MemorySecrets::default());
        let (mine, other) = (ServiceId::from_text("mine"), ServiceId::from_text("other"));
        let secrets = EnvironmentSecrets::before(Arc::clone(&behind) as Arc<dyn Secrets>);
        secrets.hold_for(&mine);
        secrets.set(&mine, &Secret::new("lent"));
        secrets.set(&other, &Secret::new("kept"));
        assert_eq!(secrets.get(&mine), Some(Secret::new("lent")));
        assert_eq!(behind.get(&mine), None, "it is not written behind");
        assert_eq!(behind.get(&other), Some(Secret::new("kept")));
    }
}
