// Exports and reports made up for tests and the preview: Meridian's orders, as the pictures of the design have them.
import type {
  ActionView, AttemptKind, AttemptView, ExportView, OperationView, PersonAction, Phase, PhaseMark, ServiceView, Stage,
} from '../lib/bindings';

/** The moment at which the samples are looked at. */
export const NOW = new Date(2026, 10, 28, 10, 2, 27).getTime();

export const at = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();

const days = (count: number): number => count * 86_400_000;

type Member = [value: string, en: string, zh: string];
const members = (list: Member[]): unknown[] => list.map(([value, en, zh]) => ({ const: value, title: en, 'x-i18n': { 'zh-CN': { title: zh } } }));
const titled = (schema: object, en: string, zh: string, about = '', aboutZh = ''): object => ({
  ...schema, title: en, ...(about === '' ? {} : { description: about }), 'x-i18n': { 'zh-CN': { title: zh, ...(aboutZh === '' ? {} : { description: aboutZh }) } },
});

const REGIONS: Member[] = [
  ['north', 'North', '华北'], ['east', 'East', '华东'], ['south', 'South', '华南'], ['west', 'West', '西部'], ['central', 'Central', '华中'],
];
const COLUMNS: Member[] = [
  ['order_no', 'Order no.', '订单号'], ['ordered_on', 'Ordered on', '下单日期'], ['region', 'Region', '大区'], ['customer_no', 'Customer no.', '客户编号'],
  ['status', 'Status', '状态'], ['net_amount', 'Net amount', '不含税金额'], ['tax', 'Tax', '税额'], ['currency', 'Currency', '币种'],
  ['delivery', 'Delivery date', '交货日期'], ['channel', 'Sales channel', '销售渠道'], ['customer', 'Customer', '客户'], ['country', 'Country', '国家'],
  ['product', 'Product', '产品'], ['quantity', 'Quantity', '数量'],
];
const COLUMN_DEFAULTS = COLUMNS.slice(0, 8).map(([value]) => value);

export const ORDERS: OperationView = {
  operation: 'orders',
  title: { en: 'Orders by region', 'zh-CN': '区域订单' },
  description: { en: 'One row per order.', 'zh-CN': '每行一笔订单。' },
  parameters: {
    type: 'object',
    properties: {
      from: titled({ type: 'string', format: 'date' }, 'From', '从', 'The first day of the period.', '期间的第一天。'),
      to: titled({ type: 'string', format: 'date' }, 'To', '至', 'The last day of the period; at most 366 days in all.', '期间的最后一天；整个期间不超过 366 天。'),
      region: titled({ type: 'array', items: { type: 'string', oneOf: members(REGIONS) }, uniqueItems: true, minItems: 1, default: REGIONS.map(([value]) => value) }, 'Regions', '大区', 'The regions to include.', '要包含的大区。'),
      columns: titled({ type: 'array', items: { type: 'string', oneOf: members(COLUMNS) }, uniqueItems: true, minItems: 1, default: COLUMN_DEFAULTS }, 'Columns', '列', 'The columns of the file.', '文件包含的列。'),
      status: titled({ type: 'string', oneOf: members([['all', 'All', '全部'], ['open', 'Open', '未发货'], ['shipped', 'Shipped', '已发货'], ['invoiced', 'Invoiced', '已开票'], ['returned', 'Returned', '已退货']]), default: 'all' }, 'Status', '状态', 'Only orders in this state.', '只包含该状态的订单。'),
    },
    required: ['from', 'to'],
    additionalProperties: false,
  },
  formats: ['csv', 'xlsx', 'ndjson'],
};

export const LEDGER: OperationView = {
  operation: 'ledger',
  title: { en: 'General ledger', 'zh-CN': '总账明细' },
  description: { en: 'Up to 10,000,000 rows.', 'zh-CN': '最多 1000 万行。' },
  parameters: {
    type: 'object',
    properties: {
      rows: titled({ type: 'integer', minimum: 1, maximum: 10_000_000, default: 10_000 }, 'Rows', '行数', 'How many rows to write, up to 10,000,000.', '要写入的行数，最多 1000 万。'),
      seed: titled({ type: 'integer', minimum: 0, default: 1 }, 'Seed', '种子', 'The same seed gives the same file.', '相同种子得到相同文件。'),
    },
    required: ['rows'],
  },
  formats: ['csv', 'xlsx', 'ndjson'],
};

export const CUSTOMERS: OperationView = {
  operation: 'customers',
  title: { en: 'Customers by country', 'zh-CN': '客户分布' },
  description: { en: 'One row per customer.', 'zh-CN': '每行一个客户。' },
  parameters: {
    type: 'object',
    properties: {
      country: titled({ type: 'array', items: { type: 'string', enum: ['CN', 'DE', 'FR', 'JP', 'SG', 'US'] }, minItems: 1, default: ['CN', 'DE', 'FR', 'JP', 'SG', 'US'] }, 'Countries', '国家'),
      since: titled({ type: 'string', format: 'date' }, 'Customer since', '成为客户的日期不早于'),
    },
    required: [],
  },
  formats: ['csv', 'xlsx', 'ndjson'],
};

