// What the whole window shares: the program behind it, the exports, the services, which view is shown and what is
// chosen. Views and components get it by `useApp()`, so a test gives them one over its own `Api`.
import { getContext, setContext } from 'svelte';

import { asError, type Api, type Language, type StartState, type ThemeChoice } from './api';
import type { ErrorView, ExportView, NoticeView } from './bindings';
import { announcer } from './announce.svelte';
import { Exports } from './exports.svelte';
import { i18n } from './i18n.svelte';
import { keep, kept } from './memory';
import { Services } from './services.svelte';
import { applyTheme } from './theme';

export type ViewName = 'first-run' | 'exports' | 'new-export' | 'settings';
export type Density = 'comfortable' | 'compact';

/** What a new export starts from: an old one that is mended or repeated. */
export interface Seed {
  from: ExportView;
  /** `edit`: shows the service's field errors. */
  why: 'edit' | 'again';
}

/** What waits for an answer of the person, over the window. */
export type Asking =
  | { ask: 'cancel'; id: string }
  | { ask: 'start-another'; id: string }
  | { ask: 'copy'; id: string }
  | { ask: 'settle'; id: string }
  | { ask: 'sign-in'; serviceId: string; subject: string | null };

export class App {
  readonly api: Api;
  readonly exports: Exports;
  readonly services: Services;
  view = $state<ViewName>('exports');
  selected = $state<string | null>(null);
  seed = $state.raw<Seed | null>(null);
  asking = $state.raw<Asking | null>(null);
  /** The person has gone from view to view: the focus must not be left behind. */
  moved = false;
  /** The window can not open: why. */
  closed = $state.raw<ErrorView | null>(null);
  /** The last thing that could not be done, until it is read. */
  error = $state.raw<ErrorView | null>(null);
  density = $state<Density>('comfortable');
  theme = $state<ThemeChoice>('system');
  start = $state.raw<StartState | null>(null);
  /** What happened to the history and was not dismissed. */
  notices = $state.raw<NoticeView[]>([]);
  #asksRole = false;

  constructor(api: Api) {
    this.api = api;
    this.exports = new Exports(api);
    this.services = new Services(api);
    this.exports.onChange((now, before) => announcer.heard(now, before));
    this.exports.onChange(() => void this.#lookAtRole());
    this.density = kept('density', (value): value is Density => value === 'comfortable' || value === 'compact') ?? 'comfortable';
  }

  /** Reads what the window must know, subscribes, and takes the first snapshot. */
  async open(): Promise<() => void> {
    const start = await this.api.startState();
    i18n.use(start.language);
    this.theme = start.theme;
    applyTheme(start.theme);
    this.start = start;
    this.notices = start.notices;
    const stops = [
      await this.exports.start((change) => {
        if (change.change === 'services') this.services.take(change.services);
        else this.notices = change.notices;
      }),
      await this.api.onNewExport(() => this.newExport()),
    ];
    await this.services.load();
    if (start.first_run && this.services.all.length === 0) this.view = 'first-run';
    return () => stops.forEach((stop) => stop());
  }

  /** Who only followed along drives once the other has ended, and is told by what happens then. */
  async #lookAtRole(): Promise<void> {
    if (this.#asksRole || this.start?.role !== 'observer') return;
    this.#asksRole = true;
    const start = await this.attempt(this.api.startState());
    this.#asksRole = false;
    if (start) this.start = start;
  }

  async dismiss(id: number): Promise<void> {
    const left = await this.attempt(this.api.dismissNotice(id));
    if (left) this.notices = left;
  }

  setLanguage(language: Language): void {
    i18n.use(language);
    void this.attempt(this.api.setLanguage(language));
  }

  setTheme(theme: ThemeChoice): void {
    this.theme = theme;
    applyTheme(theme);
    void this.attempt(this.api.setTheme(theme));
  }

  setDensity(density: Density): void {
    this.density = density;
    keep('density', density);
  }

  go(view: ViewName): void {
    this.moved = true;
    this.view = view;
  }

  newExport(seed: Seed | null = null): void {
    this.seed = seed;
    this.go('new-export');
  }

  /** Shows an export: the list, with it chosen. */
  show(id: string): void {
    this.go('exports');
    this.selected = id;
  }

  /** Waits for something that may fail; a failure is shown. */
  async attempt<T>(doing: Promise<T>): Promise<T | undefined> {
    try {
      return await doing;
    } catch (thrown) {
      this.error = asError(thrown);
      return undefined;
    }
  }
}

const KEY = Symbol('app');

export const provideApp = (app: App): App => setContext(KEY, app);
export const useApp = (): App => getContext<App>(KEY);
