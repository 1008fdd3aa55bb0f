// The five checks of one service, while they run and after.
import { asError, type Api } from '../lib/api';
import type { CheckView, ErrorView } from '../lib/bindings';

/** Results appear one after the other, so that an eye can follow; no check waits for this. */
const STEP_MS = 140;

export class Checking {
  checks = $state.raw<CheckView[]>([]);
  running = $state(false);
  error = $state.raw<ErrorView | null>(null);
  readonly #api: Api;
  #round = 0;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The sign-in is what is missing. */
  get wantsSignIn(): boolean {
    return this.checks.some((check) => check.code === 'DK103' && check.outcome === 'fail');
  }

  get passed(): boolean {
    return !this.running && this.checks.length > 0 && this.checks.every((check) => check.outcome === 'pass' || check.outcome === 'warn');
  }

  async run(serviceId: string): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    this.checks = [];
    this.error = null;
    this.running = true;
    try {
      const answers = await this.#api.checkService(serviceId);
      for (const answer of answers) {
        if (round !== this.#round) return;
        this.checks = [...this.checks, answer];
        await new Promise((done) => setTimeout(done, STEP_MS));
      }
    } catch (thrown) {
      if (round === this.#round) this.error = asError(thrown);
    } finally {
      if (round === this.#round) this.running = false;
    }
  }
}
