// The form of one new export: its values, what is wrong with them, what `twin` says of duplicates, and sending once.
//
// A draft has one `click_id`, made when its form was opened and made anew after it was recorded: the same click is the
// same export, however often it is sent.
import { announcer } from '../lib/announce.svelte';
import { asError } from '../lib/api';
import type { App, Seed } from '../lib/app.svelte';
import type { ErrorView, FieldErrorView, Knowing, OperationView, RequestExport, Requested, ServiceView } from '../lib/bindings';
import { i18n } from '../lib/i18n.svelte';
import { announcement } from '../lib/sentences';
import { fieldsOf, initialValues, parametersOf, problemsOf, type Field, type Json } from '../lib/schema';

const TWIN_MS = 250;

export type Twin = Extract<Requested, { requested: 'twin' }>;
export type NearTwin = Extract<Requested, { requested: 'near_twin' }>;

export class Draft {
  readonly service: ServiceView;
  readonly operation: OperationView;
  readonly fields: Field[];
  readonly supersedes: string | null;
  values = $state<Json>({});
  format = $state('');
  folder = $state<string | null>(null);
  sending = $state(false);
  error = $state.raw<ErrorView | null>(null);
  twin = $state.raw<Twin | null>(null);
  near = $state.raw<NearTwin | null>(null);
  /** The person pressed the button: from then on what is missing is said. */
  tried = $state(false);
  #said = $state.raw<FieldErrorView[]>([]);
  readonly #app: App;
  #click: Promise<string>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(app: App, service: ServiceView, operation: OperationView, seed: Seed | null) {
    this.#app = app;
    this.service = service;
    this.operation = operation;
    this.fields = fieldsOf(operation.parameters);
    this.values = { ...initialValues(this.fields), ...(seed ? structuredClone(seed.from.parameters) : {}) };
    this.format = seed && operation.formats.includes(seed.from.format) ? seed.from.format : (operation.formats[0] ?? '');
    this.supersedes = seed?.from.id ?? null;
    if (seed?.why === 'edit') this.#said = seed.from.problem?.errors ?? [];
    this.#click = app.api.newClickId();
    this.#click.catch(() => undefined);
  }

  /** What is wrong, in the language of now: ours before it is sent, the service's after. */
  get problems(): FieldErrorView[] {
    const ours = this.tried ? problemsOf(this.fields, this.values, i18n.speech) : [];
    return [...ours, ...this.#said.filter((one) => !ours.some((other) => other.pointer === one.pointer))];
  }

  /** Nothing is wrong that the window could know. */
  get complete(): boolean {
    return problemsOf(this.fields, this.values, i18n.speech).length === 0;
  }

  set(field: Field, value: unknown): void {
    this.values[field.name] = value;
    this.changed(field.pointer);
  }

  /** A value was changed: what the service said of it is no longer so. */
  changed(pointer: string): void {
    this.#said = this.#said.filter((one) => one.pointer !== pointer && !one.pointer.startsWith(`${pointer}/`));
    this.error = null;
    this.askTwin();
  }

  async #request(knowing: Knowing[]): Promise<RequestExport> {
    return {
      service_id: this.service.id,
      operation: this.operation.operation,
      parameters: parametersOf(this.fields, $state.snapshot(this.values) as Json),
      format: this.format,
      click_id: await this.#click,
      supersedes: this.supersedes,
      folder: this.folder,
      knowing,
    };
  }

  /** Asks, a moment after the last change, whether there is one already. Records nothing. */
  askTwin(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const round = this.#asked;
    if (!this.complete) {
      this.twin = null;
      return;
    }
    this.#timer = setTimeout(() => void this.#lookForTwin(round), TWIN_MS);
  }

  async #lookForTwin(round: number): Promise<void> {
    try {
      const answer = await this.#app.api.twin(await this.#request([]));
      if (round === this.#asked) this.twin = answer?.requested === 'twin' ? answer : null;
    } catch {
      // The real request says the same, and then it is shown.
      if (round === this.#asked) this.twin = null;
    }
  }

  /** Sends it once. Answers whether it was recorded. */
  async submit(knowing: Knowing[] = []): Promise<boolean> {
    if (this.sending) return false;
    this.tried = true;
    if (!this.complete) {
      announcer.say(i18n.speech.t('request-error-summary', { n: this.problems.length }));
      return false;
    }
    this.sending = true;
    this.error = null;
    try {
      return this.#took(await this.#app.api.requestExport(await this.#request(knowing)));
    } catch (thrown) {
      this.error = asError(thrown);
      this.#said = this.error.fields;
      return false;
    } finally {
      this.sending = false;
    }
  }

  #took(answer: Requested): boolean {
    switch (answer.requested) {
      case 'recorded':
      case 'same_click':
        this.#click = this.#app.api.newClickId();
        this.#click.catch(() => undefined);
        this.twin = null;
        this.near = null;
        this.#app.exports.join(answer.export);
        announcer.say(announcement(answer.export, i18n.speech));
        void this.#app.exports.refresh();
        this.#app.seed = null;
        this.#app.show(answer.export.id);
        return true;
      case 'twin':
        this.#app.exports.join(answer.export);
        this.twin = answer;
        return false;
      case 'near_twin':
        this.#app.exports.join(answer.export);
        this.near = answer;
        return false;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }
}
