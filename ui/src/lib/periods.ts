// Periods that people ask for by name, turned into dates in their sight: a request for "last week" that is looked at
// tomorrow must still say which week. Pure.
import { isoDay } from './speech';

export type PeriodName = 'last-week' | 'last-month';

export const PERIOD_NAMES: PeriodName[] = ['last-week', 'last-month'];

export interface Period {
  from: string;
  to: string;
}

/** The dates that a name means on a day of this computer's calendar. Weeks begin on Monday (ISO 8601). */
export function periodOf(name: PeriodName, today: Date): Period {
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  switch (name) {
    case 'last-week': {
      const monday = day - ((today.getDay() + 6) % 7) - 7;
      return { from: isoDay(new Date(year, month, monday)), to: isoDay(new Date(year, month, monday + 6)) };
    }
    case 'last-month':
      return { from: isoDay(new Date(year, month - 1, 1)), to: isoDay(new Date(year, month, 0)) };
  }
}

/** Which name these dates have today, if any. */
export function nameOf(period: Partial<Period>, today: Date): PeriodName | null {
  return PERIOD_NAMES.find((name) => {
    const meant = periodOf(name, today);
    return meant.from === period.from && meant.to === period.to;
  }) ?? null;
}

/** Days from the first to the last, both counted; null where they are no period. */
export function daysOf(from: string, to: string): number | null {
  const days = (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000 + 1;
  return Number.isFinite(days) && days > 0 ? days : null;
}

/** A day so many days away from another. */
export function shifted(day: string, by: number): string {
  const [year, month, date] = day.split('-').map(Number);
  return isoDay(new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + by));
}
