// What the preview shows: the exports of the design's pictures, with one of them chosen, and the other views.
import type { ExportView, Hold, Stage } from '../src/lib/bindings';
import { FakeApi } from '../src/testing/fake';
import { CUSTOMERS, PRACTICE, at, attempt, can, confirming, rejected, running, sample, saved, unresolved, waiting } from '../src/testing/samples';

const HOUR = 3_600_000;

export interface Story {
  api: FakeApi;
  after: () => Promise<void>;
}

/** Waits until something is there, then does something with it. */
async function when(selector: string, then: (element: HTMLElement) => void): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const element = document.querySelector<HTMLElement>(selector);
    if (element) {
      then(element);
      await new Promise((done) => setTimeout(done, 120));
      return;
    }
    await new Promise((done) => setTimeout(done, 30));
  }
}

const click = (selector: string): Promise<void> => when(selector, (element) => element.click());

/** The nine exports of the pictures. */
function nine(): Record<string, ExportView> {
  return {
    unresolved: unresolved({ title: { en: 'Stock movements', 'zh-CN': '库存流水' }, operation: 'stock', parameters: { month: '2026-10' } }),
    rejected: rejected({ title: { en: 'Invoice lines', 'zh-CN': '发票明细' } }),
    confirming: confirming(),
    running: running(),
    waiting: waiting(),
    accepted: sample('accepted', {
      operation: 'customers', title: CUSTOMERS.title, parameters: { since: '2026-01-01', country: ['CN', 'DE'] }, format: 'ndjson', business_outcome: 'queued', business_id: 'exp_20929',
      created_at: at(-147_000), news_at: at(-5000), progress: { done: 0, total: null, unit: 'rows', step: null, ahead: 2 }, next_action: 'poll', next_action_at: at(4000), actions: can('cancel'),
      attempts: [attempt(1, 'submit', { heard: 'queued', started_at: at(-147_000), ended_at: at(-146_900) })],
    }),
    saved: saved(),
    refunds: saved({ title: { en: 'Refunds by reason', 'zh-CN': '退款原因' }, operation: 'refunds', parameters: { week: '2026-W47' }, created_at: at(-26 * HOUR), file: { ...saved().file!, name: 'refunds-by-reason_2026-W47.xlsx', size: 1_200_000 } }),
    cancelled: sample('not_created', { title: { en: 'Price list', 'zh-CN': '价目表' }, operation: 'prices', parameters: {}, reason: 'withdrawn', business_outcome: 'not_created', call_result: 'not_sent', created_at: at(-34 * HOUR), actions: can('export-again') }),
  };
}

const MORE: Partial<Record<Stage, Partial<ExportView>>> = {
  sending: { call_result: null, actions: can('cancel'), attempts: [attempt(1, 'submit', { phase: 'await', call_result: null, result: null, ended_at: null, duration_ms: null })] },
  cancelling: { business_outcome: 'running', business_id: 'exp_1', news_at: at(-3000), cancel_asked: true, next_action: 'poll', next_action_at: at(3000) },
  ready: { business_outcome: 'succeeded', business_id: 'exp_1', offered: { name: 'orders-by-region_2026-11-01_2026-11-28.csv', size: 18_400_000 }, expires_at: at(8 * 24 * HOUR), actions: can('download', 'cancel') },
  downloading: { business_outcome: 'succeeded', business_id: 'exp_1', offered: { name: 'orders-by-region_2026-11-01_2026-11-28.csv', size: 18_400_000 }, delivery: { done: 7_700_000, total: 18_400_000, space_needed: null, space_free: null, folder: null, folder_reason: null }, actions: can('pause', 'cancel') },
  failed: { business_outcome: 'failed', business_id: 'exp_1', problem: { kind: 'render-failed', title: 'The report could not be made.', detail: 'The data source closed the connection.', errors: [], permission: null, owner: null, retry_may_help: true }, actions: can('export-again') },
  cancelled: { business_outcome: 'cancelled', business_id: 'exp_1', cancel_asked: true, actions: can('export-again') },
  expired: { business_outcome: 'expired', business_id: 'exp_1', expires_at: at(-HOUR), actions: can('export-again') },
};

