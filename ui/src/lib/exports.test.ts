// The list's store: subscribe first, the higher version wins, pages by window, and bars that only go forward.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { FakeApi } from '../testing/fake';
import { confirming, running, saved, waiting } from '../testing/samples';
import { Exports, PAGE } from './exports.svelte';
import { follow, paceOf } from './pace';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const idle = async (ms = 200): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));

test('it subscribes before it takes the snapshot', async () => {
  const api = new FakeApi([confirming()]);
  await new Exports(api).start(() => undefined);
  expect(api.calls.map(([name]) => name)[0]).toBe('onChange');
  expect(api.calls.filter(([name]) => name === 'listExports')).toHaveLength(3);
});

test('of two views the higher version wins, whichever way it came', async () => {
  const view = confirming({ version: 5 });
  const api = new FakeApi([view]);
  const exports = new Exports(api);
  await exports.start(() => undefined);
  expect(exports.join({ ...view, version: 4, stage: 'sending' }).stage).toBe('confirming');
  expect(exports.join({ ...view, version: 5, stage: 'sending' }).stage).toBe('confirming');
  expect(exports.join({ ...view, version: 6, stage: 'accepted' }).stage).toBe('accepted');
  await exports.refresh();
  expect(exports.get(view.id)?.stage).toBe('accepted');
});

test('an event between subscription and snapshot is not lost to an older snapshot', async () => {
  const view = confirming({ version: 5 });
  const api = new FakeApi([view]);
  const exports = new Exports(api);
  const list = api.listExports.bind(api);
  api.listExports = async (query) => {
    const page = await list(query);
    exports.heard({ ...view, version: 9, stage: 'saved' }, page.counts);
    return page;
  };
  await exports.start(() => undefined);
  expect(exports.get(view.id)).toMatchObject({ version: 9, stage: 'saved' });
});

test('an export that is new here, or changes its stage, is put where the store has it', async () => {
  const api = new FakeApi([saved()]);
  const exports = new Exports(api);
  await exports.start(() => undefined);
  const view = waiting();
  api.publish(view);
  expect(exports.counts.in_progress).toBe(1);
  await idle();
  expect(exports.placeOf(view.id)).toEqual({ section: 'in_progress', at: 0 });
  api.publish({ ...saved(), id: view.id, version: 2 });
  await idle();
  expect(exports.placeOf(view.id)?.section).toBe('finished');
  expect(exports.length('in_progress')).toBe(0);
});

test('rows do not move while the pointer rests on them, for three seconds at most', async () => {
  const view = waiting();
  const api = new FakeApi([view]);
  const exports = new Exports(api);
  await exports.start(() => undefined);
  exports.rest(true);
  api.publish({ ...saved(), id: view.id, version: 2 });
  await idle(2500);
  expect(exports.placeOf(view.id)?.section).toBe('in_progress');
  expect(exports.get(view.id)?.stage).toBe('saved');
  await idle(600);
  expect(exports.placeOf(view.id)?.section).toBe('finished');
});

test('only the pages in sight are asked for', async () => {
  const api = new FakeApi(Array.from({ length: 400 }, () => saved()));
  const exports = new Exports(api);
  await exports.start(() => undefined);
  expect(exports.length('finished')).toBe(400);
  expect(exports.idAt('finished', 0)).toBe(api.exports[0]?.id);
  expect(exports.idAt('finished', 200)).toBeUndefined();
  exports.look('finished', 198, 215);
  await idle();
  expect(exports.idAt('finished', 200)).toBe(api.exports[200]?.id);
  const offsets = api.calls.filter(([name]) => name === 'listExports').map(([, query]) => (query as { offset: number }).offset);
  expect(offsets).toEqual([0, 0, 0, 150, 200]);
  expect(PAGE).toBe(50);
});

test('a search counts what it found', async () => {
  const api = new FakeApi([...Array.from({ length: 70 }, () => saved({ service: 'Needle' })), ...Array.from({ length: 30 }, () => saved())]);
  const exports = new Exports(api);
  await exports.start(() => undefined);
  await exports.searchFor('needle');
  expect(exports.length('finished')).toBeGreaterThan(50);
  exports.look('finished', 40, 90);
  await idle();
  expect(exports.length('finished')).toBe(70);
  await exports.searchFor('nothing has this');
  expect(exports.length('finished')).toBe(0);
});

test('a row that the store can not read stands in its place and hides no other', async () => {
  const api = new FakeApi([saved(), saved(), saved()]);
  const [first, second, third] = api.exports.map((view) => view.id);
  api.unreadable.add(second!);
  const exports = new Exports(api);
  await exports.start(() => undefined);
  expect([0, 1, 2].map((at) => exports.idAt('finished', at))).toEqual([first, undefined, third]);
  expect([0, 1, 2].map((at) => exports.isUnreadable('finished', at))).toEqual([false, true, false]);
  expect(exports.length('finished')).toBe(3);
  const asked = api.calls.length;
  expect(await exports.idFor('finished', 1)).toBeUndefined();
  expect(api.calls).toHaveLength(asked);
});

test('bars move forward only, and start anew with another stage', () => {
  const first = running({ progress: { done: 500, total: 1000, unit: 'rows', step: null, ahead: null } });
  const back = { ...first, progress: { ...first.progress!, done: 400 } };
  const trail = follow(follow(undefined, first, 0), back, 1000);
  expect(trail?.furthest).toBe(0.5);
  expect(follow(trail, { ...first, stage: 'downloading', delivery: { done: 1, total: 10, space_needed: null, space_free: null, folder: null, folder_reason: null } }, 2000)?.furthest).toBe(0.1);
  expect(follow(trail, saved(), 3000)).toBeUndefined();
});

test('a rate is smoothed over five seconds at least', () => {
  const view = (done: number, at: number) => running({ news_at: new Date(at).toISOString(), progress: { done, total: 1000, unit: 'rows', step: null, ahead: null } });
  let trail = follow(undefined, view(0, 0), 0);
  trail = follow(trail, view(100, 2000), 0);
  expect(paceOf(trail, view(100, 2000)).left).toBeNull();
  trail = follow(trail, view(500, 10_000), 0);
  expect(paceOf(trail, view(500, 10_000))).toEqual({ rate: 50, left: 10_000 });
});
