//! Where credentials are kept: in the system's keychain, else in memory until the program ends.
//!
//! Which of the two it was is always said ([`CredentialKept`]), never guessed. A credential is in no
//! file, log or argument of ours. All calls block: they may wait for the keychain's own service.
//!
//! What the keychain's answers mean was measured (facts.md): with no keychain at all an entry can not
//! be made; a locked one refuses to write, but to a read it says "no such entry", which looks like
//! "nothing saved". So a credential that could not be written is remembered here, and one that can
//! not be read is a credential that is not there: the person signs in, and nothing is lost.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{export::ServiceId, secret::Secret, view::CredentialKept};

/// The name under which the keychain lists our entries.
const KEYCHAIN_SERVICE: &str = "Docket";

/// Keeps one credential for each service.
pub trait Secrets: Send + Sync {
    /// The credential of a service.
    fn get(&self, service: &ServiceId) -> Option<Secret>;

    /// Keeps a credential, in the place of the one before. Returns where it is kept.
    fn set(&self, service: &ServiceId, secret: &Secret) -> CredentialKept;

    /// Forgets the credential of a service.
    fn delete(&self, service: &ServiceId);

    /// Where the credential of a service is kept.
    fn kept(&self, service: &ServiceId) -> CredentialKept;
}

/// The keychain of this computer, with memory for what it does not take.
pub fn of_this_computer() -> Arc<dyn Secrets> {
    Arc::new(KeychainSecrets::over(SystemKeychain))
}

/// Keeps credentials until the program ends.
#[derive(Debug, Default)]
pub struct MemorySecrets {
    kept: Mutex<BTreeMap<ServiceId, Secret>>,
}

impl MemorySecrets {
    fn map(&self) -> MutexGuard<'_, BTreeMap<ServiceId, Secret>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Secrets for MemorySecrets {
    fn get(&self, service: &ServiceId) -> Option<Secret> {
        self.map().get(service).cloned()
    }

    fn set(&self, service: &ServiceId, secret: &Secret) -> CredentialKept {
        self.map().insert(service.clone(), secret.clone());
        CredentialKept::Session
    }

    fn delete(&self, service: &ServiceId) {
        self.map().remove(service);
    }

    fn kept(&self, service: &ServiceId) -> CredentialKept {
        if self.map().contains_key(service) {
            CredentialKept::Session
        } else {
            CredentialKept::None
        }
    }
}

/// What is needed of a keychain.
trait Keychain: Send + Sync {
    fn read(&self, service: &ServiceId) -> keyring::Result<String>;
    fn write(&self, service: &ServiceId, text: &str) -> keyring::Result<()>;
    fn remove(&self, service: &ServiceId) -> keyring::Result<()>;
}

/// The system's: Keychain Services, Credential Manager or the Secret Service.
struct SystemKeychain;

impl Keychain for SystemKeychain {
    fn read(&self, service: &ServiceId) -> keyring::Result<String> {
        keyring::Entry::new(KEYCHAIN_SERVICE, service.as_str())?.get_password()
    }

    fn write(&self, service: &ServiceId, text: &str) -> keyring::Result<()> {
        keyring::Entry::new(KEYCHAIN_SERVICE, service.as_str())?.set_password(text)
    }

    fn remove(&self, service: &ServiceId) -> keyring::Result<()> {
        keyring::Entry::new(KEYCHAIN_SERVICE, service.as_str())?.delete_credential()
    }
}

/// A keychain, with memory for what it does not take.
struct KeychainSecrets<K> {
    keychain: K,
    session: MemorySecrets,
    /// Which services' credentials the keychain was seen to hold.
    held: Mutex<BTreeMap<ServiceId, CredentialKept>>,
}

impl<K: Keychain> KeychainSecrets<K> {
    fn over(keychain: K) -> Self {
        Self { keychain, session: MemorySecrets::default(), held: Mutex::default() }
    }

    fn note(&self, service: &ServiceId, kept: CredentialKept) -> CredentialKept {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).insert(service.clone(), kept);
        kept
    }
}

impl<K: Keychain> Secrets for KeychainSecrets<K> {
    fn get(&self, service: &ServiceId) -> Option<Secret> {
        // What is in memory is newer than whatever the keychain may hold.
        if let Some(secret) = self.session.get(service) {
            return Some(secret);
        }
        match self.keychain.read(service) {
            Ok(text) => {
                self.note(service, CredentialKept::Keychain);
                Some(Secret::new(text))
            }
            Err(error) => {
                say(&error, "read");
                None
            }
        }
    }

    fn set(&self, service: &ServiceId, secret: &Secret) -> CredentialKept {
        match self.keychain.write(service, secret.expose()) {
            Ok(()) => {
                self.session.delete(service);
                self.note(service, CredentialKept::Keychain)
            }
            Err(error) => {
                say(&error, "written");
                self.note(service, self.session.set(service, secret))
            }
        }
    }

    fn delete(&self, service: &ServiceId) {
        self.session.delete(service);
        if let Err(error) = self.keychain.remove(service) {
            say(&error, "removed");
        }
        self.note(service, CredentialKept::None);
    }

