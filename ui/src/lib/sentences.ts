// The sentence under the state, the short line of a row, and the sentence of a hold. Pure, exhaustive by type.
import type { ExportView, Hold, Stage } from './bindings';
import type { Now } from './clock.svelte';
import {
  label,
  notCreatedWhy,
  problemClause,
  refusalOf,
  reportTitle,
  shortNo,
  unresolvedReason,
  unresolvedTail,
  untilNext,
  waitingReason,
} from './present';
import { DOT, type Speech } from './speech';

/** A running job that was silent for so long is said to be silent. */
const SILENT_MS = 120_000;
/** Units that have words of our own; any other is the service's text. */
const UNITS = ['rows', 'bytes'];

/** What is not in the view itself: how fast it goes, by `pace.ts`. */
export interface Pace {
  /** Milliseconds left, rounded by who prints it. */
  left: number | null;
  /** Units a second. */
  rate: number | null;
}

export const NO_PACE: Pace = { left: null, rate: null };

type Say = (view: ExportView, speech: Speech, now: Now, pace: Pace) => string;

const SENTENCES: Record<Stage, Say> = {
  sending: (view, { t }) => t('sentence-sending', { svc: view.service }),
  waiting_to_send: waiting,
  confirming: (view, { t }) => t('sentence-confirming', { svc: view.service }),
  accepted: (view, { t }) => {
    const ahead = view.progress?.ahead ?? 0;
    return ahead > 0 ? t('sentence-accepted-ahead', { svc: view.service, n: ahead }) : t('sentence-accepted', { svc: view.service });
  },
  running,
  cancelling: (view, { t }) => t('sentence-cancelling', { svc: view.service }),
  ready: (view, { t }) => t('sentence-ready', { svc: view.service }),
  downloading: (view, { t }) => t(view.hold === null ? 'sentence-downloading' : 'sentence-downloading-held', { svc: view.service }),
  saved: (view, { t }) => {
    const how = view.file?.verified === 'size' ? 'sentence-saved-size' : 'sentence-saved-digest';
    return t(how, { folder: folderOf(view.file?.path ?? ''), svc: view.service });
  },
  rejected,
  not_created: (view, speech) =>
    speech.t(`sentence-not_created-${notCreatedWhy(view)}`, { svc: view.service, time: speech.moment(view.updated_at) }),
  failed: (view, { t }) => {
    const reason = problemClause(view);
    return reason === null ? t('sentence-failed-plain', { svc: view.service }) : t('sentence-failed', { svc: view.service, reason });
  },
  cancelled: (view, speech) => {
    if (view.cancel_asked) return speech.t('sentence-cancelled', { svc: view.service, time: speech.moment(view.updated_at) });
    const reason = problemClause(view);
    return reason === null
      ? speech.t('sentence-cancelled-by-service-plain', { svc: view.service })
      : speech.t('sentence-cancelled-by-service', { svc: view.service, reason });
  },
  expired: (view, speech) =>
    view.expires_at === null
      ? speech.t('sentence-expired-plain', { svc: view.service })
      : speech.t('sentence-expired', { svc: view.service, time: speech.moment(view.expires_at) }),
  unresolved: (view, speech) => {
    const values = { reason: unresolvedReason(view, speech), tail: unresolvedTail(view, speech) };
    return view.window_ends_at === null
      ? speech.t('sentence-unresolved', values)
      : speech.t('sentence-unresolved-by', { ...values, time: speech.moment(view.window_ends_at) });
  },
};

