//! The services that the person has added: their addresses, credentials and catalogues.
//!
//! A credential is handed to [`Secrets`](crate::secrets::Secrets) and never to the store. Whose it
//! is, the service says; an export asked for by somebody else waits for that person.

use jiff::Timestamp;

use super::Engine;
use crate::{
    attempt::AttemptEnd,
    checks,
    desk::{Desk, Naming, Result},
    error::EngineError,
    export::ServiceId,
    secret::Secret,
    service_profile::{ServiceAddress, is_tenant, new_profile},
    store::{Added, Catalogue, Practice, Removed, ServiceProfile},
    view::{CatalogueView, CheckView, ErrorCode, OperationView, ServiceView},
};

/// A service to add.
#[derive(Clone, Debug)]
pub struct NewService {
    /// What the person calls it; the service's own name, else its host, where absent.
    pub name: Option<String>,
    /// Its address.
    pub address: String,
    /// The tenant.
    pub tenant_id: String,
    /// The credential.
    pub token: Option<String>,
    /// Whether it is for practice.
    pub practice: Practice,
}

impl Engine {
    /// The services that the person has added.
    ///
    /// # Errors
    /// The store can not be read.
    pub async fn services(&self) -> Result<Vec<ServiceView>> {
        self.desk.blocking(Desk::service_views).await
    }

    /// Adds a service; one of the same address and tenant is taken up again. It is added also where
    /// it can not be reached now.
    ///
    /// # Errors
    /// An address that can not be used; a credential that the service does not take; the store can
    /// not be written.
    pub async fn add_service(&self, new: NewService) -> Result<ServiceView> {
        let address = ServiceAddress::parse(&new.address).map_err(|error| {
            EngineError::new(
                ErrorCode::InvalidAddress,
                format!("{} can not be used: {error}.", new.address),
            )
        })?;
        if !is_tenant(&new.tenant_id) {
            return Err(EngineError::new(
                ErrorCode::InvalidAddress,
                format!(
                    "{} can not be a tenant: give its name alone, without any of / \\ ? # %.",
                    new.tenant_id
                ),
            ));
        }
        let now = self.desk.clock.now();
        let profile = new_profile(new.name.as_deref(), &address, &new.tenant_id, new.practice, now);
        let naming = if new.name.is_some() { Naming::ByPerson } else { Naming::ByService };
        let added = self.desk.blocking(move |desk| Ok(desk.store.add_service(profile)?)).await?;
        let (profile, naming) = match added {
            Added::New(profile) => (profile, naming),
            // It keeps the name that it has, unless the person gives another.
            Added::AlreadyThere(profile) => {
                (self.rename(profile, new.name.as_deref()).await?, Naming::ByPerson)
            }
        };
        self.desk.learn_facts(&profile, naming).await;
        if let Some(token) = new.token {
            let signed_in = self.sign_in(&profile.id, token).await;
            match signed_in {
                // It is kept, and tried again before the next call.
                Err(error) if error.code == ErrorCode::Unreachable => {}
                other => return other,
            }
        }
        self.desk.publish_services().await?;
        self.service(&profile.id).await
    }

    /// Removes a service. Exports that are over keep their history.
    ///
    /// # Errors
    /// It has open exports; there is no such service; the store can not be written.
    pub async fn remove_service(&self, id: &ServiceId) -> Result<()> {
        let (service, now) = (id.clone(), self.desk.clock.now());
        self.desk
            .blocking(move |desk| match desk.store.remove_service(&service, now)? {
                Removed::Gone => {
                    desk.secrets.delete(&service);
                    Ok(())
                }
                Removed::Unknown => Err(EngineError::unknown_service(service.as_str())),
                Removed::InUse(open) => Err(EngineError::new(
                    ErrorCode::ServiceInUse,
                    match open {
                        1 => "One export of this service is still open; cancel or settle it first.".to_owned(),
                        open => format!(
                            "{open} exports of this service are still open; cancel or settle them first."
                        ),
                    },
                )),
            })
            .await?;
        self.desk.forget_credential(id);
        self.desk.publish_services().await
    }

    /// Signs in with a token: it is kept, the service is asked whose it is, and what waited for it
    /// goes on.
    ///
    /// # Errors
    /// The service does not take it, then the one before is kept; it can not be reached, then the
    /// new one is kept; there is no such service.
    pub async fn sign_in(&self, id: &ServiceId, token: String) -> Result<ServiceView> {
        let secret = Secret::new(token.trim());
        let service = id.clone();
        let profile = self.desk.blocking(move |desk| desk.profile(&service)).await?;
        let asked = self.desk.ask_catalogue(&profile, Some(secret.clone())).await;
        if let Err(end) = &asked
            && end.result.wants_sign_in()
        {
            return Err(EngineError::new(
                ErrorCode::SignInNeeded,
                format!("{} does not take this token; check it and try again.", profile.name),
            ));
        }
        // The practice service's is good until the program ends, and no business of the keychain.
        if profile.practice == Practice::No {
            let (service, kept) = (id.clone(), secret.clone());
            let keep = move |desk: &Desk| {
                // Until it is known anew: a driver must not take the new one for the old one's.
                desk.store.update_service(&service, &mut |profile| profile.caller = None)?;
                desk.secrets.set(&service, &kept);
                // It may have been removed since it was read; whoever does that comes before or after.
                let there = desk.profile(&service);
                if there.is_err() {
                    desk.secrets.delete(&service);
                }
                there.map(drop)
            };
            self.desk.blocking(keep).await?;
        }
        self.desk.count_anew(id);
        self.desk.keep_credential(id, secret);
        match asked {
            Ok(list) => self.desk.know_caller(id, list).await?,
            Err(end) => {
                self.desk.forget_caller(id).await?;
                return Err(unreachable(&profile, &end));
            }
        }
        self.desk.tell_driver();
        self.desk.publish_services().await?;
        self.service(id).await
    }

