//! Why a call brought no answer: from what the HTTP library hands back to one of our reasons.
//!
//! Which side of the boundary a call ended on is never read off an error here: the recorder knows
//! (facts.md, rules 1 and 2). Errors only say *why*, and by their types, never by their text.

use std::{error::Error as StdError, io};

use super::{
    hooks::{ConnectTimedOut, NotResolved},
    phases::{Boundary, PhaseRecorder},
};
use crate::attempt::{AttemptResult, CallReason, Phase};

/// What broke a call off.
#[derive(Debug)]
pub(super) enum Fault {
    /// The HTTP library gave up.
    Http(reqwest::Error),
    /// The time for the whole call was over.
    TimedOut,
}

impl From<reqwest::Error> for Fault {
    fn from(error: reqwest::Error) -> Self {
        Self::Http(error)
    }
}

/// The result of a call that a fault ended before any head of an answer came.
///
/// This is where *not sent* is decided: the boundary is barred first, so from here on nothing leaves.
pub(super) fn result_of(fault: &Fault, progress: &PhaseRecorder) -> AttemptResult {
    let phase = progress.phase();
    match progress.bar() {
        Boundary::Ahead | Boundary::Barred => {
            AttemptResult::NotSent { reason: reason_before(fault, phase) }
        }
        Boundary::Crossed(_) => {
            AttemptResult::Lost { phase: progress.phase(), reason: reason_after(fault), hint: None }
        }
    }
}

/// Why nothing left.
fn reason_before(fault: &Fault, phase: Phase) -> CallReason {
    let error = match fault {
        Fault::TimedOut => return CallReason::ConnectTimeout,
        Fault::Http(error) => error,
    };
    if error.is_builder() {
        return CallReason::RequestInvalid;
    }
    if let Some(reason) = causes(error).find_map(|cause| specific_before(cause, phase)) {
        return reason;
    }
    match (error.is_connect(), phase) {
        // What is left of the errors of opening a connection, with no cause of its own, is the
        // proxy's: it answered CONNECT with something else than 200.
        (true, Phase::Prepare | Phase::Resolve | Phase::Connect) => proxy_reason(error),
        (true, _) => CallReason::TlsFailed,
        (false, _) => CallReason::ClosedBeforeSend,
    }
}

fn specific_before(cause: &(dyn StdError + 'static), phase: Phase) -> Option<CallReason> {
    if cause.is::<ConnectTimedOut>() {
        return Some(CallReason::ConnectTimeout);
    }
    if cause.is::<NotResolved>() {
        return Some(CallReason::HostNotFound);
    }
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        let untrusted = matches!(error, rustls::Error::InvalidCertificate(_));
        let reason =
            if untrusted { CallReason::CertificateUntrusted } else { CallReason::TlsFailed };
        return Some(reason);
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // One error of the system may wrap another: the innermost says why.
    if error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>() || inner.is::<io::Error>()) {
        return None;
    }
    Some(io_reason_before(error.kind(), phase))
}

/// `io::ErrorKind` is open to new kinds, so the rest has a name of its own.
fn io_reason_before(kind: io::ErrorKind, phase: Phase) -> CallReason {
    if kind == io::ErrorKind::ConnectionRefused {
        CallReason::ConnectionRefused
    } else if kind == io::ErrorKind::TimedOut {
        CallReason::ConnectTimeout
    } else if kind == io::ErrorKind::NetworkUnreachable || kind == io::ErrorKind::NetworkDown {
        CallReason::NoNetwork
    } else if phase == Phase::Secure {
        CallReason::TlsFailed
    } else {
        CallReason::ConnectFailed
    }
}

/// Whether the proxy wants a sign-in (407) or refuses for another reason. The library does not
/// export the type of this error; the name of its variant is all there is to go by, and a test
/// over a real proxy holds it.
fn proxy_reason(error: &reqwest::Error) -> CallReason {
    match causes(error).last() {
        Some(last) if format!("{last:?}") == "ProxyAuthRequired" => CallReason::ProxySignIn,
        Some(_) | None => CallReason::ProxyRefused,
    }
}