const HOLD_STAGES: Record<Hold, ExportView> = {
  other_account: confirming({ hold: 'other_account', actions: can('sign-in'), next_action: null, next_action_at: null }),
  restored_store: confirming({ hold: 'restored_store' }),
  sign_in: confirming({ hold: 'sign_in', actions: can('sign-in', 'cancel'), next_action: null, next_action_at: null }),
  access_withdrawn: sample('ready', { ...MORE.ready, hold: 'access_withdrawn' }),
  paused: sample('downloading', { ...MORE.downloading, hold: 'paused', actions: can('resume', 'cancel') }),
  cannot_write: sample('downloading', { ...MORE.downloading, hold: 'cannot_write', delivery: { ...MORE.downloading!.delivery!, folder: '/data/Downloads', folder_reason: 'Permission denied' }, actions: can('download', 'cancel') }),
  no_space: sample('downloading', { ...MORE.downloading, hold: 'no_space', delivery: { ...MORE.downloading!.delivery!, space_needed: 10_700_000, space_free: 3_200_000 }, actions: can('download', 'cancel') }),
  check_failed: sample('downloading', { ...MORE.downloading, hold: 'check_failed', actions: can('download', 'cancel') }),
  download_interrupted: sample('downloading', { ...MORE.downloading, hold: 'download_interrupted', next_action: 'download', next_action_at: at(1_200_000), actions: can('resume', 'cancel') }),
  no_progress: running({ hold: 'no_progress', news_at: at(-2_100_000), actions: can('check-now', 'cancel') }),
};

export function story(name: string): Story {
  const known = nine();
  const api = new FakeApi(Object.values(known));
  const choose = (view: ExportView | undefined): Story => ({ api, after: () => (view ? click(`[role=option][data-export-id="${view.id}"]`) : Promise.resolve()) });
  if (known[name]) return choose(known[name]);
  if (name.startsWith('hold-')) {
    const view = HOLD_STAGES[name.slice(5) as Hold];
    api.exports.unshift(view);
    return choose(view);
  }
  if (name in MORE) {
    const view = sample(name as Stage, MORE[name as Stage]);
    api.exports.unshift(view);
    return choose(view);
  }
  switch (name) {
    case 'forbidden': {
      const view = rejected({ reason: 'forbidden', problem: { kind: 'forbidden', title: 'Not allowed.', detail: null, errors: [], permission: 'orders.export', owner: 'Finance data team', retry_may_help: false }, actions: can('export-again') });
      api.exports.unshift(view);
      return choose(view);
    }
    case 'menu':
      return { api, after: async () => (await click(`[role=option][data-export-id="${known['confirming']?.id}"]`), await click('[data-menu]')) };
    case 'cancel':
      return { api, after: async () => (await click(`[role=option][data-export-id="${known['confirming']?.id}"]`), await click('[data-menu]'), await click('[role=menuitem][data-action=cancel]')) };
    case 'another':
    case 'settle':
      return { api, after: async () => (await click(`[role=option][data-export-id="${known['unresolved']?.id}"]`), await click('[data-menu]'), await click(`[role=menuitem][data-action=${name === 'settle' ? 'settle' : 'export-again'}]`)) };
    case 'new':
    case 'twin':
    case 'wrong':
      if (name === 'twin') api.nextTwin = { requested: 'twin', export: known['confirming']!, copy: 'no' };
      return {
        api,
        after: async () => {
          await click('[data-nav="new-export"]');
          if (name === 'wrong') return click('[data-action="request-export"]');
          await click('[data-value="last-month"]');
          await new Promise((done) => setTimeout(done, 400));
        },
      };
    case 'settings':
      return { api, after: async () => (await click('[data-nav="settings"]'), await click('[data-service-action="check"]')) };
    case 'weather':
      api.kept = [...api.kept, PRACTICE];
      return { api, after: async () => (await click('[data-weather="open"]'), await click('[data-weather="lose"]')) };
    case 'notice':
      api.start.notices = [{ id: 1, kind: 'store_set_aside', at: at(-60_000), path: '/data/Docket/docket.damaged-2026-11-29T10-00-00Z.db', open: 4, over: 231, unreadable: 1, all_counted: true }];
      return choose(known['confirming']);
    case 'empty':
      api.exports = [];
      return choose(undefined);
    case 'many':
      api.exports = Array.from({ length: 5000 }, (_, place) => saved({ created_at: at(-place * HOUR) }));
      return choose(undefined);
    case 'first':
    case 'checks':
    case 'service':
      Object.assign(api, { exports: [], kept: [] });
      api.start.first_run = true;
      return { api, after: () => (name === 'first' ? Promise.resolve() : click(name === 'checks' ? '[data-first="practice"]' : '[data-first="own"]')) };
    default:
      throw new Error(`no story ${name}`);
  }
}
