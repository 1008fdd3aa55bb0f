// The two facts and what Docket does next: what happened to the call, what became of the export. Pure.
//
// They are two lines in every stage, and nothing turns one into the other.
import type { AttemptKind, AttemptView, BusinessOutcome, CallResult, ExportView, NextAction } from './bindings';
import type { Now } from './clock.svelte';
import { face, isSettled, notCreatedWhy, problemClause, untilNext, waitsForPerson, type Tone } from './present';
import { reasonOf } from './reasons';
import type { Speech } from './speech';

export type FactIcon = 'check' | 'unplug' | 'circle-dashed' | 'send' | 'server' | 'circle-question-mark' | 'circle-slash' | 'inbox' | 'server-crash' | 'hourglass';

export interface Fact {
  icon: FactIcon;
  value: string;
  detail: string | null;
  /** Only the export's fact is ever coloured, and only while it is open. */
  tone: Tone | null;
}

/** News younger than this is "just now". */
const JUST_NOW_MS = 2000;

/** The submit that the call's fact is about. */
export function lastSubmit(view: ExportView): AttemptView | null {
  return view.attempts.filter((attempt) => attempt.kind === 'submit').at(-1) ?? null;
}

const CALLS: Record<CallResult, { icon: FactIcon; value: string }> = {
  not_sent: { icon: 'circle-dashed', value: 'call-not-sent' },
  lost: { icon: 'unplug', value: 'call-lost' },
  answered: { icon: 'check', value: 'call-answered' },
};

export function callFact(view: ExportView, speech: Speech): Fact {
  const submit = lastSubmit(view);
  if (submit !== null && submit.call_result === null) {
    // Past the soft time-out it is no longer on its way: it was sent, and nobody answers.
    const silent = view.stage === 'confirming';
    return { icon: silent ? 'unplug' : 'send', value: speech.t(silent ? 'call-waiting' : 'call-under-way'), detail: null, tone: null };
  }
  if (view.call_result === null) return { icon: 'circle-dashed', value: speech.t('call-none'), detail: null, tone: null };
  const { icon, value } = CALLS[view.call_result];
  return { icon, value: speech.t(value), detail: callDetail(view, view.call_result, submit, speech), tone: null };
}

function callDetail(view: ExportView, result: CallResult, submit: AttemptView | null, speech: Speech): string | null {
  const span = submit?.duration_ms == null ? null : speech.span(submit.duration_ms);
  switch (result) {
    case 'answered':
      return span === null ? null : speech.t('call-detail-answered', { span });
    case 'lost': {
      if (submit === null || submit.reason === null) return null;
      const reason = reasonOf(submit.reason, view, speech);
      return span === null ? reason : speech.t('call-detail-lost', { reason, span });
    }
    case 'not_sent':
      return reasonOf(submit?.reason ?? view.reason, view, speech);
  }
}

const OUTCOMES: Record<BusinessOutcome, { icon: FactIcon; value: string }> = {
  unknown: { icon: 'circle-question-mark', value: 'business-unknown' },
  not_created: { icon: 'circle-slash', value: 'business-not-created' },
  rejected: { icon: 'circle-slash', value: 'business-rejected' },
  queued: { icon: 'inbox', value: 'business-queued' },
  running: { icon: 'server', value: 'business-running' },
  succeeded: { icon: 'check', value: 'business-succeeded' },
  failed: { icon: 'server-crash', value: 'business-failed' },
  cancelled: { icon: 'circle-slash', value: 'business-cancelled' },
  expired: { icon: 'hourglass', value: 'business-expired' },
};

export function businessFact(view: ExportView, speech: Speech, now: Now): Fact {
  const unsent = view.business_outcome === 'unknown' && view.stage === 'waiting_to_send';
  const { icon, value } = unsent ? { icon: 'circle-dashed' as const, value: 'business-unsent' } : OUTCOMES[view.business_outcome];
  const tone = isSettled(view.stage) || unsent ? null : face(view).tone;
  return { icon, value: speech.t(value), detail: businessDetail(view, speech, now), tone };
}

