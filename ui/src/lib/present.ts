// What each stage looks like and says: icon, tone, label, sentence, the short line of a row, and the primary action.
//
// Every table is a `Record` over the words of the domain, so a stage, a hold or a reason without words does not
// compile. Pure: the time comes in as a function, and only what counts down calls it.
import type { ActionView, ExportView, Hold, NotCreatedWhy, PersonAction, Stage, UnresolvedReason } from './bindings';
import type { Now } from './clock.svelte';
import { reasonOf } from './reasons';
import { DOT, type Speech } from './speech';

export type Tone = 'info' | 'confirm' | 'wait' | 'ok' | 'err' | 'neutral';

export type IconName =
  | 'circle-check'
  | 'circle-dashed'
  | 'circle-question-mark'
  | 'circle-slash'
  | 'clock'
  | 'download'
  | 'file-pen-line'
  | 'file-warning'
  | 'hard-drive'
  | 'hourglass'
  | 'inbox'
  | 'key-round'
  | 'log-in'
  | 'package-open'
  | 'pause'
  | 'ring'
  | 'scan-search'
  | 'send'
  | 'server-crash'
  | 'shield-x';

/** How the tile stands: tinted while it lives or needs somebody, outlined while nothing is proved, bare once it is over. */
export type TileFill = 'tint' | 'open' | 'bare';

export interface Face {
  icon: IconName;
  tone: Tone;
  fill: TileFill;
}

const FACES: Record<Stage, Face> = {
  sending: { icon: 'send', tone: 'info', fill: 'tint' },
  waiting_to_send: { icon: 'clock', tone: 'wait', fill: 'tint' },
  confirming: { icon: 'scan-search', tone: 'confirm', fill: 'tint' },
  accepted: { icon: 'inbox', tone: 'info', fill: 'tint' },
  running: { icon: 'ring', tone: 'info', fill: 'tint' },
  cancelling: { icon: 'circle-slash', tone: 'neutral', fill: 'tint' },
  ready: { icon: 'package-open', tone: 'ok', fill: 'tint' },
  downloading: { icon: 'download', tone: 'info', fill: 'tint' },
  saved: { icon: 'circle-check', tone: 'ok', fill: 'bare' },
  rejected: { icon: 'file-pen-line', tone: 'err', fill: 'tint' },
  not_created: { icon: 'circle-slash', tone: 'neutral', fill: 'bare' },
  failed: { icon: 'server-crash', tone: 'err', fill: 'tint' },
  cancelled: { icon: 'circle-slash', tone: 'neutral', fill: 'bare' },
  expired: { icon: 'hourglass', tone: 'neutral', fill: 'bare' },
  unresolved: { icon: 'circle-question-mark', tone: 'confirm', fill: 'open' },
};

/** Why a service refused, as far as the words differ. */
type Refusal = 'changes' | 'forbidden' | 'key-conflict';

const REFUSAL_ICONS: Record<Refusal, IconName> = {
  changes: 'file-pen-line',
  forbidden: 'shield-x',
  'key-conflict': 'key-round',
};

/** `person`: it goes on only when the person does something. */
const HOLD_FACES: Record<Hold, { icon: IconName; tone: Tone; primary: PersonAction[]; person: boolean }> = {
  other_account: { icon: 'log-in', tone: 'wait', primary: ['sign-in'], person: true },
  restored_store: { icon: 'scan-search', tone: 'confirm', primary: ['check-now', 'resend'], person: true },
  sign_in: { icon: 'log-in', tone: 'wait', primary: ['sign-in'], person: true },
  access_withdrawn: { icon: 'shield-x', tone: 'err', primary: ['download'], person: true },
  paused: { icon: 'pause', tone: 'neutral', primary: ['resume'], person: true },
  cannot_write: { icon: 'hard-drive', tone: 'wait', primary: ['download', 'resume'], person: true },
  no_space: { icon: 'hard-drive', tone: 'wait', primary: ['download', 'resume'], person: false },
  check_failed: { icon: 'file-warning', tone: 'err', primary: ['download', 'resume'], person: true },
  download_interrupted: { icon: 'download', tone: 'wait', primary: ['resume', 'download'], person: false },
  no_progress: { icon: 'hourglass', tone: 'wait', primary: ['check-now'], person: false },
};

