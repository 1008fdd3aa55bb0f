// The window as a person meets it: it opens, it is worked by keys, it changes its language at once, it counts with one
// timer, and what a service says is text.
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import App from './App.svelte';
import type { ExportView } from './lib/bindings';
import { i18n } from './lib/i18n.svelte';
import { FakeApi, failure } from './testing/fake';
import { at, can, confirming, NOW, PRACTICE, rejected, running, sample, saved, unresolved } from './testing/samples';

beforeEach(() => void vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true }));
afterEach(() => {
  vi.useRealTimers();
  i18n.use('en');
});

const one = <T extends HTMLElement = HTMLElement>(selector: string): Promise<T> =>
  waitFor(() => {
    const found = document.querySelector<T>(selector);
    if (!found) throw new Error(`no ${selector}`);
    return found;
  });

const rowOf = (view: ExportView): Promise<HTMLElement> => one(`[role=option][data-export-id="${view.id}"]`);

async function open(...exports: ExportView[]): Promise<FakeApi> {
  const api = new FakeApi(exports);
  render(App, { api });
  await one('[data-view]');
  return api;
}

const key = (name: string, more: KeyboardEventInit = {}): Promise<boolean> =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name, bubbles: true, cancelable: true, ...more });

test('the window opens on its exports', async () => {
  const view = confirming();
  await open(view);
  const row = await rowOf(view);
  expect(row.dataset['stage']).toBe('confirming');
  expect(row.textContent).toContain('Confirming result · checked 3 times, next in 8 s');
  expect((await one('[data-view="inspector"]')).textContent).toContain('Please don’t submit it again.');
});

test('without a service it opens on the first run; the practice service leads to the form', async () => {
  const api = new FakeApi();
  api.kept = [];
  api.start.first_run = true;
  render(App, { api });
  (await one('[data-first="practice"]')).click();
  await one('[data-step="checks"]');
  await waitFor(() => expect(document.querySelectorAll('[data-check][data-outcome]')).toHaveLength(5), { timeout: 3000 });
  expect(document.querySelector('[data-check="DK105"]')?.getAttribute('data-outcome')).toBe('warn');
  const onwards = await one<HTMLButtonElement>('[data-first="continue"]');
  await waitFor(() => expect(onwards.disabled).toBe(false));
  onwards.click();
  await one('[data-view="new-export"]');
  expect((await one('[data-weather="open"]')).textContent).toContain('Network weather');
});

test('what the checks showed of a service stands in the rail at once', async () => {
  const api = new FakeApi();
  api.kept = [{ ...PRACTICE, health: null }];
  render(App, { api });
  const rail = await one(`nav [data-service-id="${PRACTICE.id}"]`);
  expect(rail.textContent).toContain('Not asked yet');
  (await one('[data-nav="settings"]')).click();
  (await one('[data-service-action="check"]')).click();
  await waitFor(() => expect(rail.textContent).toMatch(/Answers in 12.ms/u));
});

test('a service by address, tenant and token', async () => {
  const api = new FakeApi();
  api.kept = [];
  api.start.first_run = true;
  render(App, { api });
  (await one('[data-first="own"]')).click();
  const address = await one<HTMLInputElement>('#service-address');
  (await one('[data-first="continue"]')).click();
  expect(await screen.findByText(/begins with https/u)).toBeTruthy();
  await fireEvent.input(address, { target: { value: 'https://reports.example' } });
  await fireEvent.input(await one('#service-tenant'), { target: { value: 'acme' } });
  (await one('[data-first="continue"]')).click();
  await fireEvent.input(await one('#service-token'), { target: { value: 'secret' } });
  (await one('[data-first="continue"]')).click();
  await one('[data-step="checks"]');
  expect(api.calls).toContainEqual(['addService', { name: null, address: 'https://reports.example', tenantId: 'acme', token: 'secret' }]);
});

test('an address that is mended replaces the service, it does not add a second', async () => {
  const api = new FakeApi();
  api.kept = [];
  api.start.first_run = true;
  render(App, { api });
  const next = async (): Promise<void> => (await one('[data-first="continue"]')).click();
  (await one('[data-first="own"]')).click();
  await fireEvent.input(await one('#service-address'), { target: { value: 'https://wrong.example' } });
  await fireEvent.input(await one('#service-tenant'), { target: { value: 'acme' } });
  await next();
  await one('#service-token');
  await next();
  await one('[data-step="checks"]');
  for (const step of ['sign-in', 'service']) {
    (await one('[data-first="back"]')).click();
    await one(`[data-step="${step}"]`);
  }
  await fireEvent.input(await one('#service-address'), { target: { value: 'https://right.example' } });
  await next();
  await one('[data-step="sign-in"]');
  await next();
  await one('[data-step="checks"]');
  expect(api.kept.map((service) => service.address)).toEqual(['https://right.example']);
});

