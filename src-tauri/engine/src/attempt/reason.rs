//! Why a call was not sent or was lost: one closed list, on either side of the submission boundary.

words!(
    /// Why a call was not sent or was lost.
    CallReason {
        /// The computer has no network.
        NoNetwork = "no_network",
        /// The host's name has no address.
        HostNotFound = "host_not_found",
        /// Nobody listens there.
        ConnectionRefused = "connection_refused",
        /// The connection could not be opened in time.
        ConnectTimeout = "connect_timeout",
        /// The connection could not be opened for another reason.
        ConnectFailed = "connect_failed",
        /// The certificate is not trusted by this computer.
        CertificateUntrusted = "certificate_untrusted",
        /// The TLS handshake broke.
        TlsFailed = "tls_failed",
        /// The proxy did not let the call through.
        ProxyRefused = "proxy_refused",
        /// The proxy asks for a sign-in.
        ProxySignIn = "proxy_sign_in",
        /// There is no credential for this service on this computer.
        NoCredential = "no_credential",
        /// The service has no such tenant for this account, or does not let it ask.
        AccessRefused = "access_refused",
        /// The service asked to wait before it was asked for anything.
        AskedToWait = "asked_to_wait",
        /// The address or the request could not be built.
        RequestInvalid = "request_invalid",
        /// The connection was closed before a byte of the request was taken up.
        ClosedBeforeSend = "closed_before_send",
        /// The connection closed without a byte of an answer.
        ClosedWithoutAnswer = "closed_without_answer",
        /// The connection was reset.
        Reset = "reset",
        /// No answer within the time.
        Timeout = "timeout",
        /// The answer broke off.
        Truncated = "truncated",
        /// The answer was not HTTP.
        Garbled = "garbled",
        /// An answer that is not recognisably the service's: an intermediary's, an HTML page.
        NotTheService = "not_the_service",
        /// The service itself met a fault (5xx).
        ServiceError = "service_error",
        /// A redirect, which is never followed.
        Redirect = "redirect",
        /// The answer names no job.
        NoJobNamed = "no_job_named",
        /// The body does not decode.
        Undecodable = "undecodable",
        /// It tells of another key, operation, payload, tenant or requester.
        Mismatched = "mismatched",
        /// The service is still handling a request with this key.
        InProgress = "in_progress",
        /// The program ended while the call was under way.
        Interrupted = "interrupted",
        /// The store was copied or restored: a submit may have been made that it does not know.
        Restored = "restored",
    }
);

impl CallReason {
    /// Whether the reason belongs to the phases before the submission boundary.
    pub fn is_before_the_boundary(self) -> bool {
        match self {
            Self::NoNetwork
            | Self::HostNotFound
            | Self::ConnectionRefused
            | Self::ConnectTimeout
            | Self::ConnectFailed
            | Self::CertificateUntrusted
            | Self::TlsFailed
            | Self::ProxyRefused
            | Self::ProxySignIn
            | Self::NoCredential
            | Self::AccessRefused
            | Self::AskedToWait
            | Self::RequestInvalid
            | Self::ClosedBeforeSend => true,
            Self::ClosedWithoutAnswer
            | Self::Reset
            | Self::Timeout
            | Self::Truncated
            | Self::Garbled
            | Self::NotTheService
            | Self::ServiceError
            | Self::Redirect
            | Self::NoJobNamed
            | Self::Undecodable
            | Self::Mismatched
            | Self::InProgress
            | Self::Interrupted
            | Self::Restored => false,
        }
    }
}
