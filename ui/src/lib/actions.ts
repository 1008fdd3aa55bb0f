// What the buttons and the menu of an export do. The engine says which actions there are; the words and the guard in
// front of each are the window's.
import type { ExportView, PersonAction } from './bindings';
import { announcer } from './announce.svelte';
import type { App } from './app.svelte';
import { toClipboard } from './clipboard';
import { i18n } from './i18n.svelte';
import { refusalOf } from './present';
import type { Speech } from './speech';

/** What the window can do by itself. */
export type OwnAction = 'copy-request-no' | 'copy-details' | 'copy-access-request' | 'download-to';
export type AnyAction = PersonAction | OwnAction;

type ActionIcon =
  | 'scan-search' | 'send' | 'repeat-2' | 'circle-slash' | 'clipboard-check' | 'log-in' | 'download' | 'pause' | 'play'
  | 'file-text' | 'folder' | 'file-pen-line' | 'copy';

const ICONS: Record<AnyAction, ActionIcon> = {
  'check-now': 'scan-search',
  'send-now': 'send',
  resend: 'repeat-2',
  cancel: 'circle-slash',
  settle: 'clipboard-check',
  'sign-in': 'log-in',
  download: 'download',
  pause: 'pause',
  resume: 'play',
  'open-file': 'file-text',
  'show-in-folder': 'folder',
  'edit-and-resubmit': 'file-pen-line',
  'export-again': 'repeat-2',
  'copy-request-no': 'copy',
  'copy-details': 'file-text',
  'copy-access-request': 'copy',
  'download-to': 'folder',
};

export const actionIcon = (action: AnyAction): ActionIcon => ICONS[action];

type Label = (view: ExportView) => string;

const LABELS: Record<AnyAction, Label> = {
  'check-now': (view) => (view.stage === 'unresolved' ? 'action-check-again' : 'action-check-now'),
  'send-now': () => 'action-send-now',
  resend: () => 'action-resend',
  cancel: cancelLabel,
  settle: () => 'action-settle',
  'sign-in': (view) => (view.hold === 'other_account' ? 'action-switch-account' : 'action-sign-in'),
  download: (view) => {
    if (view.hold === 'check_failed' || view.stage === 'saved') return 'action-download-again';
    return picksFolder(view) ? 'action-choose-folder' : 'action-download';
  },
  pause: () => 'action-pause',
  resume: (view) => (view.hold === 'download_interrupted' ? 'action-resume-now' : 'action-resume'),
  'open-file': () => 'action-open-file',
  'show-in-folder': () => 'action-show-in-folder',
  'edit-and-resubmit': (view) => (view.stage === 'waiting_to_send' ? 'action-edit' : 'action-edit-and-resubmit'),
  'export-again': againLabel,
  'copy-request-no': () => 'action-copy-request-no',
  'copy-details': () => 'action-copy-details',
  'copy-access-request': () => 'action-copy-access-request',
  'download-to': () => 'action-download-to',
};

function cancelLabel(view: ExportView): string {
  switch (view.stage) {
    case 'sending':
      return 'action-cancel-once-confirmed';
    case 'accepted':
    case 'running':
      return 'action-cancel-export';
    case 'downloading':
      return 'action-cancel-download';
    case 'waiting_to_send':
    case 'confirming':
    case 'cancelling':
    case 'ready':
    case 'saved':
    case 'rejected':
    case 'not_created':
    case 'failed':
    case 'cancelled':
    case 'expired':
    case 'unresolved':
      return 'action-cancel';
  }
}

function againLabel(view: ExportView): string {
  if (view.stage === 'unresolved') return 'action-start-another';
  if (view.stage === 'failed') return 'action-export-again-failed';
  if (view.stage !== 'rejected') return 'action-export-again';
  return refusalOf(view) === 'key-conflict' ? 'action-submit-new-number' : 'action-try-again';
}