    fn kept(&self, service: &ServiceId) -> CredentialKept {
        let known = self.held.lock().unwrap_or_else(PoisonError::into_inner).get(service).copied();
        match known {
            Some(kept) => kept,
            None if self.get(service).is_some() => CredentialKept::Keychain,
            None => CredentialKept::None,
        }
    }
}

/// Notes that the keychain did not do something. Its errors can carry the bytes of an entry, so only
/// what kind it was is said.
fn say(error: &keyring::Error, what: &'static str) {
    if matches!(error, keyring::Error::NoEntry) {
        return;
    }
    let kind = if matches!(error, keyring::Error::NoDefaultStore) {
        "no_keychain"
    } else if matches!(error, keyring::Error::NoStorageAccess(_)) {
        "locked"
    } else {
        "failed"
    };
    tracing::warn!(event = "keychain", reason = kind, "a credential could not be {what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum State {
        Missing,
        Locked,
        Open,
    }

    struct Fake {
        state: Mutex<State>,
        entries: Mutex<BTreeMap<ServiceId, String>>,
    }

    impl Fake {
        fn answer<T>(
            &self,
            locked: keyring::Error,
            open: impl FnOnce(&mut BTreeMap<ServiceId, String>) -> keyring::Result<T>,
        ) -> keyring::Result<T> {
            match *self.state.lock().unwrap() {
                State::Missing => Err(keyring::Error::NoDefaultStore),
                State::Locked => Err(locked),
                State::Open => open(&mut self.entries.lock().unwrap()),
            }
        }
    }

    /// As measured: a locked keychain denies that there is an entry, and refuses to write one.
    impl Keychain for Fake {
        fn read(&self, service: &ServiceId) -> keyring::Result<String> {
            self.answer(keyring::Error::NoEntry, |entries| {
                entries.get(service).cloned().ok_or(keyring::Error::NoEntry)
            })
        }

        fn write(&self, service: &ServiceId, text: &str) -> keyring::Result<()> {
            self.answer(keyring::Error::NoStorageAccess("locked".into()), |entries| {
                entries.insert(service.clone(), text.to_owned());
                Ok(())
            })
        }

        fn remove(&self, service: &ServiceId) -> keyring::Result<()> {
            self.answer(keyring::Error::NoEntry, |entries| {
                entries.remove(service).map(drop).ok_or(keyring::Error::NoEntry)
            })
        }
    }

    fn secrets(state: State) -> KeychainSecrets<Fake> {
        let fake = Fake { state: Mutex::new(state), entries: Mutex::default() };
        KeychainSecrets::over(fake)
    }

    fn service() -> ServiceId {
        ServiceId::from_text("s1")
    }

    #[test]
    fn an_open_keychain_keeps_a_credential_over_a_restart() {
        let first = secrets(State::Open);
        assert_eq!(first.kept(&service()), CredentialKept::None);
        assert_eq!(first.set(&service(), &Secret::new("a")), CredentialKept::Keychain);
        let restarted = KeychainSecrets::over(first.keychain);
        assert_eq!(restarted.kept(&service()), CredentialKept::Keychain);
        assert_eq!(restarted.get(&service()), Some(Secret::new("a")));
        restarted.delete(&service());
        assert_eq!(restarted.kept(&service()), CredentialKept::None);
        assert_eq!(restarted.get(&service()), None);
    }

    #[test]
    fn without_a_keychain_or_with_a_locked_one_it_is_kept_for_the_session_and_said_so() {
        for state in [State::Missing, State::Locked] {
            let secrets = secrets(state);
            assert_eq!(secrets.get(&service()), None);
            assert_eq!(secrets.set(&service(), &Secret::new("a")), CredentialKept::Session);
            assert_eq!(secrets.get(&service()), Some(Secret::new("a")), "{state:?}");
            assert_eq!(secrets.kept(&service()), CredentialKept::Session, "{state:?}");
            secrets.delete(&service());
            assert_eq!(secrets.get(&service()), None, "{state:?}");
        }
    }

    #[test]
    fn a_newer_credential_in_memory_goes_before_an_older_one_in_the_keychain() {
        let secrets = secrets(State::Open);
        secrets.set(&service(), &Secret::new("old"));
        *secrets.keychain.state.lock().unwrap() = State::Locked;
        assert_eq!(secrets.set(&service(), &Secret::new("new")), CredentialKept::Session);
        *secrets.keychain.state.lock().unwrap() = State::Open;
        assert_eq!(secrets.get(&service()), Some(Secret::new("new")));
        assert_eq!(secrets.set(&service(), &Secret::new("new")), CredentialKept::Keychain);
        assert_eq!(secrets.get(&service()), Some(Secret::new("new")));
    }

    #[test]
    fn memory_keeps_nothing_else() {
        let secrets = MemorySecrets::default();
        assert_eq!(secrets.set(&service(), &Secret::new("a")), CredentialKept::Session);
        assert_eq!(secrets.kept(&ServiceId::from_text("s2")), CredentialKept::None);
        assert!(!format!("{secrets:?}").contains("\"a\""));
    }
}