/** What may be the filled button of a stage, best first; the first that the engine offers is it. */
const PRIMARY: Record<Stage, PersonAction[]> = {
  sending: [],
  waiting_to_send: ['send-now', 'resend', 'sign-in'],
  confirming: ['check-now'],
  accepted: [],
  running: [],
  cancelling: [],
  ready: ['download'],
  downloading: ['pause', 'resume'],
  saved: ['open-file', 'show-in-folder'],
  rejected: ['edit-and-resubmit', 'export-again'],
  not_created: ['export-again'],
  failed: ['export-again'],
  cancelled: ['export-again'],
  expired: ['export-again'],
  unresolved: ['check-now', 'settle'],
};

const SETTLED: Record<Stage, boolean> = {
  sending: false,
  waiting_to_send: false,
  confirming: false,
  accepted: false,
  running: false,
  cancelling: false,
  ready: false,
  downloading: false,
  saved: true,
  rejected: true,
  not_created: true,
  failed: true,
  cancelled: true,
  expired: true,
  unresolved: false,
};

/** Whether a person is needed: what the live region says at once. */
export function needsPerson(view: ExportView): boolean {
  if (view.stage === 'unresolved' || view.stage === 'rejected' || view.stage === 'failed') return true;
  return waitsForPerson(view);
}

export const isSettled = (stage: Stage): boolean => SETTLED[stage];

export function refusalOf(view: ExportView): Refusal {
  const kind = view.problem?.kind ?? view.reason;
  if (kind === 'forbidden' || kind === 'key-conflict') return kind;
  return 'changes';
}

export function face(view: ExportView): Face {
  const plain = FACES[view.stage];
  if (view.stage === 'rejected') return { ...plain, icon: REFUSAL_ICONS[refusalOf(view)] };
  return plain;
}

/** Whether a hold ends only by the person: one that is tried by itself does so once nothing is planned. */
export const waitsForPerson = (view: ExportView): boolean =>
  view.hold !== null && (HOLD_FACES[view.hold].person || (view.hold === 'download_interrupted' && view.next_action === null));

export function holdFace(hold: Hold): { icon: IconName; tone: Tone } {
  return HOLD_FACES[hold];
}

/** How far the job or the download is, 0 to 1; null where nobody knows. */
export function fraction(view: ExportView): number | null {
  const counted = view.stage === 'downloading' ? view.delivery : view.stage === 'running' ? view.progress : null;
  if (!counted || !counted.total) return null;
  return Math.min(1, counted.done / counted.total);
}

/** `furthest` is the highest fraction shown so far: a bar never goes back. */
export function label(view: ExportView, speech: Speech, furthest: number | null = fraction(view)): string {
  const { t } = speech;
  switch (view.stage) {
    case 'running':
    case 'downloading':
      return furthest === null ? t(`stage-${view.stage}`) : t(`stage-${view.stage}-percent`, { p: speech.percent(furthest) });
    case 'rejected': {
      const refusal = refusalOf(view);
      return refusal === 'changes' ? t('stage-rejected') : t(`stage-rejected-${refusal}`);
    }
    case 'failed':
      return t('stage-failed', { svc: view.service });
    case 'sending':
    case 'waiting_to_send':
    case 'confirming':
    case 'accepted':
    case 'cancelling':
    case 'ready':
    case 'saved':
    case 'not_created':
    case 'cancelled':
    case 'expired':
    case 'unresolved':
      return t(`stage-${view.stage}`);
  }
}

/** The state inside a sentence: "… is being confirmed". */
export const stateInSentence = (view: ExportView, speech: Speech): string => speech.t(`state-${view.stage}`);

export const holdLabel = (hold: Hold, speech: Speech): string => speech.t(`hold-${hold}`);