const BRIEFS: Record<Stage, Say> = {
  sending: (view, { t }) => t('brief-sending', { svc: view.service }),
  waiting_to_send: (view, speech, now) => {
    const left = untilNext(view, now);
    const reason = waitingReason(view, speech);
    if (left === null) return reason;
    return left === 0 ? speech.t('brief-waiting-now', { reason }) : speech.t('brief-waiting', { reason, wait: speech.wait(left) });
  },
  confirming: (view, speech, now) => {
    const left = view.next_action === 'lookup' ? untilNext(view, now) : null;
    const parts = view.looks > 0 ? [speech.t('brief-confirming-checked', { n: view.looks })] : [speech.t('brief-confirming')];
    if (left !== null && left > 0) parts.push(speech.t('brief-confirming-next', { wait: speech.wait(left) }));
    return parts.join(speech.language === 'en' ? ', ' : '，');
  },
  accepted: (view, { t }) => {
    const ahead = view.progress?.ahead ?? 0;
    return ahead > 0 ? t('brief-accepted-ahead', { n: ahead }) : t('brief-accepted');
  },
  running: (view, speech, _now, pace) => {
    const { progress } = view;
    if (!progress || progress.done === 0) return speech.t('brief-running-plain');
    const values = { count: speech.whole(progress.done), unit: unitOf(progress.unit, speech) };
    return pace.left === null
      ? speech.t('brief-running', values)
      : speech.t('brief-running-left', { ...values, span: speech.about(pace.left) });
  },
  cancelling: (view, { t }) => t('brief-cancelling', { svc: view.service }),
  ready: (view, speech) =>
    view.offered !== null && view.expires_at !== null
      ? speech.t('brief-ready', { size: speech.bytes(view.offered.size), time: speech.moment(view.expires_at) })
      : speech.t('sentence-ready', { svc: view.service }),
  downloading: (view, speech, _now, pace) => {
    const { delivery } = view;
    if (!delivery?.total) return speech.t('brief-downloading-starting');
    const parts = [speech.t('brief-downloading', { done: speech.bytes(delivery.done), total: speech.bytes(delivery.total) })];
    if (view.hold === null && pace.rate !== null) parts.push(speech.t('inspector-rate', { rate: speech.bytes(pace.rate) }));
    if (view.hold === null && pace.left !== null) parts.push(speech.t('inspector-progress-left', { span: speech.about(pace.left) }));
    return parts.join(DOT);
  },
  saved: (view) => view.file?.name ?? '',
  rejected: (view, { t }) => {
    const refusal = refusalOf(view);
    return refusal === 'changes' ? (problemClause(view) ?? t('brief-rejected-plain')) : t(`brief-rejected-${refusal}`);
  },
  not_created: (view, { t }) => t(`brief-not_created-${notCreatedWhy(view)}`),
  failed: (view, { t }) => problemClause(view) ?? t('sentence-failed-plain', { svc: view.service }),
  cancelled: (view, { t }) => t(view.cancel_asked ? 'brief-cancelled' : 'brief-cancelled-by-service', { svc: view.service }),
  expired: (_view, { t }) => t('brief-expired'),
  unresolved: (view, speech) => unresolvedReason(view, speech),
};

const HOLDS: Record<Hold, Say> = {
  other_account: (view, { t }) => t('hold-other_account-sentence', { subject: view.subject ?? view.tenant_id }),
  restored_store: (_view, { t }) => t('hold-restored_store-sentence'),
  sign_in: (view, { t }) => t(view.stage === 'waiting_to_send' ? 'hold-sign_in-sentence-unsent' : 'hold-sign_in-sentence'),
  access_withdrawn: (view, { t }) => t('hold-access_withdrawn-sentence', { svc: view.service }),
  paused: (_view, { t }) => t('hold-paused-sentence'),
  cannot_write: (view, { t }) =>
    t('hold-cannot_write-sentence', { folder: view.delivery?.folder ?? '', reason: asReason(view.delivery?.folder_reason) }),
  no_space: (view, speech) =>
    speech.t(view.next_action === null ? 'hold-no_space-waits' : 'hold-no_space-sentence', {
      need: speech.bytes(view.delivery?.space_needed ?? 0),
      free: speech.bytes(view.delivery?.space_free ?? 0),
    }),
  check_failed: (view, { t }) => t('hold-check_failed-sentence', { svc: view.service }),
  download_interrupted: (view, speech, now) => {
    const left = untilNext(view, now);
    const kept = { done: speech.bytes(view.delivery?.done ?? 0), total: speech.bytes(view.delivery?.total ?? view.offered?.size ?? 0) };
    return left === null
      ? speech.t('hold-download_interrupted-waits', kept)
      : speech.t('hold-download_interrupted-sentence', { ...kept, wait: speech.wait(left) });
  },
  no_progress: (view, speech, now) =>
    speech.t('hold-no_progress-sentence', { svc: view.service, span: speech.about(now() - Date.parse(view.news_at ?? view.updated_at)) }),
};

