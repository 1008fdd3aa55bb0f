// The one live region: what a screen reader is told, and when. Changes of state only, and progress at the quarters;
// never a counter or a clock. At once (alert) only when an export comes to need the person.
import type { ExportView } from './bindings';
import { i18n } from './i18n.svelte';
import { fraction, needsPerson, reportTitle } from './present';
import { announcement } from './sentences';

const QUARTERS = [1, 0.75, 0.5, 0.25];

class Announcer {
  polite = $state('');
  alert = $state('');

  say(text: string): void {
    // The same words again are only heard if they differ from those before.
    this.polite = this.polite === text ? `${text}\u00A0` : text;
  }

  heard(now: ExportView, before: ExportView | undefined): void {
    // What is only read from the store is no news.
    if (!before) return;
    if (before.stage !== now.stage || before.hold !== now.hold) {
      const text = announcement(now, i18n.speech);
      if (needsPerson(now) && !needsPerson(before)) this.alert = text;
      else this.say(text);
      return;
    }
    const [was, is] = [fraction(before), fraction(now)];
    if (was === null || is === null) return;
    const quarter = QUARTERS.find((one) => was < one && is >= one);
    if (quarter !== undefined) {
      this.say(i18n.speech.t('announce-progress', { report: reportTitle(now, i18n.speech), p: String(quarter * 100) }));
    }
  }
}

export const announcer = new Announcer();
