// What happened to an export, in order, as the timeline tells it, and what comes next. Pure.
//
// It never ends on the past while something is open: the last event is then a hollow one with its time.
import type { AttemptKind, AttemptView, ExportView } from './bindings';
import type { Now } from './clock.svelte';
import { underWay } from './facts';
import { isSettled, untilNext, waitsForPerson } from './present';
import { isCallReason, reasonOf } from './reasons';
import type { Speech } from './speech';

export type Dot = 'filled' | 'hollow' | 'dashed';
export type DotColour = 'plain' | 'accent' | 'info' | 'confirm' | 'ok' | 'err';
/** The line from an event down to the next: solid, dotted where nothing is known, or dotted towards what may come. */
export type Line = 'solid' | 'unknown' | 'ahead';

export interface TimelineEvent {
  key: string;
  what: string;
  detail: string | null;
  /** RFC 3339, or already words ("in 8 s"). */
  at: string | null;
  when: string | null;
  dot: Dot;
  colour: DotColour;
  line: Line;
  strong: boolean;
  phases: AttemptView | null;
}

/** Words of `AttemptView.result` that have a message of their own. */
const PROOFS = new Set([
  'abandoned', 'deferred', 'described', 'found', 'key_expired', 'listed', 'not_cancellable', 'not_seen', 'refused', 'saved',
  'stopped', 'interrupted', 'wrong_digest', 'no_space', 'cannot_write', 'access_withdrawn', 'file_gone', 'sign_in',
]);