describe('keys', () => {
  test('arrows choose, Enter does the primary action, a held key does it once', async () => {
    const [first, second] = [unresolved(), confirming()];
    const api = await open(first, second);
    await rowOf(second);
    (await one('[data-list]')).focus();
    await key('ArrowDown');
    await waitFor(async () => expect((await rowOf(second)).getAttribute('aria-selected')).toBe('true'));
    expect(document.querySelector('[data-list]')?.getAttribute('aria-activedescendant')).toBe(`export-${second.id}`);
    await key('Enter');
    await key('Enter', { repeat: true });
    await waitFor(() => expect(api.calls.filter(([name]) => name === 'checkNow')).toEqual([['checkNow', second.id]]));
  });

  test('/ searches, Escape empties, Ctrl+N opens the form, Escape comes back', async () => {
    await open(confirming());
    await one('[data-list]');
    await key('/');
    expect(document.activeElement?.getAttribute('role')).toBe('searchbox');
    await key('n', { ctrlKey: true });
    await one('[data-view="new-export"]');
    (document.activeElement as HTMLElement).blur();
    await key('Escape');
    await one('[data-view="exports"]');
  });

  test('1 to 4 filter', async () => {
    const [open_, over] = [confirming(), saved()];
    await open(open_, over);
    await rowOf(over);
    await key('2');
    await waitFor(() => expect(document.querySelector(`[role=option][data-export-id="${over.id}"]`)).toBeNull());
    await key('3');
    expect(await screen.findByText('Nothing needs you.')).toBeTruthy();
    await key('1');
    await rowOf(over);
  });
});

test('a guard asks first, and the focus comes back', async () => {
  const view = running();
  const api = await open(view);
  const button = await one('[data-view="inspector"] [data-action="cancel"]');
  button.focus();
  button.click();
  await one('dialog[data-dialog="cancel"]');
  expect(api.calls.some(([name]) => name === 'cancel')).toBe(false);
  (await one('[data-answer="no"]')).click();
  await waitFor(() => expect(document.querySelector('dialog')).toBeNull());
  expect(document.activeElement).toBe(button);
  button.click();
  (await one('dialog [data-answer="yes"]')).click();
  await waitFor(() => expect(api.calls).toContainEqual(['cancel', view.id]));
});

test('starting another after an unresolved one goes through its guard', async () => {
  const view = unresolved();
  await open(view);
  (await one('[data-menu]')).click();
  (await one('[role="menuitem"][data-action="export-again"]')).click();
  expect((await one('dialog[data-dialog="start-another"]')).textContent).toContain('The first request may have arrived');
  expect(document.querySelector('[data-view="new-export"]')).toBeNull();
});

test('what is not offered yet is readable and does nothing', async () => {
  const api = await open(confirming());
  (await one('[data-menu]')).click();
  const item = await one('[role="menuitem"][data-action="export-again"]');
  expect([item.getAttribute('aria-disabled'), item.textContent?.includes('Available once the result is known')]).toEqual(['true', true]);
  item.click();
  expect(api.requested).toEqual([]);
  expect(document.querySelector('[data-view="new-export"]')).toBeNull();
});

test('the language changes at once: every word, the same state, the focus kept', async () => {
  const api = await open(confirming());
  (await one('[data-nav="settings"]')).click();
  const chinese = await one('[data-field="language"] [data-value="zh-CN"]');
  chinese.focus();
  chinese.click();
  await waitFor(() => expect(document.documentElement.lang).toBe('zh-CN'));
  expect(document.activeElement).toBe(chinese);
  expect(api.calls).toContainEqual(['setLanguage', 'zh-CN']);
  (await one('[data-nav="exports"]')).click();
  expect((await one('[data-view="inspector"]')).textContent).toContain('结果确认中');
  const words = document.body.textContent ?? '';
  expect(words).not.toMatch(/Confirming|Needs attention|In progress|Settings/u);
});

test('a newer view changes the row and is announced once; an older one does nothing', async () => {
  const view = confirming({ version: 5 });
  const api = await open(view);
  await rowOf(view);
  api.publish({ ...view, version: 6, stage: 'accepted', business_outcome: 'queued', call_result: 'lost', actions: can('cancel') });
  await waitFor(async () => expect((await rowOf(view)).dataset['stage']).toBe('accepted'));
  expect((await one('[data-live="polite"]')).textContent).toContain('Orders by region: Accepted.');
  api.publish({ ...view, version: 4, stage: 'sending' });
  await vi.advanceTimersByTimeAsync(300);
  expect((await rowOf(view)).dataset['stage']).toBe('accepted');
});

test('coming to need the person is said at once', async () => {
  const view = confirming();
  const api = await open(view);
  await rowOf(view);
  api.publish({ ...unresolved(), id: view.id, version: 9 });
  await waitFor(async () => expect((await one('[data-live="alert"]')).textContent).toContain('Result not confirmed'));
});

describe('the one timer', () => {
  test('ticks while something counts down', async () => {
    const view = confirming();
    await open(view);
    const row = await rowOf(view);
    await vi.advanceTimersByTimeAsync(3000);
    await waitFor(() => expect(row.textContent).toMatch(/next in [1-5] s/u));
  });

  test('and not when nothing does', async () => {
    await open(saved(), sample('cancelled', { actions: can('export-again') }));
    await one('[data-list]');
    await vi.advanceTimersByTimeAsync(500);
    const ticking = vi.spyOn(globalThis, 'setInterval');
    await vi.advanceTimersByTimeAsync(5000);
    expect(ticking).not.toHaveBeenCalled();
  });
});

