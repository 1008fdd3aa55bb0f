// The form from a JSON Schema: which fields, which values are sent, what is wrong with them, and at which pointer.
import { describe, expect, test } from 'vitest';

import { CUSTOMERS, LEDGER, ORDERS } from '../testing/samples';
import { digest, digestLines, periodWords } from './digest';
import { daysOf, nameOf, periodOf, shifted } from './periods';
import { errorsAt, errorsElsewhere, fieldsOf, groupsOf, initialValues, isDay, parametersOf, problemsOf, segment, type Json } from './schema';
import { Speech } from './speech';

const en = new Speech('en');
const zh = new Speech('zh-CN');
const orders = fieldsOf(ORDERS.parameters);

const problems = (schema: Json, values: Json): [string, string][] => problemsOf(fieldsOf(schema), values, en).map(({ pointer, detail }) => [pointer, detail]);
const only = (property: Json, required = false): Json => ({ type: 'object', properties: { it: property }, required: required ? ['it'] : [] });

describe('fields', () => {
  test('kinds, in the order of the schema, with titles of both languages', () => {
    expect(orders.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['from', 'date', true], ['to', 'date', true], ['region', 'many', false], ['columns', 'many', false], ['status', 'choice', false],
    ]);
    expect(orders[2] && [en.title(orders[2].title, ''), zh.title(orders[2].title, '')]).toEqual(['Regions', '大区']);
    expect(fieldsOf(LEDGER.parameters)[0]).toMatchObject({ kind: 'number', whole: true, minimum: 1, maximum: 10_000_000, initial: 10_000, required: true });
    expect(fieldsOf(CUSTOMERS.parameters)[0]).toMatchObject({ kind: 'many', minItems: 1 });
  });

  test('what is asked for comes first, however the members are sorted', () => {
    const names = fieldsOf({ properties: { columns: {}, from: { type: 'string', format: 'date' }, region: {}, to: { type: 'string', format: 'date' } }, required: ['from', 'to'] }).map((field) => field.name);
    expect(names).toEqual(['from', 'to', 'columns', 'region']);
  });

  test('follows the order that the schema names, whatever order its members arrive in', () => {
    const schema: Json = {
      type: 'object',
      properties: { columns: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
      required: ['columns'],
    };
    const names = (of: Json) => fieldsOf(of).map((field) => field.name);
    expect(names({ ...schema, 'x-order': ['from', 'to', 'columns'] })).toEqual(['from', 'to', 'columns']);
    expect(names(schema)).toEqual(['columns', 'from', 'to']);
  });

  test('enum, oneOf, boolean, number, text, and what is none of these', () => {
    const kinds = (property: Json): string | undefined => fieldsOf(only(property))[0]?.kind;
    expect(kinds({ enum: ['a', 'b'] })).toBe('choice');
    expect(kinds({ oneOf: [{ const: 1, title: 'One' }, { const: 2 }] })).toBe('choice');
    expect(kinds({ type: 'boolean' })).toBe('switch');
    expect(kinds({ type: ['number', 'null'] })).toBe('number');
    expect(kinds({ type: 'string' })).toBe('text');
    expect(kinds({ type: 'object' })).toBe('json');
    expect(kinds({ type: 'array', items: { type: 'string' } })).toBe('json');
    expect(kinds({ oneOf: [{ type: 'string' }, { const: 'x' }] })).toBe('json');
    expect(fieldsOf({})).toEqual([]);
    expect(fieldsOf({ properties: { odd: 7 } })[0]?.kind).toBe('json');
  });

  test('two dates by the usual names are one period', () => {
    expect(groupsOf(orders).map((group) => group.group)).toEqual(['period', 'single', 'single', 'single']);
    expect(groupsOf(fieldsOf({ properties: { from: { type: 'string' }, to: { type: 'string' } } })).map((group) => group.group)).toEqual(['single', 'single']);
  });
});

describe('values', () => {
  test('defaults first; what is empty and not asked for is left out', () => {
    const values = initialValues(orders);
    expect(values).toMatchObject({ status: 'all' });
    expect(values).not.toHaveProperty('from');
    expect(parametersOf(orders, { ...values, from: '2026-11-01', to: '' })).not.toHaveProperty('to');
    expect(parametersOf(fieldsOf(CUSTOMERS.parameters), { country: [], since: undefined })).toEqual({});
  });

  test('a choice of many is sent in the order of the schema, however it was clicked', () => {
    expect(parametersOf(orders, { region: ['south', 'north'] })['region']).toEqual(['north', 'south']);
  });

  test('a default is a copy: the schema stays as it was', () => {
    const values = initialValues(orders);
    (values['columns'] as string[]).push('x');
    expect(initialValues(orders)['columns']).not.toContain('x');
  });
});