const HEARD = new Set(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']);

function event(key: string, what: string, at: string | null, more: Partial<TimelineEvent> = {}): TimelineEvent {
  return { key, what, at, detail: null, when: null, dot: 'filled', colour: 'plain', line: 'solid', strong: false, phases: null, ...more };
}

/** What an attempt proved, in few words. */
function proof(attempt: AttemptView, view: ExportView, speech: Speech): string | null {
  if (attempt.call_result === null) return speech.t('proof-under-way');
  if (attempt.reason !== null && isCallReason(attempt.reason)) return reasonOf(attempt.reason, view, speech);
  return attempt.result !== null && PROOFS.has(attempt.result) ? speech.t(`proof-${attempt.result}`) : null;
}

type Tell = (attempt: AttemptView, view: ExportView, speech: Speech, number: number) => TimelineEvent[];

function plain(message: string): Tell {
  return (attempt, view, speech) => {
    const failed = attempt.call_result !== null && attempt.call_result !== 'answered';
    const detail = proof(attempt, view, speech);
    const times = attempt.times > 1 ? speech.t('event-times', { n: attempt.times }) : null;
    return [
      event(`a${attempt.attempt_no}`, speech.t(message, { svc: view.service }), attempt.started_at, {
        detail: [times, detail].filter((part) => part !== null).join(' ') || null,
        dot: failed || attempt.call_result === null ? 'hollow' : 'filled',
        phases: attempt,
      }),
    ];
  };
}

const TELL: Record<AttemptKind, Tell> = {
  // Asking what the service can do is only told where it did not work.
  describe: (attempt, view, speech, number) => (attempt.call_result === 'answered' ? [] : plain('event-describe')(attempt, view, speech, number)),
  submit: tellSubmit,
  lookup: (attempt, view, speech, number) => {
    const [told] = plain('event-lookup')(attempt, view, speech, number);
    if (!told) return [];
    const found = attempt.result === 'found';
    return [{ ...told, what: speech.t('event-lookup', { n: number }), colour: found ? 'info' : 'plain', strong: found }];
  },
  poll: () => [],
  abandon: plain('event-abandon'),
  cancel: plain('event-cancel'),
  download: (attempt, view, speech, number) => {
    if (attempt.result !== 'saved') return plain('event-download')(attempt, view, speech, number);
    return [event(`a${attempt.attempt_no}`, speech.t('event-saved'), attempt.ended_at, { colour: 'ok', strong: true })];
  },
};

function tellSubmit(attempt: AttemptView, view: ExportView, speech: Speech, number: number): TimelineEvent[] {
  const key = `a${attempt.attempt_no}`;
  const reason = attempt.reason === null ? null : reasonOf(attempt.reason, view, speech);
  const words = { svc: view.service };
  const sent = event(key, speech.t(number > 1 ? 'event-submit-again' : 'event-submit', words), attempt.started_at, {
    colour: 'accent',
    strong: true,
    phases: attempt,
  });
  switch (attempt.call_result) {
    case null:
      return [{ ...sent, what: speech.t('event-submit-under-way', words), line: 'ahead' }];
    case 'not_sent':
      return [event(key, speech.t('event-not-sent'), attempt.started_at, { detail: reason, dot: 'hollow', phases: attempt })];
    case 'lost':
      return [
        { ...sent, line: 'unknown' },
        event(`${key}-end`, speech.t('event-no-answer'), attempt.ended_at, { dot: 'hollow', colour: 'confirm', line: 'unknown', strong: true }),
      ];
    case 'answered':
      return [sent, ...answerOf(attempt, key, speech)];
  }
}

function answerOf(attempt: AttemptView, key: string, speech: Speech): TimelineEvent[] {
  switch (attempt.result) {
    case 'found':
      return [event(`${key}-end`, speech.t('event-accepted'), attempt.ended_at, { colour: 'info', strong: true })];
    case 'refused':
      return [event(`${key}-end`, speech.t('event-refused'), attempt.ended_at, { colour: 'err', strong: true })];
    default:
      return attempt.result !== null && PROOFS.has(attempt.result)
        ? [event(`${key}-end`, speech.t(`proof-${attempt.result}`), attempt.ended_at)]
        : [];
  }
}

/** When a row was first answered. Equal polls are one row, whose end moves on with each of them; its phases are the first one's. */
export function firstAnswered(attempt: AttemptView): number {
  if (attempt.times === 1 && attempt.ended_at !== null) return Date.parse(attempt.ended_at);
  return Date.parse(attempt.started_at) + (attempt.phases.at(-1)?.at_ms ?? 0);
}

/** The job's status each time it was heard to change. */
function heardEvents(attempt: AttemptView, before: string | null, view: ExportView, speech: Speech): TimelineEvent[] {
  if (attempt.heard === null || attempt.heard === before || !HEARD.has(attempt.heard)) return [];
  if (attempt.heard === 'queued') return [];
  const what = speech.t(`event-poll-status-${attempt.heard}`, { svc: view.service });
  const colour = attempt.heard === 'failed' ? 'err' : attempt.heard === 'succeeded' ? 'info' : 'plain';
  return [event(`h${attempt.attempt_no}`, what, new Date(firstAnswered(attempt)).toISOString(), { colour, strong: attempt.heard === 'succeeded' })];
}

/** What comes next, hollow and dashed; none once it is over. */
function ahead(view: ExportView, speech: Speech, now: Now): TimelineEvent | null {
  if (isSettled(view.stage)) return null;
  const busy = underWay(view);
  if (busy !== null) return busy.kind === 'submit' ? event('ahead', speech.t('event-waiting'), null, { dot: 'dashed' }) : null;
  const left = untilNext(view, now);
  const person = left === null || view.next_action === null;
  if (person && !waitsForPerson(view) && view.stage !== 'unresolved' && view.stage !== 'ready') return null;
  const when = left === null ? null : left === 0 ? speech.t('next-now') : speech.t('next-in', { wait: speech.wait(left) });
  return event('ahead', speech.t(person ? 'next-event-person' : `next-event-${view.next_action}`), null, { when, dot: 'dashed' });
}

export function timeline(view: ExportView, speech: Speech, now: Now): TimelineEvent[] {
  const events = [event('recorded', speech.t('event-recorded'), view.created_at)];
  const seen: Record<AttemptKind, number> = { describe: 0, submit: 0, lookup: 0, poll: 0, abandon: 0, cancel: 0, download: 0 };
  let heard: string | null = null;
  for (const attempt of view.attempts) {
    seen[attempt.kind] += 1;
    events.push(...TELL[attempt.kind](attempt, view, speech, seen[attempt.kind]));
    events.push(...heardEvents(attempt, heard, view, speech));
    heard = attempt.heard ?? heard;
  }
  const next = ahead(view, speech, now);
  const last = events.at(-1);
  if (next !== null && last) {
    if (last.line === 'solid') last.line = 'ahead';
    events.push(next);
  }
  return events;
}

/** Where the time of a saved export went: queued, running, download, in milliseconds. */
export interface Spans {
  queued: number;
  running: number;
  download: number;
  whole: number;
}

export function spans(view: ExportView): Spans | null {
  if (view.file === null) return null;
  const saved = Date.parse(view.file.saved_at);
  const at = (heard: string): number | null => {
    const attempt = view.attempts.find((one) => one.heard === heard);
    return attempt ? firstAnswered(attempt) : null;
  };
  const accepted = view.attempts.find((one) => one.result === 'found' && one.kind !== 'poll');
  const from = accepted ? Date.parse(accepted.ended_at ?? accepted.started_at) : Date.parse(view.created_at);
  const download = view.attempts.find((one) => one.kind === 'download');
  const fetched = download ? Date.parse(download.started_at) : saved;
  const started = Math.min(at('running') ?? from, fetched);
  return {
    queued: Math.max(0, started - from),
    running: Math.max(0, fetched - started),
    download: Math.max(0, saved - fetched),
    whole: Math.max(0, saved - Date.parse(view.created_at)),
  };
}