test('what a service says is text, never markup', async () => {
  const evil = '<img src=x onerror=alert(1)><b>bold</b>';
  const view = rejected({
    title: { en: evil }, service: evil, parameters: { from: evil }, warnings: [evil],
    problem: { kind: 'invalid-parameters', title: evil, detail: evil, errors: [{ pointer: `/${evil}`, detail: evil }, { pointer: '/to', detail: evil }], permission: evil, owner: evil, retry_may_help: false },
  });
  await open(view);
  await rowOf(view);
  expect(document.querySelector('img')).toBeNull();
  expect((await one('[data-view="inspector"]')).textContent).toContain(evil);
});

test('no element carries a style attribute that a policy would forbid', async () => {
  await open(running());
  const template = document.createElement('template');
  for (const element of document.querySelectorAll('[style]')) {
    // Custom properties that are set through the object model, and nothing else.
    template.innerHTML = element.outerHTML;
    expect(element.getAttribute('style')).toMatch(/^(--[\w-]+: [^;]+;? ?)+$/u);
  }
});

test('an error is one sentence and can be put away', async () => {
  const view = confirming();
  const api = await open(view);
  api.checkNow = async () => {
    throw failure('driven');
  };
  (await one('[data-view="inspector"] [data-action="check-now"]')).click();
  const bar = await one('[data-error="driven"]');
  expect(bar.textContent).toContain('Another Docket is at work on this computer.');
  bar.querySelector('button')?.click();
  await waitFor(() => expect(document.querySelector('[data-error]')).toBeNull());
});

test('network weather tells the practice service what to do', async () => {
  const api = new FakeApi([confirming()]);
  api.kept = [PRACTICE];
  render(App, { api });
  (await one('[data-weather="open"]')).click();
  (await one('[data-weather="lose"]')).click();
  await waitFor(async () => expect((await one('[data-weather="lose"]')).textContent).toContain('The next receipt will be lost'));
  (await one('[data-weather="refuse"]')).click();
  (await one('[data-weather="clear"]')).click();
  await waitFor(() => expect(api.calls.filter(([name]) => name === 'setWeather').map(([, weather]) => (weather as { weather: string }).weather)).toEqual(['lose_next_receipt', 'refuse', 'clear']));
  expect(at(0)).toBe(new Date(NOW).toISOString());
});

test('the tray asks for a new export', async () => {
  const api = await open(saved());
  await one('[data-list]');
  api.askForNewExport();
  await one('[data-view="new-export"]');
});

test('a store that can not be opened: one sentence in place of the list', async () => {
  const api = new FakeApi();
  api.startState = async () => {
    throw failure('store_too_new', 'The store is of schema 9; this Docket knows 3.');
  };
  render(App, { api });
  expect((await one('[data-view="cannot-open"]')).textContent).toContain('Docket’s history was written by a newer version. Update Docket.');
});

test('after a request by key the list has the keyboard, with the new export chosen', async () => {
  const api = await open(saved());
  await key('n', { ctrlKey: true });
  (await one('[data-operation="ledger"]')).click();
  const rows = await one<HTMLInputElement>('#field-rows');
  rows.focus();
  await fireEvent.input(rows, { target: { value: '25,000' } });
  await key('Enter', { ctrlKey: true });
  await one('[data-view="exports"]');
  expect(api.requested[0]?.parameters).toEqual({ rows: 25_000, seed: 1 });
  await waitFor(() => expect(document.activeElement?.hasAttribute('data-list')).toBe(true));
  expect((await one('[role=option][aria-selected="true"]')).dataset['stage']).toBe('sending');
});

test('End reaches a row whose page is not here yet', async () => {
  const all = Array.from({ length: 300 }, () => saved());
  await open(...all);
  (await one('[data-list]')).focus();
  await key('End');
  const last = all[299]!;
  await waitFor(() => expect(document.querySelector('[data-view="inspector"]')?.getAttribute('data-export-id')).toBe(last.id));
});

test('what happened to the history stays until it is dismissed, and names the old file', async () => {
  const api = new FakeApi([confirming()]);
  const path = '/data/Docket/docket.damaged-2026-11-29T10-00-00Z.db';
  api.start.notices = [{ id: 7, kind: 'store_set_aside', at: at(0), path, open: 4, over: 231, unreadable: 1, all_counted: true }];
  render(App, { api });
  const notice = await one('[data-notice="store_set_aside"]');
  expect(notice.textContent).toContain('4 open and 231 finished exports were saved, one export could not be read');
  expect(notice.textContent).toContain(path);
  (await one('[data-notice-action="dismiss"]')).click();
  await waitFor(() => expect(document.querySelector('[data-notice]')).toBeNull());
  expect(api.calls).toContainEqual(['dismissNotice', 7]);
});
