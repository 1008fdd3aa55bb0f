// The timeline and the phases: what is told, in which order, and where the answer was lost.
import { expect, test } from 'vitest';

import { at, attempt, confirming, marks, NOW, running, saved, unresolved, waiting } from '../testing/samples';
import { phaseColumns } from './phases';
import { Speech } from './speech';
import { spans, timeline } from './timeline';

const en = new Speech('en');
const now = (): number => NOW;

test('a lost answer: sent, no answer, look-ups, and what comes next', () => {
  const events = timeline(confirming(), en, now);
  expect(events.map((event) => event.what)).toEqual([
    'Saved on this computer', 'Sent to Meridian', 'No answer', 'Looked up #1', 'Looked up #2', 'Looked up #3', 'Next look-up',
  ]);
  expect(events.map((event) => event.line)).toEqual(['solid', 'unknown', 'unknown', 'solid', 'solid', 'ahead', 'solid']);
  expect(events.at(-1)).toMatchObject({ dot: 'dashed', when: 'in 8 s', at: null });
  expect(events[3]?.detail).toBe('couldn’t connect');
});

test('while something is open it never ends on the past', () => {
  for (const view of [confirming(), running(), waiting(), unresolved(), confirming({ hold: 'sign_in', next_action: null, next_action_at: null })]) {
    expect(timeline(view, en, now).at(-1)?.dot, view.stage).toBe('dashed');
  }
  expect(timeline(saved(), en, now).at(-1)?.dot).toBe('filled');
});

test('a job started when it was first heard to run, however often it is asked since', () => {
  const poll = { heard: 'running', started_at: at(-226_000), phases: [{ phase: 'prepare' as const, at_ms: 0 }, { phase: 'decode' as const, at_ms: 100 }] };
  const started = (more: object): string | null | undefined =>
    timeline(running({ attempts: [attempt(2, 'poll', { ...poll, ...more })] }), en, now).find((event) => event.key === 'h2')?.at;
  expect(started({ times: 1, ended_at: at(-225_900) })).toBe(at(-225_900));
  expect(started({ times: 18, ended_at: at(-2000) })).toBe(at(-225_900));
});

test('a submit that nobody answers yet', () => {
  const busy = attempt(1, 'submit', { call_result: null, result: null, ended_at: null, duration_ms: null, phase: 'await' });
  const events = timeline(confirming({ attempts: [busy], call_result: null }), en, now);
  expect(events.map((event) => event.what)).toEqual(['Saved on this computer', 'Sending to Meridian', 'Waiting for the answer']);
  expect(events.at(-1)?.dot).toBe('dashed');
});

test('what was not sent is not called sent', () => {
  const words = timeline(waiting(), en, now).map((event) => event.what);
  expect(words).toContain('Not sent');
  expect(words.some((word) => word.startsWith('Sent'))).toBe(false);
});

test('the same number again is told as such', () => {
  const view = confirming({ attempts: [...confirming().attempts, attempt(5, 'submit', { call_result: 'lost', result: 'lost', reason: 'reset', phase: 'await' })] });
  expect(timeline(view, en, now).map((event) => event.what)).toContain('Same number again to Meridian');
});

test('grey before the submission boundary, blue after it, and the mark at the place of loss', () => {
  const [lost] = confirming().attempts;
  expect(phaseColumns(lost!).map(({ bar, duration_ms }) => [bar, duration_ms])).toEqual([['here', 3], ['here', 28], ['here', 41], ['out', 9], ['lost', 8200]]);
  const stopped = attempt(1, 'submit', { phase: 'connect', call_result: 'not_sent', duration_ms: 1001, phases: marks('connect', 1, 1000) });
  expect(phaseColumns(stopped).map(({ bar }) => bar)).toEqual(['here', 'stop', 'none', 'none', 'none']);
  const answered = attempt(1, 'lookup');
  expect(phaseColumns(answered).map(({ bar }) => bar)).toEqual(['here', 'here', 'here', 'out', 'out']);
});

test('resolve and connect are one column, everything after the first byte another', () => {
  const phases = [{ phase: 'prepare', at_ms: 0 }, { phase: 'resolve', at_ms: 2 }, { phase: 'connect', at_ms: 12 }, { phase: 'send', at_ms: 30 }, { phase: 'await', at_ms: 34 }, { phase: 'receive', at_ms: 60 }, { phase: 'decode', at_ms: 61 }] as const;
  const columns = phaseColumns(attempt(1, 'lookup', { duration_ms: 62, phases: [...phases] }));
  expect(columns.map(({ bar, duration_ms }) => [bar, duration_ms])).toEqual([['here', 2], ['here', 28], ['none', null], ['out', 4], ['out', 28]]);
});

test('where the time of a saved export went', () => {
  expect(spans(saved())).toEqual({ queued: 11_913, running: 200_933, download: 25_000, whole: 238_000 });
  expect(spans(running())).toBeNull();
});

test('polls are told where they brought news', () => {
  const view = running({ attempts: [...running().attempts, attempt(3, 'poll', { heard: 'running', started_at: at(-1000) })] });
  expect(timeline(view, en, now).filter((event) => event.what === 'Started')).toHaveLength(1);
});