    /// What may be asked for at a service: told now, else as it was told last.
    ///
    /// # Errors
    /// It can not be reached and never told; it does not take the credential; there is no such
    /// service.
    pub async fn operations(&self, id: &ServiceId) -> Result<CatalogueView> {
        let service = id.clone();
        let profile = self.desk.blocking(move |desk| desk.profile(&service)).await?;
        let credential = self.desk.credential(id).await;
        let asked = match credential {
            Some(credential) => self.desk.ask_catalogue(&profile, Some(credential)).await,
            None if profile.catalogue.is_none() => return Err(sign_in_needed(&profile)),
            None => return Ok(catalogue_view(id, profile.catalogue.as_ref())),
        };
        match asked {
            Ok(list) => {
                self.desk.know_caller(id, list).await?;
                let service = id.clone();
                let profile = self.desk.blocking(move |desk| desk.profile(&service)).await?;
                Ok(catalogue_view(id, profile.catalogue.as_ref()))
            }
            Err(end) if profile.catalogue.is_none() && end.result.wants_sign_in() => {
                Err(sign_in_needed(&profile))
            }
            Err(end) if profile.catalogue.is_none() => Err(unreachable(&profile, &end)),
            Err(_) => Ok(catalogue_view(id, profile.catalogue.as_ref())),
        }
    }

    /// The five checks of a service. Reading only; no export is started. A service that passes them
    /// is trusted again with keys, whatever it showed before.
    ///
    /// # Errors
    /// There is no such service.
    pub async fn check_service(&self, id: &ServiceId) -> Result<Vec<CheckView>> {
        let service = id.clone();
        let profile = self.desk.blocking(move |desk| desk.profile(&service)).await?;
        // Reading only, and what it learns is shown beside the service's name.
        self.desk.learn_facts(&profile, Naming::ByPerson).await;
        let credential = self.desk.credential(id).await;
        let call = self.desk.call_about(&profile).with(credential);
        let checks = checks::run(self.desk.connector.as_ref(), &call).await;
        if checks::passed_whole(&checks) {
            let service = id.clone();
            self.desk.blocking(move |desk| desk.trust_anew(&service)).await?;
        }
        Ok(checks)
    }

    async fn rename(&self, profile: ServiceProfile, name: Option<&str>) -> Result<ServiceProfile> {
        let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else {
            return Ok(profile);
        };
        let (id, name) = (profile.id.clone(), name.to_owned());
        let renamed = self
            .desk
            .blocking(move |desk| {
                Ok(desk.store.update_service(&id, &mut |profile| profile.name.clone_from(&name))?)
            })
            .await?;
        Ok(renamed.unwrap_or(profile))
    }

    async fn service(&self, id: &ServiceId) -> Result<ServiceView> {
        let services = self.services().await?;
        services
            .into_iter()
            .find(|service| service.id == id.as_str())
            .ok_or_else(|| EngineError::unknown_service(id.as_str()))
    }
}

fn sign_in_needed(profile: &ServiceProfile) -> EngineError {
    EngineError::new(
        ErrorCode::SignInNeeded,
        format!("Sign in to {} first; no valid token for it is here.", profile.name),
    )
}

fn unreachable(profile: &ServiceProfile, end: &AttemptEnd) -> EngineError {
    let why = end.result.reason();
    // A head that came and made no sense is somebody else's; without one nobody was reached.
    let code = match end.http_status {
        Some(_) => ErrorCode::NotAService,
        None => ErrorCode::Unreachable,
    };
    let what = why.map_or("no answer that can be read", |why| why.as_str()).replace('_', " ");
    let message = format!(
        "{} at {} could not be asked ({what}); check the address and the network.",
        profile.name, profile.address
    );
    EngineError::new(code, message)
}

fn catalogue_view(id: &ServiceId, catalogue: Option<&Catalogue>) -> CatalogueView {
    let operations = catalogue.map(|catalogue| catalogue.operations.operations.clone());
    CatalogueView {
        service_id: id.to_string(),
        operations: operations
            .unwrap_or_default()
            .into_iter()
            .map(|operation| OperationView {
                operation: operation.operation,
                title: operation.title,
                description: operation.description,
                parameters: operation.parameters,
                formats: operation.formats,
            })
            .collect(),
        fetched_at: catalogue.map_or(Timestamp::UNIX_EPOCH, |catalogue| catalogue.fetched_at),
    }
}
