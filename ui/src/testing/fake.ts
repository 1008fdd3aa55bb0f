// A program behind the window that is not there: an `Api` over a list in memory. For tests and the preview only; the
// window itself never imports it.
import type { Api, StartState, Weather, WeatherView } from '../lib/api';
import type { CatalogueView, ChangeView, CheckView, ErrorView, ExportView, ListPage, ListQuery, NoticeView, RequestExport, Requested, Section, SectionCounts, ServiceView } from '../lib/bindings';
import { CUSTOMERS, FINANCE, LEDGER, MERIDIAN, ORDERS, PRACTICE, at, can, sample } from './samples';

const SETTLED = ['saved', 'not_created', 'cancelled', 'expired'];
const HELP = ['sign_in', 'other_account', 'access_withdrawn', 'cannot_write', 'check_failed'];

export function sectionOf(view: ExportView): Section {
  if (SETTLED.includes(view.stage)) return 'finished';
  if (['unresolved', 'rejected', 'failed'].includes(view.stage) || (view.hold !== null && HELP.includes(view.hold))) return 'needs_attention';
  return 'in_progress';
}

export const failure = (code: ErrorView['code'], message = 'It did not work.', fields: ErrorView['fields'] = []): ErrorView => ({ code, message, fields });

export class FakeApi implements Api {
  start: StartState = { language: 'en', theme: 'light', practice: false, first_run: false, role: 'driver', notices: [], version: '0.1.0' };
  kept: ServiceView[] = [MERIDIAN, FINANCE];
  catalogues: Record<string, CatalogueView> = {
    'svc-1': { service_id: 'svc-1', operations: [ORDERS, LEDGER, CUSTOMERS], fetched_at: at(0) },
    'svc-2': { service_id: 'svc-2', operations: [], fetched_at: at(0) },
    'svc-p': { service_id: 'svc-p', operations: [ORDERS, LEDGER, CUSTOMERS], fetched_at: at(0) },
  };
  /** Every call, by name and arguments, in order. */
  calls: [name: string, ...args: unknown[]][] = [];
  requested: RequestExport[] = [];
  nextTwin: Requested | null = null;
  /** Ids of exports whose rows the store can't read. */
  readonly unreadable = new Set<string>();
  nextAnswer: Requested | ErrorView | null = null;
  sky: WeatherView = { lose_next_receipt: false, refuse_until: null, stall_next: false };
  checks: CheckView[] = [
    { code: 'DK101', outcome: 'pass', reason: null, fact: '84 ms' },
    { code: 'DK102', outcome: 'pass', reason: null, fact: 'TLS 1.3' },
    { code: 'DK103', outcome: 'pass', reason: null, fact: '12' },
    { code: 'DK104', outcome: 'pass', reason: null, fact: null },
    { code: 'DK105', outcome: 'warn', reason: 'unsupported', fact: null },
  ];
  #listeners = new Set<(change: ChangeView) => void>();
  #clicks = 0;

  constructor(public exports: ExportView[] = []) {}

  /** Publishes a newer view of an export, as the event would. */
  publish(view: ExportView): void {
    const known = this.exports.findIndex((one) => one.id === view.id);
    if (known < 0) this.exports.unshift(view);
    else this.exports[known] = view;
    for (const listener of this.#listeners) listener({ change: 'export', export: view, counts: this.#counts() });
  }

  #counts(): SectionCounts {
    const counts: SectionCounts = { needs_attention: 0, in_progress: 0, confirming: 0, finished: 0 };
    for (const view of this.exports) {
      counts[sectionOf(view)] += 1;
      if (view.stage === 'confirming') counts.confirming += 1;
    }
    return counts;
  }