export function reportTitle(view: ExportView, speech: Speech): string {
  return speech.title(view.title, view.operation);
}

/** The last eight digits: the first eight are a clock, and neighbours share them. */
export const shortNo = (requestKey: string): string => `…${requestKey.slice(-8)}`;

/** A sentence of the service without its full stop, to stand inside one of ours. */
export function asClause(text: string): string {
  return text.trim().replace(/[.。]+$/u, '');
}

/** The service's own reason for a refusal or a failure: text, never markup. */
export function problemClause(view: ExportView): string | null {
  const problem = view.problem;
  const first = problem?.errors.length === 1 ? problem.errors[0]?.detail : undefined;
  const said = first ?? problem?.detail ?? problem?.title ?? '';
  return said === '' ? null : asClause(said);
}

export const NOT_CREATED: Record<NotCreatedWhy, true> = {
  withdrawn: true,
  never_sent: true,
  abandoned: true,
  abandoned_elsewhere: true,
  by_hand: true,
};

export function notCreatedWhy(view: ExportView): NotCreatedWhy {
  return view.reason !== null && view.reason in NOT_CREATED ? (view.reason as NotCreatedWhy) : 'abandoned';
}

/** What the end of the sentence says of an unresolved export: whether anything is known to exist. */
const UNRESOLVED_TAILS: Record<UnresolvedReason, 'unresolved-tail' | 'unresolved-tail-accepted' | 'unresolved-tail-breached'> = {
  service_unreachable: 'unresolved-tail',
  service_errors: 'unresolved-tail',
  answer_unreadable: 'unresolved-tail',
  sign_in_refused: 'unresolved-tail',
  access_withdrawn: 'unresolved-tail',
  not_visible: 'unresolved-tail',
  lookup_unsupported: 'unresolved-tail',
  ambiguous_matches: 'unresolved-tail',
  mismatched_answer: 'unresolved-tail',
  key_expired: 'unresolved-tail',
  key_breached: 'unresolved-tail-breached',
  job_vanished: 'unresolved-tail-accepted',
  no_progress: 'unresolved-tail-accepted',
};

export function unresolvedReason(view: ExportView, speech: Speech): string {
  const known = view.reason !== null && view.reason in UNRESOLVED_TAILS;
  return speech.t(known ? `unresolved-${view.reason}` : 'unresolved-other', { svc: view.service, n: view.candidates.length });
}

export function unresolvedTail(view: ExportView, speech: Speech): string {
  const tail = (view.reason === null ? undefined : UNRESOLVED_TAILS[view.reason as UnresolvedReason]) ?? 'unresolved-tail';
  // Of a job that was accepted nobody doubts that it started, whatever came after.
  return speech.t(tail === 'unresolved-tail' && view.revision !== null ? 'unresolved-tail-accepted' : tail);
}

/** Why it waits: nothing left this computer, or the service asked to wait. */
export function waitingReason(view: ExportView, speech: Speech): string {
  return view.call_result === 'answered'
    ? speech.t('call-reason-deferred', { svc: view.service })
    : reasonOf(view.reason, view, speech);
}

/** Milliseconds to the next step; null where it has no time. */
export function untilNext(view: ExportView, now: Now): number | null {
  return view.next_action_at === null ? null : Math.max(0, Date.parse(view.next_action_at) - now());
}

export function offered(view: ExportView, action: PersonAction): ActionView | undefined {
  return view.actions.find((one) => one.action === action);
}

/** The filled button, if the stage has one. */
export function primaryAction(view: ExportView): PersonAction | null {
  const wanted = [...(view.hold === null ? [] : HOLD_FACES[view.hold].primary), ...PRIMARY[view.stage]];
  return wanted.find((action) => offered(view, action)?.not_yet === null) ?? null;
}

/** Name, state and short sentence in one line, for titles and the live region. */
export function headline(view: ExportView, speech: Speech): string {
  return `${reportTitle(view, speech)}${DOT}${label(view, speech)}`;
}