function waiting(view: ExportView, speech: Speech, now: Now): string {
  const left = untilNext(view, now);
  const values = { svc: view.service, reason: waitingReason(view, speech) };
  if (view.call_result === 'answered') {
    return left === null || left === 0
      ? speech.t('sentence-waiting-deferred-held', values)
      : speech.t('sentence-waiting-deferred', { ...values, wait: speech.wait(left) });
  }
  if (left === null) return speech.t('sentence-waiting-held', values);
  return left === 0 ? speech.t('sentence-waiting-now', values) : speech.t('sentence-waiting', { ...values, wait: speech.wait(left) });
}

function running(view: ExportView, speech: Speech, now: Now): string {
  const silent = view.news_at === null ? 0 : now() - Date.parse(view.news_at);
  if (silent > SILENT_MS) return speech.t('sentence-running-silent', { svc: view.service, span: speech.about(silent) });
  const step = view.progress?.step ?? null;
  return step === null
    ? speech.t('sentence-running', { svc: view.service })
    : speech.t('sentence-running-step', { svc: view.service, step: asReason(step) });
}

function rejected(view: ExportView, speech: Speech): string {
  const refusal = refusalOf(view);
  const report = reportTitle(view, speech);
  if (refusal === 'key-conflict') return speech.t('sentence-rejected-key-conflict', { id: shortNo(view.request_key) });
  if (refusal === 'forbidden') {
    const { owner, permission } = view.problem ?? {};
    return owner && permission
      ? speech.t('sentence-rejected-forbidden-ask', { report, owner, permission })
      : speech.t('sentence-rejected-forbidden', { report });
  }
  const reason = problemClause(view);
  return reason === null
    ? speech.t('sentence-rejected-plain', { svc: view.service })
    : speech.t('sentence-rejected', { svc: view.service, reason });
}

function asReason(reason: string | null | undefined): string {
  return (reason ?? '').replace(/[.。]+$/u, '');
}

export function unitOf(unit: string, speech: Speech): string {
  return UNITS.includes(unit) ? speech.t(`unit-${unit}`) : unit;
}

/** The folder's own name, out of a path of either kind of system. */
export function folderOf(path: string): string {
  const parts = path.split(/[\\/]/u).filter((part) => part !== '');
  return parts.at(-2) ?? path;
}

export const sentence: Say = (view, speech, now, pace) => SENTENCES[view.stage](view, speech, now, pace);

export const brief: Say = (view, speech, now, pace) => BRIEFS[view.stage](view, speech, now, pace);

export function holdSentence(view: ExportView, hold: Hold, speech: Speech, now: Now): string {
  return HOLDS[hold](view, speech, now, NO_PACE);
}

/** What the live region says of a change of state: no counters, no clocks. */
export function announcement(view: ExportView, speech: Speech): string {
  const name = { report: reportTitle(view, speech), label: label(view, speech, null) };
  const said = view.hold === null ? sentence(view, speech, Date.now, NO_PACE) : holdSentence(view, view.hold, speech, Date.now);
  return speech.t('announce-change', { ...name, sentence: view.stage === 'waiting_to_send' ? waitingReason(view, speech) : said });
}

