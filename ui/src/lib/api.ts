// The window's one door to the program: every command and the one event. Nothing else imports Tauri's JavaScript.
//
// `Api` is what the window needs; tests and the preview bring their own. A command that fails rejects with an
// `ErrorView`; whatever else comes back is turned into one here, so that callers know one shape.
import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';

import type {
  CatalogueView,
  ChangeView,
  CheckView,
  ErrorView,
  ExportView,
  ListPage,
  ListQuery,
  NoticeView,
  RequestExport,
  Requested,
  SectionCounts,
  ServiceView,
} from './bindings';
import type { FreeSpace, Language, StartState, Theme, Weather, WeatherView } from './window-bindings';

export type { FreeSpace, Language, StartState, Weather, WeatherView };
export type ThemeChoice = Theme;

/** What a person found at the service, by hand. */
export type ByHand = { finding: 'absent' } | { finding: 'job'; business_id: string };

export interface NewService {
  name: string | null;
  address: string;
  tenantId: string;
  token: string | null;
}

export interface Api {
  startState(): Promise<StartState>;
  dismissNotice(id: number): Promise<NoticeView[]>;
  services(): Promise<ServiceView[]>;
  addService(service: NewService): Promise<ServiceView>;
  removeService(id: string): Promise<void>;
  checkService(id: string): Promise<CheckView[]>;
  signIn(id: string, token: string): Promise<ServiceView>;
  startPractice(): Promise<ServiceView>;
  operations(serviceId: string): Promise<CatalogueView>;
  newClickId(): Promise<string>;
  requestExport(request: RequestExport): Promise<Requested>;
  twin(request: RequestExport): Promise<Requested | null>;
  getExport(id: string): Promise<ExportView>;
  listExports(query: ListQuery): Promise<ListPage>;
  counts(): Promise<SectionCounts>;
  checkNow(id: string): Promise<ExportView>;
  sendNow(id: string): Promise<ExportView>;
  resend(id: string): Promise<ExportView>;
  cancel(id: string): Promise<ExportView>;
  settle(id: string, finding: ByHand): Promise<ExportView>;
  download(id: string, folder: string | null): Promise<ExportView>;
  pause(id: string): Promise<ExportView>;
  resume(id: string): Promise<ExportView>;
  openFile(id: string): Promise<void>;
  showInFolder(id: string): Promise<void>;
  chooseFolder(): Promise<string | null>;
  freeSpace(folder: string | null): Promise<FreeSpace>;
  setLanguage(language: Language): Promise<void>;
  setTheme(theme: ThemeChoice): Promise<void>;
  weather(): Promise<WeatherView>;
  setWeather(weather: Weather): Promise<WeatherView>;
  /** Calls back on every change, until the returned function is called. */
  onChange(listener: (change: ChangeView) => void): Promise<() => void>;
  /** Calls back when the tray asks for a new export. */
  onNewExport(listener: () => void): Promise<() => void>;
}

/** The event that carries a `ChangeView`. */
export const CHANGE_EVENT = 'docket://change';
/** The event by which the tray asks for a new export. */
export const NEW_EXPORT_EVENT = 'docket://new-export';

/** Whatever a command was rejected with, as an `ErrorView`. */
export function asError(thrown: unknown): ErrorView {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'message' in thrown) {
    const error = thrown as Partial<ErrorView>;
    return { code: error.code ?? 'internal', message: String(error.message), fields: error.fields ?? [] };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, fields: [] };
}

async function call<T>(command: string, args?: Record<string, unknown>): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (thrown) {
    throw asError(thrown);
  }
}

/** The program behind the window. */
export const tauri: Api = {
  startState: () => call('start_state'),
  dismissNotice: (id) => call('dismiss_notice', { id }),
  services: () => call('services'),
  addService: (service) => call('add_service', { ...service }),
  removeService: (id) => call('remove_service', { id }),
  checkService: (id) => call('check_service', { id }),
  signIn: (id, token) => call('sign_in', { id, token }),
  startPractice: () => call('start_practice'),
  operations: (serviceId) => call('operations', { serviceId }),
  newClickId: () => call('new_click_id'),
  requestExport: (request) => call('request_export', { request }),
  twin: (request) => call('twin', { request }),
  getExport: (id) => call('get_export', { id }),
  listExports: (query) => call('list_exports', { query }),
  counts: () => call('counts'),
  checkNow: (id) => call('check_now', { id }),
  sendNow: (id) => call('send_now', { id }),
  resend: (id) => call('resend', { id }),
  cancel: (id) => call('cancel', { id }),
  settle: (id, finding) => call('settle', { id, finding }),
  download: (id, folder) => call('download', { id, folder }),
  pause: (id) => call('pause', { id }),
  resume: (id) => call('resume', { id }),
  openFile: (id) => call('open_file', { id }),
  showInFolder: (id) => call('show_in_folder', { id }),
  chooseFolder: () => call('choose_folder'),
  freeSpace: (folder) => call('free_space', { folder }),
  setLanguage: (language) => call('set_language', { language }),
  setTheme: (theme) => call('set_theme', { theme }),
  weather: () => call('weather'),
  setWeather: (weather) => call('set_weather', { weather }),
  onChange: (listener) => listen<ChangeView>(CHANGE_EVENT, (event) => listener(event.payload)),
  onNewExport: (listener) => listen(NEW_EXPORT_EVENT, () => listener()),
};
