// A report's JSON Schema (2020-12, an object) as the fields of a form, and what is wrong with values before they are
// sent. Pure; no `eval`, since the content policy forbids it. What the window does not know it leaves to the service,
// which checks everything again.
import type { FieldErrorView } from './bindings';
import type { Speech } from './speech';

export type Json = Record<string, unknown>;

export interface Choice {
  value: string | number | boolean;
  title: Titles;
}

/** A text by language, with the schema's own words as English. */
export interface Titles {
  title: { [key in string]?: string };
  description: { [key in string]?: string };
}

interface FieldBase extends Titles {
  name: string;
  /** JSON Pointer into the parameters. */
  pointer: string;
  required: boolean;
  initial: unknown;
}

export type Field =
  | (FieldBase & { kind: 'text'; minLength: number | null; maxLength: number | null; pattern: string | null })
  | (FieldBase & { kind: 'date' })
  | (FieldBase & { kind: 'number'; whole: boolean; minimum: number | null; maximum: number | null })
  | (FieldBase & { kind: 'choice'; choices: Choice[] })
  | (FieldBase & { kind: 'many'; choices: Choice[]; minItems: number; maxItems: number | null })
  | (FieldBase & { kind: 'switch' })
  | (FieldBase & { kind: 'json' });

/** Fields in order; two dates that make a period stand together. */
export type Group = { group: 'single'; field: Field } | { group: 'period'; from: Field; to: Field };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** A name as a segment of a JSON Pointer (RFC 6901). */
export const segment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function titlesOf(schema: Json, fallback: string): Titles {
  const titles: Titles = { title: { en: text(schema['title']) ?? fallback }, description: {} };
  const english = text(schema['description']);
  if (english !== undefined) titles.description['en'] = english;
  const other = schema['x-i18n'];
  if (isObject(other)) {
    for (const [tag, words] of Object.entries(other)) {
      if (!isObject(words)) continue;
      const [title, description] = [text(words['title']), text(words['description'])];
      if (title !== undefined) titles.title[tag] = title;
      if (description !== undefined) titles.description[tag] = description;
    }
  }
  return titles;
}

const isScalar = (value: unknown): value is Choice['value'] => ['string', 'number', 'boolean'].includes(typeof value);

/** The members of `enum`, or of `oneOf`/`anyOf` made of constants. */
function choicesOf(schema: Json): Choice[] | null {
  const members = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(members)) {
    const constants = members.filter((member): member is Json => isObject(member) && isScalar(member['const']));
    if (constants.length === members.length && constants.length > 0) {
      return constants.map((member) => {
        const value = member['const'] as Choice['value'];
        return { value, title: titlesOf(member, String(value)) };
      });
    }
  }
  const values = schema['enum'];
  if (Array.isArray(values) && values.length > 0 && values.every(isScalar)) {
    return values.map((value) => ({ value, title: { title: { en: String(value) }, description: {} } }));
  }
  return null;
}

function typeOf(schema: Json): string | undefined {
  const type = schema['type'];
  return Array.isArray(type) ? type.find((one): one is string => typeof one === 'string' && one !== 'null') : text(type);
}

function fieldOf(name: string, schema: Json, required: boolean): Field {
  const base: FieldBase = { name, pointer: `/${segment(name)}`, required, initial: schema['default'], ...titlesOf(schema, name) };
  const choices = choicesOf(schema);
  if (choices) return { ...base, kind: 'choice', choices };
  switch (typeOf(schema)) {
    case 'string':
      if (schema['format'] === 'date') return { ...base, kind: 'date' };
      return { ...base, kind: 'text', minLength: number(schema['minLength']), maxLength: number(schema['maxLength']), pattern: text(schema['pattern']) ?? null };
    case 'integer':
    case 'number':
      return { ...base, kind: 'number', whole: typeOf(schema) === 'integer', minimum: number(schema['minimum']), maximum: number(schema['maximum']) };
    case 'boolean':
      return { ...base, kind: 'switch' };
    case 'array': {
      const items = isObject(schema['items']) ? choicesOf(schema['items']) : null;
      if (items) return { ...base, kind: 'many', choices: items, minItems: number(schema['minItems']) ?? 0, maxItems: number(schema['maxItems']) };
      return { ...base, kind: 'json' };
    }
    default:
      return { ...base, kind: 'json' };
  }
}

/** The fields of a form: in the order that the schema names (`x-order`), else what is required first. */
export function fieldsOf(schema: Json): Field[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const order = Array.isArray(schema['x-order']) ? schema['x-order'] : required;
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(properties)
    .map(([name, property]) => fieldOf(name, isObject(property) ? property : {}, required.includes(name)))
    .sort((one, other) => place(one.name) - place(other.name));
}

/** Names that make two dates a period. */
const PERIODS: [string, string][] = [
  ['from', 'to'],
  ['start', 'end'],
  ['date_from', 'date_to'],
  ['start_date', 'end_date'],
];

