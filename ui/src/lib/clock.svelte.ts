// The window's only timer. It ticks once a second while something on screen counts, and not otherwise.
//
// Reading `clock.now` inside an effect or a derived value is what keeps it going; when nobody reads it any more it
// stops. `clock.still()` reads the time without asking for a next tick.
import { createSubscriber } from 'svelte/reactivity';

const TICK_MS = 1000;

class Clock {
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, TICK_MS);
    return () => clearInterval(timer);
  });

  /** Milliseconds now, read anew at every tick. */
  get now(): number {
    this.#subscribe();
    return Date.now();
  }

  /** Milliseconds now, once. */
  still(): number {
    return Date.now();
  }
}

export const clock = new Clock();

/** Reads the time; the caller decides whether that counts. */
export type Now = () => number;
