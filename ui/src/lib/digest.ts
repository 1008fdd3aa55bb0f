// What was asked for, in few words: "1–28 Nov 2026 · 3 regions". Pure.
//
// With the report's schema the words are its titles; without it they are the parameters' own names and values.
import type { OperationView } from './bindings';
import { fieldsOf, groupsOf, type Choice, type Field, type Json } from './schema';
import { DOT, type Speech } from './speech';

/** Of many chosen values so many are named; the others are counted. */
const NAMED_MAX = 3;

const dayOf = (iso: string): Date => {
  const [year, month, day] = iso.split('-').map(Number);
  return new Date(year ?? 0, (month ?? 1) - 1, day ?? 1);
};

/** `1–28 Nov 2026`, `2026-11-01 至 11-28`. */
export function periodWords(from: string, to: string, speech: Speech): string {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (from === to) return speech.day(last);
  if (speech.language !== 'en') {
    return `${from} 至 ${from.slice(0, 4) === to.slice(0, 4) ? to.slice(5) : to}`;
  }
  const sameYear = first.getFullYear() === last.getFullYear();
  if (sameYear && first.getMonth() === last.getMonth()) return `${first.getDate()}–${speech.day(last)}`;
  return `${sameYear ? speech.day(first).replace(/ \d{4}$/u, '') : speech.day(first)} – ${speech.day(last)}`;
}

function choiceWord(choices: Choice[], value: unknown, speech: Speech): string {
  const known = choices.find((choice) => choice.value === value);
  return known ? speech.title(known.title.title, String(value)) : String(value);
}

/** A value in words, and whether they say nothing without the field's name. */
interface Said {
  words: string;
  needsName: boolean;
}

function said(field: Field, value: unknown, speech: Speech): Said | null {
  if (value === undefined || value === null || value === '') return null;
  switch (field.kind) {
    case 'date':
      return { words: typeof value === 'string' ? speech.day(dayOf(value)) : String(value), needsName: true };
    case 'choice':
      return { words: choiceWord(field.choices, value, speech), needsName: false };
    case 'many': {
      const chosen = Array.isArray(value) ? value : [];
      if (chosen.length === field.choices.length) return { words: speech.t('digest-all'), needsName: true };
      if (chosen.length > NAMED_MAX) return { words: speech.t('digest-some', { n: chosen.length, total: field.choices.length }), needsName: true };
      return { words: speech.list(chosen.map((one) => choiceWord(field.choices, one, speech))), needsName: false };
    }
    case 'number':
      return { words: typeof value === 'number' ? speech.whole(value) : String(value), needsName: true };
    case 'switch':
      return { words: speech.t(value === true ? 'digest-yes' : 'digest-no'), needsName: true };
    case 'text':
      return { words: String(value), needsName: true };
    case 'json':
      return { words: JSON.stringify(value), needsName: true };
  }
}

/** Lines of a summary: the name of a field or of a period, and what was chosen. */
export interface DigestLine {
  name: string;
  value: string;
}

export function digestLines(operation: Pick<OperationView, 'parameters'>, values: Json, speech: Speech): DigestLine[] {
  const lines: DigestLine[] = [];
  for (const group of groupsOf(fieldsOf(operation.parameters))) {
    if (group.group === 'period') {
      const [from, to] = [values[group.from.name], values[group.to.name]];
      if (typeof from === 'string' && typeof to === 'string' && from !== '' && to !== '') {
        lines.push({ name: speech.t('request-period'), value: periodWords(from, to, speech) });
      }
      continue;
    }
    const value = said(group.field, values[group.field.name], speech);
    if (value !== null) lines.push({ name: speech.title(group.field.title, group.field.name), value: value.words });
  }
  return lines;
}

/** The same in one line, for a row and the inspector's head. */
export function digest(operation: Pick<OperationView, 'parameters'> | undefined, parameters: Json, speech: Speech): string {
  if (!operation) return Object.entries(parameters).map(([name, value]) => `${name} ${rawWords(value)}`).join(DOT);
  const words: string[] = [];
  for (const group of groupsOf(fieldsOf(operation.parameters))) {
    if (group.group === 'single') {
      const value = parameters[group.field.name];
      // What is as the report proposes it need not be said.
      const told = isProposed(group.field, value) ? null : said(group.field, value, speech);
      if (told !== null) words.push(told.needsName ? `${speech.title(group.field.title, group.field.name)} ${told.words}` : told.words);
      continue;
    }
    const [from, to] = [parameters[group.from.name], parameters[group.to.name]];
    if (typeof from === 'string' && typeof to === 'string') words.push(periodWords(from, to, speech));
  }
  return words.join(DOT);
}

/** A choice of many is the same in whatever order. */
function isProposed({ kind, initial, required }: Field, value: unknown): boolean {
  if (required) return false;
  if (kind === 'many' && Array.isArray(value) && Array.isArray(initial)) {
    return value.length === initial.length && value.every((one) => initial.includes(one));
  }
  return JSON.stringify(value) === JSON.stringify(initial);
}

function rawWords(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `CSV`, `Excel`, `NDJSON`: formats as people call them. */
export function formatName(format: string): string {
  return format === 'xlsx' ? 'Excel' : format.toUpperCase();
}