describe('what is wrong before it is sent', () => {
  const good = { from: '2026-11-01', to: '2026-11-28', region: ['north'], columns: ['order_no'], status: 'all' };

  test('nothing', () => expect(problems(ORDERS.parameters, good)).toEqual([]));

  test('what is needed, at its pointer', () => {
    expect(problems(ORDERS.parameters, { ...good, from: '', to: undefined })).toEqual([['/from', 'This is needed.'], ['/to', 'This is needed.']]);
  });

  test('dates that are none, and a period that runs backwards', () => {
    expect(problems(ORDERS.parameters, { ...good, from: '2026-02-30' })).toEqual([['/from', 'Enter a date as YYYY-MM-DD.']]);
    expect(problems(ORDERS.parameters, { ...good, from: '2026-12-01' })).toEqual([['/to', 'The last day is before the first.']]);
    expect([isDay('2024-02-29'), isDay('2026-02-29'), isDay('2026-13-01'), isDay('26-1-1'), isDay('')]).toEqual([true, false, false, false, false]);
  });

  test('numbers', () => {
    const rows = (value: unknown): [string, string][] => problems(LEDGER.parameters, { rows: value });
    expect(rows(0)).toEqual([['/rows', 'At least 1.']]);
    expect(rows(10_000_001)).toEqual([['/rows', 'At most 10,000,000.']]);
    expect(rows(1.5)).toEqual([['/rows', 'Enter a whole number.']]);
    expect(rows('many')).toEqual([['/rows', 'Enter a whole number.']]);
    expect(rows(2 ** 60)).toEqual([['/rows', 'Enter a whole number.']]);
    expect(rows(1)).toEqual([]);
  });

  test('choices, texts and lists', () => {
    expect(problems(ORDERS.parameters, { ...good, status: 'gone' })).toEqual([['/status', 'Choose one of the list.']]);
    expect(problems(ORDERS.parameters, { ...good, region: [] })).toEqual([['/region', 'Choose at least one.']]);
    expect(problems(only({ type: 'string', minLength: 2, maxLength: 3, pattern: '^a' }), { it: 'a' })).toEqual([['/it', 'At least 2 characters.']]);
    expect(problems(only({ type: 'string', maxLength: 3 }), { it: '一二三四' })).toEqual([['/it', 'At most 3 characters.']]);
    expect(problems(only({ type: 'string', pattern: '^a' }), { it: 'b' })).toEqual([['/it', 'This doesn’t have the form that is asked for.']]);
    expect(problems(only({ type: 'string', pattern: '(' }), { it: 'b' })).toEqual([]);
  });

  test('a name with / and ~ has its pointer escaped', () => {
    expect(segment('a/b~c')).toBe('a~1b~0c');
    expect(fieldsOf({ properties: { 'a/b': { type: 'string' } } })[0]?.pointer).toBe('/a~1b');
  });

  test('an error below a field is the field’s; one that no field answers to stands apart', () => {
    const said = [{ pointer: '/region/0', detail: 'x' }, { pointer: '/regional', detail: 'y' }, { pointer: '', detail: 'z' }];
    expect(errorsAt(said, '/region').map((one) => one.detail)).toEqual(['x']);
    expect(errorsElsewhere(said, orders).map((one) => one.detail)).toEqual(['y', 'z']);
  });
});

describe('periods', () => {
  const saturday = new Date(2026, 10, 28);

  test('names become dates of this computer’s calendar', () => {
    expect(periodOf('last-week', saturday)).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(periodOf('last-week', new Date(2026, 10, 30))).toEqual({ from: '2026-11-23', to: '2026-11-29' });
    expect(periodOf('last-week', new Date(2026, 10, 29))).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(periodOf('last-month', new Date(2026, 0, 31))).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(nameOf({ from: '2026-10-01', to: '2026-10-31' }, saturday)).toBe('last-month');
    expect(nameOf({ from: '2026-10-01', to: '2026-10-30' }, saturday)).toBeNull();
  });

  test('days are counted with both ends, over clock changes too', () => {
    expect([daysOf('2026-11-01', '2026-11-28'), daysOf('2026-03-28', '2026-03-30'), daysOf('2026-11-02', '2026-11-01'), daysOf('x', 'y')]).toEqual([28, 3, null, null]);
    expect([shifted('2026-12-31', 1), shifted('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28']);
  });

  test('a period in words', () => {
    expect(periodWords('2026-11-01', '2026-11-28', en)).toBe('1–28 Nov 2026');
    expect(periodWords('2026-10-31', '2026-11-29', en)).toBe('31 Oct – 29 Nov 2026');
    expect(periodWords('2025-12-01', '2026-11-30', en)).toBe('1 Dec 2025 – 30 Nov 2026');
    expect(periodWords('2026-11-01', '2026-11-28', zh)).toBe('2026-11-01 至 11-28');
    expect(periodWords('2025-12-01', '2026-11-30', zh)).toBe('2025-12-01 至 2026-11-30');
  });
});

describe('digest', () => {
  const values = { ...initialValues(orders), from: '2026-11-01', to: '2026-11-28', region: ['north', 'east', 'south'] };

  test('in one line: what is as proposed is not said', () => {
    expect(digest(ORDERS, values, en)).toBe('1–28 Nov 2026 · North, East, South');
    expect(digest(ORDERS, { ...values, columns: [...(initialValues(orders)['columns'] as string[])].reverse() }, en)).toBe('1–28 Nov 2026 · North, East, South');
    expect(digest(ORDERS, values, zh)).toBe('2026-11-01 至 11-28 · 华北、华东、华南');
    expect(digest(ORDERS, { ...values, region: ['north', 'east', 'south', 'west'], status: 'open' }, en)).toBe('1–28 Nov 2026 · Regions 4 of 5 · Open');
  });

  test('what is asked for is always said', () => expect(digest(LEDGER, { rows: 10_000, seed: 1 }, en)).toBe('Rows 10,000'));

  test('without the report’s schema: names and values', () => expect(digest(undefined, { from: 'a', list: [1, 2] }, en)).toBe('from a · list 1, 2'));

  test('as a summary: every field', () => {
    expect(digestLines(ORDERS, values, en).map((line) => `${line.name}: ${line.value}`)).toEqual(['Period: 1–28 Nov 2026', 'Regions: North, East, South', 'Columns: 8 of 14', 'Status: All']);
  });
});