export function groupsOf(fields: Field[]): Group[] {
  const groups: Group[] = [];
  const taken = new Set<string>();
  for (const field of fields) {
    if (taken.has(field.name)) continue;
    const pair = PERIODS.find(([from]) => from === field.name);
    const to = pair && fields.find((other) => other.name === pair[1] && other.kind === 'date');
    if (field.kind === 'date' && to) {
      taken.add(to.name);
      groups.push({ group: 'period', from: field, to });
    } else groups.push({ group: 'single', field });
  }
  return groups;
}

/** What the form holds before a person touches it. */
export function initialValues(fields: Field[]): Json {
  const values: Json = {};
  for (const field of fields) {
    if (field.initial !== undefined) values[field.name] = structuredClone(field.initial);
    else if (field.kind === 'many') values[field.name] = [];
    else if (field.kind === 'switch' && field.required) values[field.name] = false;
  }
  return values;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The parameters as they are sent: what is empty and not asked for is left out. */
export function parametersOf(fields: Field[], values: Json): Json {
  const parameters: Json = {};
  for (const field of fields) {
    const value = values[field.name];
    if (isEmpty(value)) continue;
    if (field.kind === 'many' && Array.isArray(value)) {
      if (value.length === 0 && !field.required && field.minItems > 0) continue;
      // In the schema's order, so that the same choice is the same request however it was clicked.
      parameters[field.name] = field.choices.map((choice) => choice.value).filter((one) => value.includes(one));
    } else if (field.kind === 'text' && typeof value === 'string') parameters[field.name] = value.trim();
    else parameters[field.name] = value;
  }
  return parameters;
}

/** Whether a text is a day of the calendar. */
export function isDay(value: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(value);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function complaint(field: Field, value: unknown, { t, whole }: Speech): string | null {
  if (field.kind !== 'many' && isEmpty(value)) return field.required ? t('request-error-required') : null;
  switch (field.kind) {
    case 'text': {
      const length = [...String(value)].length;
      if (field.minLength !== null && length < field.minLength) return t('request-error-length-min', { n: whole(field.minLength) });
      if (field.maxLength !== null && length > field.maxLength) return t('request-error-length-max', { n: whole(field.maxLength) });
      return field.pattern !== null && !matches(field.pattern, String(value)) ? t('request-error-pattern') : null;
    }
    case 'date':
      return typeof value === 'string' && isDay(value) ? null : t('request-error-date');
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return t(field.whole ? 'request-error-integer' : 'request-error-number');
      if (field.whole && !Number.isSafeInteger(value)) return t('request-error-integer');
      if (field.minimum !== null && value < field.minimum) return t('request-error-minimum', { n: whole(field.minimum) });
      return field.maximum !== null && value > field.maximum ? t('request-error-maximum', { n: whole(field.maximum) }) : null;
    case 'choice':
      return field.choices.some((choice) => choice.value === value) ? null : t('request-error-choice');
    case 'many': {
      const chosen = Array.isArray(value) ? value.length : 0;
      if (chosen < field.minItems && (field.required || chosen > 0 || field.initial !== undefined)) return t('request-error-items-min', { n: field.minItems });
      return field.maxItems !== null && chosen > field.maxItems ? t('request-error-items-max', { n: field.maxItems }) : null;
    }
    case 'switch':
      return typeof value === 'boolean' ? null : t('request-error-choice');
    case 'json':
      return null;
  }
}

/** A pattern of the schema, anchored nowhere, as JSON Schema has it; one that is no pattern here asks nothing. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

/** What is wrong before anything is sent, by JSON Pointer; the service has the last word. */
export function problemsOf(fields: Field[], values: Json, speech: Speech): FieldErrorView[] {
  const problems: FieldErrorView[] = [];
  for (const field of fields) {
    const detail = complaint(field, values[field.name], speech);
    if (detail !== null) problems.push({ pointer: field.pointer, detail });
  }
  for (const group of groupsOf(fields)) {
    if (group.group !== 'period') continue;
    const [from, to] = [values[group.from.name], values[group.to.name]];
    if (typeof from === 'string' && typeof to === 'string' && isDay(from) && isDay(to) && to < from) {
      problems.push({ pointer: group.to.pointer, detail: speech.t('request-error-order') });
    }
  }
  return problems;
}

/** The errors at a field or below it: `/region/0` belongs to `/region`. */
export function errorsAt(problems: FieldErrorView[], pointer: string): FieldErrorView[] {
  return problems.filter((problem) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`));
}

/** The errors that no field of the form answers to. */
export function errorsElsewhere(problems: FieldErrorView[], fields: Field[]): FieldErrorView[] {
  return problems.filter((problem) => !fields.some((field) => errorsAt([problem], field.pointer).length > 0));
}