  #did(name: string, ...args: unknown[]): void {
    this.calls.push([name, ...args]);
  }

  #find(id: string): ExportView {
    const view = this.exports.find((one) => one.id === id);
    if (!view) throw failure('unknown_export');
    return view;
  }

  async #touch(name: string, id: string, more: Partial<ExportView> = {}): Promise<ExportView> {
    this.#did(name, id);
    const view = this.#find(id);
    const next = { ...view, ...more, version: view.version + 1 };
    this.publish(next);
    return next;
  }

  async startState(): Promise<StartState> {
    return this.start;
  }
  async dismissNotice(id: number): Promise<NoticeView[]> {
    this.#did('dismissNotice', id);
    this.start = { ...this.start, notices: this.start.notices.filter((notice) => notice.id !== id) };
    return this.start.notices;
  }
  async services(): Promise<ServiceView[]> {
    return this.kept;
  }
  async addService(service: { name: string | null; address: string; tenantId: string; token: string | null }): Promise<ServiceView> {
    this.#did('addService', service);
    const view: ServiceView = { ...MERIDIAN, id: 'svc-new', name: service.name ?? 'Meridian', address: service.address, tenant_id: service.tenantId, open_exports: 0 };
    this.kept = [...this.kept, view];
    this.catalogues[view.id] = { service_id: view.id, operations: [ORDERS, LEDGER], fetched_at: at(0) };
    return view;
  }
  async removeService(id: string): Promise<void> {
    this.#did('removeService', id);
    this.kept = this.kept.filter((service) => service.id !== id);
  }
  async checkService(id: string): Promise<CheckView[]> {
    this.#did('checkService', id);
    // What the calls showed of the service is told before the checks are answered.
    const health = { call_result: 'answered' as const, duration_ms: 12, reason: null, at: at(0) };
    this.kept = this.kept.map((service) => (service.id === id ? { ...service, health } : service));
    for (const listener of this.#listeners) listener({ change: 'services', services: this.kept });
    return this.checks;
  }
  async signIn(id: string, token: string): Promise<ServiceView> {
    this.#did('signIn', id, token);
    return { ...(this.kept.find((service) => service.id === id) ?? MERIDIAN), credential: 'keychain' };
  }
  async startPractice(): Promise<ServiceView> {
    this.#did('startPractice');
    this.kept = [...this.kept, PRACTICE];
    return PRACTICE;
  }
  async operations(serviceId: string): Promise<CatalogueView> {
    const catalogue = this.catalogues[serviceId];
    if (!catalogue) throw failure('unknown_service');
    return catalogue;
  }
  async newClickId(): Promise<string> {
    this.#clicks += 1;
    return `click-${this.#clicks}`;
  }
  async requestExport(request: RequestExport): Promise<Requested> {
    this.requested.push(request);
    const answer = this.nextAnswer;
    this.nextAnswer = null;
    if (answer && 'code' in answer) throw answer;
    if (answer) return answer;
    const view = sample('sending', { parameters: request.parameters, format: request.format, operation: request.operation, service_id: request.service_id, call_result: null, created_at: new Date().toISOString(), actions: can('cancel') });
    this.publish(view);
    return { requested: 'recorded', export: view };
  }
  async twin(request: RequestExport): Promise<Requested | null> {
    this.#did('twin', request);
    return this.nextTwin;
  }
  async getExport(id: string): Promise<ExportView> {
    return this.#find(id);
  }
  async listExports(query: ListQuery): Promise<ListPage> {
    this.#did('listExports', query);
    const needle = query.search?.toLowerCase() ?? '';
    const all = this.exports.filter(
      (view) => (query.section === null || sectionOf(view) === query.section) && (needle === '' || JSON.stringify([view.title, view.request_key, view.parameters, view.service]).toLowerCase().includes(needle)),
    );
    const rows = all.slice(query.offset, query.offset + query.limit);
    const items = rows.filter((view) => !this.unreadable.has(view.id));
    const unreadable = rows.flatMap((view, at) => (this.unreadable.has(view.id) ? [at] : []));
    return { items, counts: this.#counts(), unreadable, more: query.offset + rows.length < all.length };
  }
  async counts(): Promise<SectionCounts> {
    return this.#counts();
  }
  checkNow(id: string): Promise<ExportView> {
    return this.#touch('checkNow', id);
  }
  sendNow(id: string): Promise<ExportView> {
    return this.#touch('sendNow', id);
  }
  resend(id: string): Promise<ExportView> {
    return this.#touch('resend', id);
  }
  cancel(id: string): Promise<ExportView> {
    return this.#touch('cancel', id, { cancel_asked: true });
  }
  settle(id: string, finding: unknown): Promise<ExportView> {
    this.#did('settle-finding', finding);
    return this.#touch('settle', id);
  }
  download(id: string, folder: string | null): Promise<ExportView> {
    this.#did('download-folder', folder);
    return this.#touch('download', id);
  }
  pause(id: string): Promise<ExportView> {
    return this.#touch('pause', id, { hold: 'paused', actions: can('resume', 'cancel') });
  }
  resume(id: string): Promise<ExportView> {
    return this.#touch('resume', id, { hold: null, actions: can('pause', 'cancel') });
  }
  async openFile(id: string): Promise<void> {
    this.#did('openFile', id);
  }
  async showInFolder(id: string): Promise<void> {
    this.#did('showInFolder', id);
  }
  async chooseFolder(): Promise<string | null> {
    return '/data/exports';
  }
  async freeSpace(folder: string | null): Promise<{ folder: string; free: number }> {
    return { folder: folder ?? '/data/Downloads', free: 212_000_000_000 };
  }
  async setLanguage(language: string): Promise<void> {
    this.#did('setLanguage', language);
  }
  async setTheme(theme: string): Promise<void> {
    this.#did('setTheme', theme);
  }
  async weather(): Promise<WeatherView> {
    return this.sky;
  }
  async setWeather(weather: Weather): Promise<WeatherView> {
    this.#did('setWeather', weather);
    switch (weather.weather) {
      case 'lose_next_receipt':
        this.sky = { ...this.sky, lose_next_receipt: true };
        break;
      case 'refuse':
        this.sky = { ...this.sky, refuse_until: new Date(Date.now() + weather.seconds * 1000).toISOString() };
        break;
      case 'stall_next':
        this.sky = { ...this.sky, stall_next: true };
        break;
      case 'clear':
        this.sky = { lose_next_receipt: false, refuse_until: null, stall_next: false };
    }
    return this.sky;
  }
  /** As the tray does it. */
  askForNewExport: () => void = () => undefined;
  async onNewExport(listener: () => void): Promise<() => void> {
    this.askForNewExport = listener;
    return () => (this.askForNewExport = () => undefined);
  }
  async onChange(listener: (change: ChangeView) => void): Promise<() => void> {
    this.#did('onChange');
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
