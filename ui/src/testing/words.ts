// Every word of the domain, for tests that must miss none. `Record` makes the compiler hold each list to its type.
import type {
  AttemptKind, BusinessOutcome, CallReason, CallResult, ErrorCode, Hold, NextAction, NotCreatedWhy, PersonAction, Stage, UnresolvedReason,
} from '../lib/bindings';

const of = <T extends string>(words: Record<T, true>): T[] => Object.keys(words) as T[];

export const STAGES = of<Stage>({
  sending: true, waiting_to_send: true, confirming: true, accepted: true, running: true, cancelling: true, ready: true, downloading: true,
  saved: true, rejected: true, not_created: true, failed: true, cancelled: true, expired: true, unresolved: true,
});
export const HOLDS = of<Hold>({
  other_account: true, restored_store: true, sign_in: true, access_withdrawn: true, paused: true, cannot_write: true, no_space: true,
  check_failed: true, download_interrupted: true, no_progress: true,
});
export const CALL_REASONS = of<CallReason>({
  no_network: true, host_not_found: true, connection_refused: true, connect_timeout: true, connect_failed: true, certificate_untrusted: true,
  tls_failed: true, proxy_refused: true, proxy_sign_in: true, no_credential: true, access_refused: true, asked_to_wait: true, request_invalid: true, closed_before_send: true,
  closed_without_answer: true, reset: true, timeout: true, truncated: true, garbled: true, not_the_service: true, service_error: true,
  redirect: true, no_job_named: true, undecodable: true, mismatched: true, in_progress: true, interrupted: true, restored: true,
});
export const UNRESOLVED_REASONS = of<UnresolvedReason>({
  service_unreachable: true, service_errors: true, answer_unreadable: true, sign_in_refused: true, access_withdrawn: true, not_visible: true,
  lookup_unsupported: true, ambiguous_matches: true, mismatched_answer: true, key_expired: true, key_breached: true, job_vanished: true,
  no_progress: true,
});
export const NOT_CREATED_WHYS = of<NotCreatedWhy>({ withdrawn: true, never_sent: true, abandoned: true, abandoned_elsewhere: true, by_hand: true });
export const OUTCOMES = of<BusinessOutcome>({
  unknown: true, not_created: true, rejected: true, queued: true, running: true, succeeded: true, failed: true, cancelled: true, expired: true,
});
export const CALL_RESULTS = of<CallResult>({ not_sent: true, lost: true, answered: true });
export const KINDS = of<AttemptKind>({ describe: true, submit: true, lookup: true, poll: true, abandon: true, cancel: true, download: true });
export const NEXT_ACTIONS = of<NextAction>({ describe: true, submit: true, lookup: true, poll: true, abandon: true, cancel: true, download: true });
export const ACTIONS = of<PersonAction>({
  'check-now': true, 'send-now': true, resend: true, cancel: true, settle: true, 'sign-in': true, download: true, pause: true, resume: true,
  'open-file': true, 'show-in-folder': true, 'edit-and-resubmit': true, 'export-again': true,
});
export const ERROR_CODES = of<ErrorCode>({
  unknown_export: true, unknown_service: true, unknown_operation: true, invalid_parameters: true, invalid_address: true, unreachable: true,
  not_a_service: true, sign_in_needed: true, other_account: true, not_now: true, driven: true, service_in_use: true, cannot_write: true,
  store_unwritable: true, store_too_new: true, store_damaged: true, store_foreign: true, store_busy: true, store_on_network: true, disk_full: true, internal: true,
});
