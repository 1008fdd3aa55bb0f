// Both catalogues say the same things with the same values, and every id that the code names is there.
import { FluentResource } from '@fluent/bundle';
import { expect, test } from 'vitest';

import { CATALOGUES } from './speech';

const sources = import.meta.glob('../**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true }) as Record<string, string>;

type Pattern = FluentResource['body'][number]['value'];

/** The values that a message asks for. */
function valuesOf(pattern: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(pattern)) pattern.forEach((part) => valuesOf(part, found));
  else if (typeof pattern === 'object' && pattern !== null) {
    const node = pattern as Record<string, unknown>;
    if (node['type'] === 'var' && typeof node['name'] === 'string') found.add(node['name']);
    Object.values(node).forEach((part) => valuesOf(part, found));
  }
  return found;
}

const messages = (text: string): Map<string, Pattern> => new Map(new FluentResource(text).body.map((message) => [message.id, message.value]));

const [en, zh] = [messages(CATALOGUES.en), messages(CATALOGUES['zh-CN'])];

test('both hold the same messages', () => {
  expect([...zh.keys()].sort()).toEqual([...en.keys()].sort());
  expect(en.size).toBeGreaterThan(400);
});

test('with the same values; a plural may need one more in English', () => {
  for (const [id, pattern] of en) {
    const [ours, theirs] = [valuesOf(pattern), valuesOf(zh.get(id))];
    expect([...theirs].filter((value) => !ours.has(value)), id).toEqual([]);
  }
});

test('what the window says does not shout, and says 你 throughout', () => {
  const inWindow = (text: string): string => text.split(/^### (?:Outside|窗口之外)/mu)[0] ?? '';
  expect(inWindow(CATALOGUES.en).match(/!/gu)).toBeNull();
  expect(inWindow(CATALOGUES['zh-CN']).match(/[！!您]|操作失败|系统繁忙|请稍后再试/gu)).toBeNull();
});

test('unknown is never called failed', () => {
  for (const [id, text] of Object.entries({ en: CATALOGUES.en, zh: CATALOGUES['zh-CN'] })) {
    const lines = text.split('\n').filter((line) => /^(sentence-(confirming|unresolved)|stage-(confirming|unresolved)|unresolved-|brief-confirming|state-(confirming|unresolved))/u.test(line));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => /fail|失败/iu.test(line)), id).toEqual([]);
  }
});

test('every id that the code names is there', () => {
  const missing: string[] = [];
  for (const [path, text] of Object.entries(sources)) {
    if (path.includes('.test.') || path.includes('/testing/')) continue;
    for (const [, id] of text.matchAll(/\bt\(\s*'([a-z][\w-]*)'/gu)) if (id !== undefined && !en.has(id)) missing.push(`${path}: ${id}`);
  }
  expect(missing).toEqual([]);
});