export const MERIDIAN: ServiceView = {
  id: 'svc-1', name: 'Meridian', address: 'https://reports.meridian.example', tenant_id: 'acme',
  caller: { subject: 'u-1', name: 'Lin Wei' }, credential: 'keychain', open_exports: 4,
  health: { call_result: 'answered', duration_ms: 84, reason: null, at: at(-4000) }, practice: false,
};
export const FINANCE: ServiceView = {
  id: 'svc-2', name: 'Finance Hub', address: 'https://finance.example', tenant_id: 'acme', caller: null, credential: 'keychain', open_exports: 1,
  health: { call_result: 'not_sent', duration_ms: 12, reason: 'host_not_found', at: at(-6000) }, practice: false,
};
export const PRACTICE: ServiceView = {
  id: 'svc-p', name: 'Practice service', address: 'http://127.0.0.1:40127', tenant_id: 'practice', caller: { subject: 'you', name: 'You' },
  credential: 'session', open_exports: 0, health: { call_result: 'answered', duration_ms: 2, reason: null, at: at(-1000) }, practice: true,
};

export const can = (...actions: PersonAction[]): ActionView[] => actions.map((action) => ({ action, not_yet: null }));

const PHASES: Phase[] = ['prepare', 'resolve', 'connect', 'secure', 'send', 'await', 'receive', 'decode', 'record'];

/** Marks of the phases up to one, from how long each column took: prepare, connect, secure, send, await. */
export function marks(last: Phase, ...spans: number[]): PhaseMark[] {
  const starts: Partial<Record<Phase, number>> = { prepare: 0 };
  const begins: Phase[] = ['prepare', 'connect', 'secure', 'send', 'await'];
  let sum = 0;
  begins.forEach((phase, place) => {
    starts[phase] = sum;
    sum += spans[place] ?? 0;
  });
  return PHASES.slice(0, PHASES.indexOf(last) + 1).flatMap((phase) => (starts[phase] === undefined ? [] : [{ phase, at_ms: starts[phase] ?? 0 }]));
}

export function attempt(attempt_no: number, kind: AttemptKind, more: Partial<AttemptView> = {}): AttemptView {
  return {
    attempt_no, kind, phase: 'record', call_result: 'answered', result: 'found', http_status: 200, reason: null, started_at: at(-15_000), ended_at: at(-14_900),
    duration_ms: 103, phases: marks('await', 1, 24, 38, 4, 36), heard: null, times: 1, trace_id: '4bf1c29e77b34d0aa3ce9296d0f3e471', span_id: `00f067aa0ba902b${attempt_no % 10}`, ...more,
  };
}

let minted = 0;

export function sample(stage: Stage, more: Partial<ExportView> = {}): ExportView {
  minted += 1;
  return {
    id: `e-${minted}`, request_key: `01a226c1-4984-7b1d-9e0f-5c2d84a7${String(minted).padStart(4, '0')}`, version: 1, service: 'Meridian', service_id: 'svc-1',
    service_address: 'https://reports.meridian.example', tenant_id: 'acme', subject: 'u-1', operation: 'orders', title: ORDERS.title,
    parameters: { from: '2026-11-01', to: '2026-11-28', region: ['north', 'east', 'south'], columns: COLUMN_DEFAULTS, status: 'all' }, format: 'csv',
    payload_hash: '3f9a1c07d25e08b14c6790af23bd51e89a04f7c6281d35be90f7a2e4e2b477d0', stage, hold: null, reason: null, call_result: 'answered',
    business_outcome: 'unknown', business_id: null, revision: null, created_at: at(-16_000), updated_at: at(-1000), next_action_at: null, next_action: null,
    window_ends_at: null, supersedes: null, looks: 0, progress: null, news_at: null, expires_at: null, offered: null, delivery: null, file: null, problem: null,
    warnings: [], candidates: [], cancel_asked: false, actions: [], attempts: [], ...more,
  };
}

const lostSubmit = attempt(1, 'submit', {
  phase: 'await', call_result: 'lost', result: 'lost', http_status: null, reason: 'closed_without_answer', started_at: at(-15_000), ended_at: at(-6800),
  duration_ms: 8281, phases: marks('await', 3, 28, 41, 9, 8200),
});

/** The story of the pictures: sent, answer lost, three look-ups, a fourth to come. */
export const confirming = (more: Partial<ExportView> = {}): ExportView =>
  sample('confirming', {
    call_result: 'lost', next_action: 'lookup', next_action_at: at(8000), window_ends_at: at(885_000), looks: 3,
    actions: [...can('check-now', 'cancel'), { action: 'export-again', not_yet: 'until_result_known' }],
    attempts: [
      lostSubmit,
      attempt(2, 'lookup', { phase: 'connect', call_result: 'not_sent', result: 'not_sent', reason: 'connect_failed', started_at: at(-6000), ended_at: at(-5000), duration_ms: 1001, phases: marks('connect', 1, 1000) }),
      attempt(3, 'lookup', { result: 'not_seen', started_at: at(-4000), ended_at: at(-3900) }),
      attempt(4, 'lookup', { result: 'not_seen', started_at: at(-200), ended_at: at(-100), duration_ms: 97, phases: marks('await', 1, 22, 37, 4, 33) }),
    ],
    ...more,
  });

