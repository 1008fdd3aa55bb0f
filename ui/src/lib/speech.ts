// How Docket speaks one language: messages of the Fluent catalogue, numbers, sizes, spans, clocks and days. Pure.
//
// A `Speech` is made once per language. A message that is missing says its own id, and tells whoever listens: the
// tests listen, so none is missing.
import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';

import type { Language } from './api';

import en from '../../locales/en.ftl?raw';
import zh from '../../locales/zh-CN.ftl?raw';

export type Arguments = Record<string, FluentVariable>;

export const CATALOGUES: Record<Language, string> = { en, 'zh-CN': zh };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Between the parts of one line. */
export const DOT = ' · ';

export class Speech {
  readonly language: Language;
  readonly #bundle: FluentBundle;
  readonly #whole: Intl.NumberFormat;
  readonly #missing: (id: string, error?: Error) => void;

  constructor(language: Language, missing: (id: string, error?: Error) => void = () => undefined) {
    this.language = language;
    this.#missing = missing;
    this.#whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    // No isolation marks: they would travel along when a person copies a line. CSS isolates what a service says.
    this.#bundle = new FluentBundle(language, { useIsolating: false });
    for (const error of this.#bundle.addResource(new FluentResource(CATALOGUES[language]))) missing('', error);
  }

  /** The message `id`, with its values in place. */
  t = (id: string, values: Arguments = {}): string => {
    const pattern = this.#bundle.getMessage(id)?.value;
    if (!pattern) {
      this.#missing(id);
      return id;
    }
    const errors: Error[] = [];
    const text = this.#bundle.formatPattern(pattern, values, errors);
    for (const error of errors) this.#missing(id, error);
    return text;
  };

  /** Whether the catalogue holds the message. */
  has = (id: string): boolean => this.#bundle.hasMessage(id);

  /** The word of a title by language: this one, else English, else any, else the fallback. */
  title(byLanguage: { [key in string]?: string }, fallback: string): string {
    const base = this.language.slice(0, 2);
    const near = Object.keys(byLanguage).find((tag) => tag.slice(0, 2) === base);
    return byLanguage[this.language] ?? (near && byLanguage[near]) ?? byLanguage['en'] ?? Object.values(byLanguage)[0] ?? fallback;
  }

  whole = (value: number): string => this.#whole.format(value);

  percent(fraction: number): string {
    return `${Math.floor(Math.min(1, Math.max(0, fraction)) * 100)}%`;
  }

  /** `18.4 MB`: powers of ten, as file managers count. */
  bytes(value: number): string {
    const units = ['B', 'KB', 'MB', 'GB', 'TB'];
    let [size, at] = [value, 0];
    while (size >= 1000 && at < units.length - 1) [size, at] = [size / 1000, at + 1];
    const digits = at === 0 || size >= 100 ? 0 : 1;
    const text = new Intl.NumberFormat(this.language, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(size);
    return `${text} ${units[at]}`;
  }

  /** `84 ms`, `8.2 s`, `25 s`, `3 min 21 s`, `2 h 5 min`, `3 d`. */
  span(milliseconds: number): string {
    const ms = Math.max(0, milliseconds);
    if (ms < SECOND) return this.t('span-milliseconds', { n: String(Math.round(ms)) });
    if (ms < 10 * SECOND) return this.t('span-seconds', { n: (ms / SECOND).toFixed(1) });
    return this.wait(ms);
  }

  /** The same in whole seconds, for what counts: `8 s`, `1 min 20 s`. */
  wait(milliseconds: number): string {
    const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
    if (seconds < 60) return this.t('span-seconds', { n: String(seconds) });
    const minutes = Math.floor(seconds / 60);
    if (minutes < 10 && seconds % 60 > 0) return this.t('span-minutes-seconds', { m: String(minutes), s: String(seconds % 60) });
    if (minutes < 60) return this.t('span-minutes', { n: String(Math.round(seconds / 60)) });
    const hours = Math.floor(minutes / 60);
    if (hours < 24 && minutes % 60 > 0) return this.t('span-hours-minutes', { h: String(hours), m: String(minutes % 60) });
    if (hours < 48) return this.t('span-hours', { n: String(hours) });
    return this.t('span-days', { n: String(Math.round((hours * HOUR) / DAY)) });
  }

  /** Rounded to one unit, for what is only guessed: `3 min`. */
  about(milliseconds: number): string {
    if (milliseconds < 50 * SECOND) return this.wait(Math.max(5 * SECOND, Math.ceil(milliseconds / (5 * SECOND)) * 5 * SECOND));
    if (milliseconds < 50 * MINUTE) return this.wait(Math.round(milliseconds / MINUTE) * MINUTE || MINUTE);
    return this.wait(Math.max(1, Math.round(milliseconds / HOUR)) * HOUR);
  }

  /** `10:02`. */
  clock = (at: string): string => clock(new Date(at), false);

  /** `10:02:11`. */
  clockSeconds = (at: string): string => clock(new Date(at), true);

  /** A day without its time: `2026-11-28` in Chinese, `28 Nov 2026` in English. */
  day(date: Date): string {
    return this.language === 'en' ? `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}` : isoDay(date);
  }

  /** For a list: the time today, else yesterday, else the day. */
  when(at: string, now: number): string {
    const date = new Date(at);
    const days = Math.round((midnight(new Date(now)) - midnight(date)) / DAY);
    if (days === 0) return clock(date, false);
    if (days === 1) return this.t('time-yesterday');
    if (date.getFullYear() !== new Date(now).getFullYear()) return this.day(date);
    return this.language === 'en' ? `${date.getDate()} ${MONTHS[date.getMonth()]}` : isoDay(date).slice(5);
  }

  /** For a sentence: the time alone today, else the day with its time. It does not count, so it asks for no tick. */
  moment(at: string, now: number = Date.now()): string {
    const date = new Date(at);
    if (midnight(date) === midnight(new Date(now))) return clock(date, false);
    const day = this.language === 'en' ? `${date.getDate()} ${MONTHS[date.getMonth()]},` : isoDay(date).slice(5);
    return `${day} ${clock(date, false)}`;
  }

  /** `North, East` or `华北、华东`. */
  list(words: string[]): string {
    return words.join(this.language === 'en' ? ', ' : '、');
  }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => String(value).padStart(2, '0');

function clock(date: Date, seconds: boolean): string {
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return seconds ? `${minutes}:${two(date.getSeconds())}` : minutes;
}

/** The day on this computer's calendar, as `YYYY-MM-DD`. */
export function isoDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