function businessDetail(view: ExportView, speech: Speech, now: Now): string | null {
  const { t } = speech;
  switch (view.business_outcome) {
    case 'unknown':
      if (view.stage === 'waiting_to_send') {
        return view.call_result === 'answered' ? t('business-detail-deferred', { svc: view.service }) : t('business-detail-none');
      }
      return view.stage === 'sending' ? null : t('business-detail-may');
    case 'not_created':
      return notCreatedWhy(view) === 'abandoned' ? t('business-detail-never') : null;
    case 'queued':
    case 'running':
      return saidAgo(view, speech, now);
    case 'succeeded':
      return view.expires_at === null ? null : t('business-detail-kept', { time: speech.moment(view.expires_at) });
    case 'failed':
      return problemClause(view) === null ? null : (view.problem?.title ?? null);
    case 'rejected':
    case 'cancelled':
    case 'expired':
      return null;
  }
}

/** A number from the service carries its age. */
function saidAgo(view: ExportView, speech: Speech, now: Now): string | null {
  if (view.news_at === null) return null;
  const age = now() - Date.parse(view.news_at);
  return age < JUST_NOW_MS
    ? speech.t('business-detail-said-now', { svc: view.service })
    : speech.t('business-detail-said', { svc: view.service, span: speech.wait(age) });
}

/** The foot of the card: parts in order, and which of them is the heavy one. */
export interface NextStep {
  parts: { text: string; strong: boolean }[];
  tone: Tone;
  /** How much of the gap to the next step is left, 0 to 1; null where nothing counts down. */
  left: number | null;
}

/** The ring's full turn, where the gap between two steps is not known. */
const RING_MS = 15_000;

const NOW_WORDS: Record<AttemptKind, string> = {
  describe: 'next-describe-now',
  submit: 'next-submit-now',
  lookup: 'next-lookup-now',
  poll: 'next-poll-now',
  abandon: 'next-abandon-now',
  cancel: 'next-cancel-now',
  download: 'next-download-now',
};

const IN_WORDS: Record<NextAction, string> = {
  describe: 'next-describe',
  submit: 'next-submit',
  lookup: 'next-lookup',
  poll: 'next-poll',
  abandon: 'next-abandon',
  cancel: 'next-cancel',
  download: 'next-download',
};

/** The attempt that is under way, if one is. */
export function underWay(view: ExportView): AttemptView | null {
  return view.attempts.filter((attempt) => attempt.ended_at === null && attempt.call_result === null).at(-1) ?? null;
}

export function nextStep(view: ExportView, speech: Speech, now: Now): NextStep | null {
  if (isSettled(view.stage)) return null;
  // News of a job that goes its way are no step of ours: the timeline says when the next are due.
  if (view.next_action === 'poll' && view.hold === null && (view.stage === 'accepted' || view.stage === 'running')) return null;
  const step = theStep(view, speech, now);
  if (step === null) return null;
  const parts = [{ text: step.text, strong: true }];
  const looking = view.stage === 'confirming' || view.stage === 'unresolved';
  if (looking && view.looks > 0) parts.unshift({ text: speech.t('next-checked', { n: view.looks }), strong: false });
  if (view.stage === 'confirming' && view.hold === null && view.window_ends_at !== null) {
    parts.push({ text: speech.t('next-until', { time: speech.moment(view.window_ends_at) }), strong: false });
  }
  if (parts[0]) parts[0].text = capital(parts[0].text);
  return { parts, tone: view.hold === null ? face(view).tone : 'wait', left: step.left };
}

function theStep(view: ExportView, speech: Speech, now: Now): { text: string; left: number | null } | null {
  const busy = underWay(view);
  if (busy !== null) {
    const silent = busy.kind === 'submit' && view.stage === 'confirming';
    return { text: speech.t(silent ? 'next-submit-waiting' : NOW_WORDS[busy.kind]), left: null };
  }
  const left = untilNext(view, now);
  if (left === null || view.next_action === null) {
    return waitsForPerson(view) || view.stage === 'unresolved' ? { text: speech.t('next-person'), left: null } : null;
  }
  if (left === 0) return { text: speech.t(NOW_WORDS[view.next_action]), left: null };
  const again = view.next_action === 'submit' && view.call_result === 'lost';
  const text = speech.t(again ? 'next-submit-again' : IN_WORDS[view.next_action], { wait: speech.wait(left) });
  const last = view.attempts.at(-1)?.ended_at ?? null;
  const gap = last === null ? RING_MS : Math.max(1000, Date.parse(view.next_action_at ?? last) - Date.parse(last));
  return { text, left: Math.min(1, left / gap) };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