const accepted = attempt(1, 'submit', { heard: 'queued', started_at: at(-264_000), ended_at: at(-263_900), duration_ms: 135, phases: marks('await', 2, 26, 39, 7, 61) });

export const running = (more: Partial<ExportView> = {}): ExportView =>
  sample('running', {
    operation: 'ledger', title: LEDGER.title, parameters: { rows: 981_600, seed: 1 }, business_outcome: 'running', business_id: 'exp_20928', revision: 7,
    created_at: at(-264_000), news_at: at(-2000), progress: { done: 412_300, total: 981_600, unit: 'rows', step: 'Writing rows', ahead: null },
    next_action: 'poll', next_action_at: at(9000), actions: can('cancel'),
    attempts: [accepted, attempt(2, 'poll', { heard: 'running', started_at: at(-226_000), ended_at: at(-225_900), times: 18 })],
    ...more,
  });

export const waiting = (more: Partial<ExportView> = {}): ExportView =>
  sample('waiting_to_send', {
    service: 'Finance Hub', service_id: 'svc-2', service_address: 'https://finance.example', operation: 'customer-ledger',
    title: { en: 'Customer ledger', 'zh-CN': '客户往来账' }, parameters: { period: '31 Oct – 29 Nov' }, format: 'xlsx', call_result: 'not_sent', reason: 'host_not_found',
    created_at: at(-60_000), next_action: 'submit', next_action_at: at(24_000), actions: can('send-now', 'edit-and-resubmit', 'cancel'),
    attempts: [attempt(1, 'submit', { phase: 'resolve', call_result: 'not_sent', result: 'not_sent', http_status: null, reason: 'host_not_found', started_at: at(-60_000), ended_at: at(-59_900), duration_ms: 14, phases: marks('resolve', 2).concat({ phase: 'resolve', at_ms: 2 }) })],
    ...more,
  });

export const saved = (more: Partial<ExportView> = {}): ExportView => {
  const begun = -(50 * 60_000);
  return sample('saved', {
    business_outcome: 'succeeded', business_id: 'exp_20894', revision: 9, created_at: at(begun), parameters: { from: '2026-11-16', to: '2026-11-22', region: REGIONS.map(([value]) => value), columns: COLUMN_DEFAULTS, status: 'all' },
    expires_at: at(days(8)), actions: can('open-file', 'show-in-folder', 'export-again'),
    file: {
      path: '/data/Downloads/orders-by-region_2026-11-16_2026-11-22.csv', name: 'orders-by-region_2026-11-16_2026-11-22.csv', size: 18_400_000,
      digest: '9c1e47b06f2d81aa03b7e5c4d85f10924e7713fab06c9d3851ea2f678a40b07d', verified: 'digest', saved_at: at(begun + 238_000),
    },
    attempts: [
      attempt(1, 'submit', { heard: 'queued', started_at: at(begun + 60), ended_at: at(begun + 154), duration_ms: 94 }),
      attempt(2, 'poll', { heard: 'running', started_at: at(begun + 12_000), ended_at: at(begun + 12_100), times: 14 }),
      attempt(3, 'poll', { heard: 'succeeded', started_at: at(begun + 212_900), ended_at: at(begun + 213_000) }),
      attempt(4, 'download', { result: 'saved', started_at: at(begun + 213_000), ended_at: at(begun + 238_000), duration_ms: 25_000 }),
    ],
    ...more,
  });
};

export const rejected = (more: Partial<ExportView> = {}): ExportView =>
  sample('rejected', {
    business_outcome: 'rejected', reason: 'invalid-parameters', created_at: at(-1_080_000), parameters: { from: '2025-12-01', to: '2026-12-31', region: ['north'], columns: COLUMN_DEFAULTS, status: 'all' },
    problem: { kind: 'invalid-parameters', title: 'The parameters are not valid.', detail: null, errors: [{ pointer: '/to', detail: 'The period must not exceed 366 days. Choose a shorter one.' }], permission: null, owner: null, retry_may_help: false },
    actions: can('edit-and-resubmit'),
    attempts: [attempt(1, 'submit', { result: 'refused', http_status: 422, reason: 'invalid-parameters', started_at: at(-1_080_000), ended_at: at(-1_079_900) })],
    ...more,
  });

export const unresolved = (more: Partial<ExportView> = {}): ExportView =>
  sample('unresolved', {
    call_result: 'lost', reason: 'service_unreachable', format: 'xlsx', created_at: at(-1_867_000), window_ends_at: at(-967_000), looks: 19, next_action: 'lookup', next_action_at: at(900_000),
    actions: can('check-now', 'resend', 'settle', 'export-again', 'cancel'), attempts: [{ ...lostSubmit, started_at: at(-1_867_000), ended_at: at(-1_859_000) }],
    ...more,
  });
