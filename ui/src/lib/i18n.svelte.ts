// The language that the window speaks now. Every string is read through `i18n.speech`, so a switch changes all of
// them at once, without a reload and without losing the focus.
import type { Language } from './api';
import { Speech, type Arguments } from './speech';

const made = new Map<Language, Speech>();

/** The speech of a language, made once. */
export function speechOf(language: Language): Speech {
  const known = made.get(language);
  if (known) return known;
  const speech = new Speech(language);
  made.set(language, speech);
  return speech;
}

class Current {
  speech = $state.raw<Speech>(speechOf('en'));

  use(language: Language): void {
    this.speech = speechOf(language);
    document.documentElement.lang = language;
  }
}

export const i18n = new Current();

/** The message `id` in the language of now. */
export const t = (id: string, values?: Arguments): string => i18n.speech.t(id, values);
