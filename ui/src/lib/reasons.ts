// Why a call was not sent or was lost, and why a check did not pass, in words. Pure.
import type { CallReason, ExportView } from './bindings';
import type { Speech } from './speech';

/** Every reason has words; a word of a later version falls back to "reason not known". */
const CALL_REASONS: Record<CallReason, true> = {
  no_network: true,
  host_not_found: true,
  connection_refused: true,
  connect_timeout: true,
  connect_failed: true,
  certificate_untrusted: true,
  tls_failed: true,
  proxy_refused: true,
  proxy_sign_in: true,
  no_credential: true,
  access_refused: true,
  asked_to_wait: true,
  request_invalid: true,
  closed_before_send: true,
  closed_without_answer: true,
  reset: true,
  timeout: true,
  truncated: true,
  garbled: true,
  not_the_service: true,
  service_error: true,
  redirect: true,
  no_job_named: true,
  undecodable: true,
  mismatched: true,
  in_progress: true,
  interrupted: true,
  restored: true,
};

export const isCallReason = (word: string): word is CallReason => word in CALL_REASONS;

/** The host of an address, without what stands around it. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : address;
}

/** A call's reason as a phrase. */
export function reasonOf(word: string | null, of: Pick<ExportView, 'service' | 'service_address'>, speech: Speech): string {
  const values = { svc: of.service, host: hostOf(of.service_address) };
  return speech.t(word !== null && isCallReason(word) ? `call-reason-${word}` : 'call-reason-other', values);
}