/// Why no answer came, or why it broke off.
pub(super) fn reason_after(fault: &Fault) -> CallReason {
    let error = match fault {
        Fault::TimedOut => return CallReason::Timeout,
        Fault::Http(error) => error,
    };
    if error.is_timeout() {
        return CallReason::Timeout;
    }
    causes(error).find_map(specific_after).unwrap_or(CallReason::ClosedWithoutAnswer)
}

/// Why the body of an answer broke off after its head.
pub(super) fn reason_of_cut(fault: &Fault) -> CallReason {
    match fault {
        Fault::TimedOut => CallReason::Timeout,
        Fault::Http(error) if error.is_timeout() => CallReason::Timeout,
        Fault::Http(_) => CallReason::Truncated,
    }
}

fn specific_after(cause: &(dyn StdError + 'static)) -> Option<CallReason> {
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        if error.is_parse() {
            return Some(CallReason::Garbled);
        }
        if error.is_incomplete_message() {
            return Some(CallReason::ClosedWithoutAnswer);
        }
        return None;
    }
    let kind = cause.downcast_ref::<io::Error>()?.kind();
    let reset = [
        io::ErrorKind::ConnectionReset,
        io::ErrorKind::ConnectionAborted,
        io::ErrorKind::BrokenPipe,
    ];
    if reset.contains(&kind) { Some(CallReason::Reset) } else { None }
}

/// An error and all that caused it. What an `io::Error` wraps is a cause that `source` skips.
pub(super) fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        match inner {
            Some(inner) => Some(inner as &(dyn StdError + 'static)),
            None => error.source(),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn before(cause: &(dyn StdError + 'static), phase: Phase) -> Option<CallReason> {
        causes(cause).find_map(|cause| specific_before(cause, phase))
    }

    #[test]
    fn a_certificate_that_is_not_trusted_is_told_from_a_broken_handshake() {
        let untrusted = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
        let untrusted = io::Error::new(io::ErrorKind::InvalidData, untrusted);
        assert_eq!(before(&untrusted, Phase::Secure), Some(CallReason::CertificateUntrusted));
        let wrapped = io::Error::other(untrusted);
        assert_eq!(before(&wrapped, Phase::Secure), Some(CallReason::CertificateUntrusted));
        let broken = io::Error::new(io::ErrorKind::InvalidData, rustls::Error::DecryptError);
        assert_eq!(before(&broken, Phase::Secure), Some(CallReason::TlsFailed));
        let closed = io::Error::from(io::ErrorKind::UnexpectedEof);
        assert_eq!(before(&closed, Phase::Secure), Some(CallReason::TlsFailed));
        assert_eq!(before(&closed, Phase::Connect), Some(CallReason::ConnectFailed));
    }

    #[test]
    fn the_reasons_of_a_connection_that_did_not_open() {
        let of = |kind| before(&io::Error::from(kind), Phase::Connect);
        assert_eq!(of(io::ErrorKind::ConnectionRefused), Some(CallReason::ConnectionRefused));
        assert_eq!(of(io::ErrorKind::NetworkUnreachable), Some(CallReason::NoNetwork));
        assert_eq!(of(io::ErrorKind::TimedOut), Some(CallReason::ConnectTimeout));
        assert_eq!(of(io::ErrorKind::PermissionDenied), Some(CallReason::ConnectFailed));
    }

    #[test]
    fn a_time_out_is_not_sent_only_where_nothing_can_leave_any_more() {
        let progress = PhaseRecorder::new(Arc::new(crate::clock::SystemClock));
        let result = result_of(&Fault::TimedOut, &progress);
        assert_eq!(result, AttemptResult::NotSent { reason: CallReason::ConnectTimeout });
        assert!(progress.cross().is_err(), "the way is barred");

        let progress = PhaseRecorder::new(Arc::new(crate::clock::SystemClock));
        progress.cross().unwrap();
        let lost =
            AttemptResult::Lost { phase: Phase::Send, reason: CallReason::Timeout, hint: None };
        assert_eq!(result_of(&Fault::TimedOut, &progress), lost);
    }
}