/** The hold is the folder's: another one is asked for first. */
const picksFolder = (view: ExportView): boolean => view.hold === 'cannot_write' || view.hold === 'no_space';

export const actionLabel = (action: AnyAction, view: ExportView, speech: Speech): string => speech.t(LABELS[action](view));

/** Does it, with its guard before it. */
export async function perform(app: App, action: AnyAction, view: ExportView): Promise<void> {
  const { api } = app;
  const take = async (doing: Promise<ExportView>): Promise<void> => {
    const answer = await app.attempt(doing);
    if (answer) app.exports.join(answer);
  };
  switch (action) {
    case 'check-now':
      return take(api.checkNow(view.id));
    case 'send-now':
      return take(api.sendNow(view.id));
    case 'resend':
      return take(api.resend(view.id));
    case 'cancel':
      return void (app.asking = { ask: 'cancel', id: view.id });
    case 'settle':
      return void (app.asking = { ask: 'settle', id: view.id });
    case 'sign-in':
      return void (app.asking = { ask: 'sign-in', serviceId: view.service_id, subject: view.hold === 'other_account' ? view.subject : null });
    case 'download': {
      if (!picksFolder(view)) return take(api.download(view.id, null));
      return downloadTo(app, view);
    }
    case 'download-to':
      return downloadTo(app, view);
    case 'pause':
      return take(api.pause(view.id));
    case 'resume':
      return take(api.resume(view.id));
    case 'open-file':
      return void (await app.attempt(api.openFile(view.id)));
    case 'show-in-folder':
      return void (await app.attempt(api.showInFolder(view.id)));
    case 'edit-and-resubmit':
      return app.newExport({ from: view, why: 'edit' });
    case 'export-again':
      if (view.stage === 'unresolved') return void (app.asking = { ask: 'start-another', id: view.id });
      return app.newExport({ from: view, why: 'again' });
    case 'copy-request-no':
      return void (await copy(view.request_key));
    case 'copy-details':
      return void (await copy(details(view)));
    case 'copy-access-request':
      return void (await copy(accessRequest(view, i18n.speech)));
  }
}

async function downloadTo(app: App, view: ExportView): Promise<void> {
  const folder = await app.attempt(app.api.chooseFolder());
  if (folder === undefined || folder === null) return;
  const answer = await app.attempt(app.api.download(view.id, folder));
  if (answer) app.exports.join(answer);
}

/** Whether it was copied. */
export async function copy(text: string): Promise<boolean> {
  const done = await toClipboard(text);
  if (done) announcer.say(i18n.speech.t('announce-copied'));
  return done;
}

/** What support asks for, as text: no parameters and no credential. */
function details(view: ExportView): string {
  const lines = [
    ['request_key', view.request_key],
    ['business_id', view.business_id ?? ''],
    ['service', view.service_address],
    ['tenant_id', view.tenant_id],
    ['operation', view.operation],
    ['stage', view.stage],
    ['hold', view.hold ?? ''],
    ['reason', view.reason ?? ''],
    ['call_result', view.call_result ?? ''],
    ['business_outcome', view.business_outcome],
    ['payload_hash', view.payload_hash],
    ['trace_id', view.attempts.at(-1)?.trace_id ?? ''],
  ];
  const attempts = view.attempts.map((one) =>
    [one.attempt_no, one.kind, one.phase ?? '', one.call_result ?? '', one.result ?? '', one.http_status ?? '', one.reason ?? '', one.started_at, one.duration_ms ?? '', one.span_id].join(' '),
  );
  return [...lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`), ...attempts].join('\n');
}

function accessRequest(view: ExportView, speech: Speech): string {
  const { t } = speech;
  return [
    t('access-request', { report: speech.title(view.title, view.operation), svc: view.service }),
    view.problem?.permission ? t('access-request-permission', { permission: view.problem.permission }) : '',
    view.subject ? t('access-request-account', { subject: view.subject }) : '',
    t('access-request-number', { id: view.request_key }),
  ].filter((line) => line !== '').join('\n');
}
