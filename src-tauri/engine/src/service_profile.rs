//! Which services the person has added: what an address may be, and how a new one begins.
//!
//! An address is normalised once, when it is added, so that one service has one spelling. A
//! credential never travels in clear and never lies in an address.

use jiff::Timestamp;
use thiserror::Error;
use url::{Host, Url};

use crate::{
    export::ServiceId,
    store::{Practice, ServiceProfile},
};

/// Characters of an address.
const ADDRESS_CHARS_MAX: usize = 2_000;
/// Characters of a tenant.
const TENANT_CHARS_MAX: usize = 200;
/// Characters of the name that a person gives.
const NAME_CHARS_MAX: usize = 100;

/// The address of a service: https, or http on this computer alone; no credential, no query, no
/// trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceAddress(Url);

/// An address that can not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// It can not be read as one.
    #[error("that is no address: write it like https://exports.example.com")]
    NotAnAddress,
    /// It would send the credential in clear.
    #[error("the address must begin with https://; http:// is for this computer only")]
    NotHttps,
    /// It holds a user or a password.
    #[error("the address must not hold a user or a password: sign in separately")]
    HoldsCredential,
    /// It has a query or a fragment.
    #[error("the address must end before any ? or #")]
    HoldsQuery,
}

impl ServiceAddress {
    /// Reads what a person typed. Without a scheme it is https.
    ///
    /// # Errors
    /// See [`AddressError`].
    pub fn parse(typed: &str) -> Result<Self, AddressError> {
        let typed = typed.trim();
        if typed.is_empty() || typed.chars().count() > ADDRESS_CHARS_MAX {
            return Err(AddressError::NotAnAddress);
        }
        let whole =
            if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
        let mut url = Url::parse(&whole).map_err(|_| AddressError::NotAnAddress)?;
        let host = url.host().ok_or(AddressError::NotAnAddress)?;
        match url.scheme() {
            "https" => {}
            "http" if is_this_computer(&host) => {}
            _ => return Err(AddressError::NotHttps),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::HoldsCredential);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(AddressError::HoldsQuery);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }

    /// As text, without a trailing slash.
    pub fn as_text(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// The host, to name a service by that has no name yet.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

fn is_this_computer(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

/// Whether a text can be a tenant: one segment of a path that leads nowhere else, whatever a server
/// between makes of it.
pub fn is_tenant(typed: &str) -> bool {
    let typed = typed.trim();
    let safe = |letter: char| !letter.is_control() && !r"/\?#%".contains(letter);
    !matches!(typed, "" | "." | "..")
        && typed.chars().count() <= TENANT_CHARS_MAX
        && typed.chars().all(safe)
}

/// A service that the person adds now. Without a name it is called by its host.
pub fn new_profile(
    name: Option<&str>,
    address: &ServiceAddress,
    tenant_id: &str,
    practice: Practice,
    now: Timestamp,
) -> ServiceProfile {
    let given: String = name.unwrap_or_default().trim().chars().take(NAME_CHARS_MAX).collect();
    ServiceProfile {
        id: ServiceId::mint(),
        name: if given.is_empty() { address.host().to_owned() } else { given },
        address: address.as_text().to_owned(),
        tenant_id: tenant_id.trim().to_owned(),
        practice,
        caller: None,
        facts: None,
        catalogue: None,
        added_at: now,
        removed_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_is_one_segment_of_a_path() {
        for tenant in ["acme", " acme ", "Acme GmbH & Co. KG", "东方", "a.b", "..."] {
            assert!(is_tenant(tenant), "{tenant}");
        }
        for wrong in ["", " ", ".", "..", "a/b", "..\\a", "a?b", "a#b", "%2e%2e", "a\nb"] {
            assert!(!is_tenant(wrong), "{wrong:?}");
        }
        assert!(!is_tenant(&"a".repeat(TENANT_CHARS_MAX + 1)));
    }

    fn parsed(typed: &str) -> Result<String, AddressError> {
        ServiceAddress::parse(typed).map(|address| address.as_text().to_owned())
    }

    #[test]
    fn one_service_has_one_spelling() {
        for typed in [
            "https://exports.example.com",
            "https://exports.example.com/",
            " HTTPS://Exports.Example.COM:443// ",
            "exports.example.com",
        ] {
            assert_eq!(parsed(typed).unwrap(), "https://exports.example.com", "{typed}");
        }
        assert_eq!(parsed("https://a.example/base/").unwrap(), "https://a.example/base");
    }

    #[test]
    fn clear_text_stays_on_this_computer() {
        for typed in ["http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:9"] {
            assert_eq!(parsed(typed).unwrap(), typed);
        }
        for typed in
            ["http://example.com", "http://10.0.0.1", "http://localhost.example.com", "ftp://x"]
        {
            assert_eq!(parsed(typed), Err(AddressError::NotHttps), "{typed}");
        }
    }

    #[test]
    fn an_address_holds_nothing_secret_and_nothing_else() {
        assert_eq!(parsed("https://me:pw@a.example"), Err(AddressError::HoldsCredential));
        assert_eq!(parsed("https://me@a.example"), Err(AddressError::HoldsCredential));
        assert_eq!(parsed("https://a.example?x=1"), Err(AddressError::HoldsQuery));
        assert_eq!(parsed("https://a.example#x"), Err(AddressError::HoldsQuery));
        for typed in ["", "  ", "https://", "not an address"] {
            assert_eq!(parsed(typed), Err(AddressError::NotAnAddress), "{typed}");
        }
    }

    #[test]
    fn a_service_without_a_name_is_called_by_its_host() {
        let address = ServiceAddress::parse("https://exports.example.com").unwrap();
        let made = |name| new_profile(name, &address, " t ", Practice::No, Timestamp::UNIX_EPOCH);
        assert_eq!(made(None).name, "exports.example.com");
        assert_eq!(made(Some("  ")).name, "exports.example.com");
        assert_eq!(made(Some(" Finance ")).name, "Finance");
        assert_eq!(made(None).tenant_id, "t");
    }
}
