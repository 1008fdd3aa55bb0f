// The form of a new export: it sends once, what it shows; errors stand at their fields; duplicates are asked about.
import { fireEvent, render, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import App from '../App.svelte';
import { i18n } from '../lib/i18n.svelte';
import { FakeApi, failure } from '../testing/fake';
import { confirming, rejected, running, unresolved } from '../testing/samples';

const NOW = new Date(2026, 10, 28, 10, 2, 27).getTime();

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

async function form(...exports: Parameters<typeof FakeApi.prototype.publish>[0][]): Promise<FakeApi> {
  const api = new FakeApi(exports);
  render(App, { api });
  (await one('[data-nav="new-export"]')).click();
  await one('[data-pointer="/from"]');
  return api;
}

const lastMonth = async (): Promise<void> => (await one('[data-field="period"] [data-value="last-month"]')).click();
const submit = (more: KeyboardEventInit = {}): Promise<boolean> => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true, ...more });
const idle = (ms = 400): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test('a named period becomes dates in sight, and those are sent', async () => {
  const api = await form();
  await lastMonth();
  await waitFor(() => expect(document.querySelector<HTMLInputElement>('#field-from')?.value).toBe('2026-10-01'));
  expect(document.querySelector<HTMLInputElement>('#field-to')?.value).toBe('2026-10-31');
  await submit();
  await waitFor(() => expect(api.requested).toHaveLength(1));
  expect(api.requested[0]).toMatchObject({ service_id: 'svc-1', operation: 'orders', format: 'csv', click_id: 'click-1', knowing: [], supersedes: null });
  expect(api.requested[0]?.parameters).toMatchObject({ from: '2026-10-01', to: '2026-10-31', status: 'all' });
  await one('[data-view="exports"]');
  expect(document.querySelector('[data-view="inspector"]')?.getAttribute('data-stage')).toBe('sending');
});

test('Ctrl+Enter twice, held down, and a double click: one request', async () => {
  const api = await form();
  await lastMonth();
  await idle();
  const button = await one<HTMLButtonElement>('[data-action="request-export"]');
  button.click();
  button.click();
  await submit();
  await submit({ repeat: true });
  await idle();
  expect(api.requested).toHaveLength(1);
});

test('Enter that chooses a character does not submit; nor does Enter alone', async () => {
  const api = await form();
  await lastMonth();
  await idle();
  (await one<HTMLInputElement>('#field-from')).focus();
  await submit({ isComposing: true });
  await submit({ keyCode: 229 });
  await fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', bubbles: true });
  await idle();
  expect(api.requested).toEqual([]);
});

test('what is missing is said at the field, and nothing is sent', async () => {
  const api = await form();
  await submit();
  const field = await one('[data-pointer="/from"].wrong');
  expect(field.textContent).toContain('This is needed.');
  await waitFor(() => expect(field.contains(document.activeElement)).toBe(true));
  expect(api.requested).toEqual([]);
  await lastMonth();
  await waitFor(() => expect(document.querySelector('.field.wrong')).toBeNull());
});

test('the service’s field errors stand at the fields, and go when the field is changed', async () => {
  const api = await form();
  await lastMonth();
  api.nextAnswer = failure('invalid_parameters', 'No.', [{ pointer: '/region/0', detail: 'Not this region.' }, { pointer: '/elsewhere', detail: 'Something else.' }]);
  await submit();
  const field = await one('[data-pointer="/region"].wrong');
  expect(field.textContent).toContain('Not this region.');
  expect((await one('.elsewhere')).textContent).toBe('Something else.');
  expect((await one('[data-error="invalid_parameters"]')).textContent).toContain('Nothing was sent.');
  field.querySelector<HTMLInputElement>('input')?.click();
  await waitFor(() => expect(document.querySelector('[data-pointer="/region"].wrong')).toBeNull());
});

test('a refusal of the store keeps the form open and says that nothing was sent', async () => {
  const api = await form();
  await lastMonth();
  api.nextAnswer = failure('disk_full');
  await submit();
  expect((await one('[data-error="disk_full"]')).textContent).toContain('The disk is full. Nothing was sent.');
  await submit();
  await waitFor(() => expect(api.requested.map((request) => request.click_id)).toEqual(['click-1', 'click-1']));
});

describe('duplicates', () => {
  test('one that is being confirmed: the button gives way, no copy is offered, the way leads there', async () => {
    const view = confirming();
    const api = await form(view);
    api.nextTwin = { requested: 'twin', export: view, copy: 'no' };
    await lastMonth();
    await idle();
    const banner = await one('[data-twin]');
    expect(banner.textContent).toContain('Orders by region with the same parameters is being confirmed');
    expect(banner.querySelector('[data-answer="copy"]')).toBeNull();
    expect((await one<HTMLButtonElement>('[data-action="request-export"]')).disabled).toBe(true);
    await submit();
    expect(api.requested).toEqual([]);
    banner.querySelector<HTMLElement>('[data-answer="show"]')?.click();
    expect((await one('[data-view="inspector"]')).dataset['exportId']).toBe(view.id);
  });

  test('one whose job is known: a copy is asked for knowingly', async () => {
    const view = running();
    const api = await form(view);
    api.nextTwin = { requested: 'twin', export: view, copy: 'job_known' };
    await lastMonth();
    await idle();
    (await one('[data-twin] [data-answer="copy"]')).click();
    expect((await one('dialog[data-dialog="copy"]')).textContent).toContain('Another one is a second export.');
    (await one('dialog [data-answer="yes"]')).click();
    await waitFor(() => expect(api.requested.map((request) => request.knowing)).toEqual([['copy']]));
  });

  test('one that is unresolved: the guard says that the first may have arrived', async () => {
    const view = unresolved();
    const api = await form(view);
    api.nextTwin = { requested: 'twin', export: view, copy: 'unresolved' };
    await lastMonth();
    await idle();
    (await one('[data-twin] [data-answer="copy"]')).click();
    expect((await one('dialog[data-dialog="copy"]')).textContent).toContain('The first request may have arrived');
  });

  test('a near twin gets a plain question, and the same click goes on', async () => {
    const view = confirming();
    const api = await form(view);
    await lastMonth();
    api.nextAnswer = { requested: 'near_twin', export: view };
    await submit();
    (await one('dialog[data-dialog="near-twin"] [data-answer="yes"]')).click();
    await waitFor(() => expect(api.requested.map(({ knowing, click_id }) => [knowing, click_id])).toEqual([[[], 'click-1'], [['near_twin'], 'click-1']]));
  });
});

test('editing a refused one opens its form with its values, its errors and the link to it', async () => {
  const view = rejected();
  const api = new FakeApi([view]);
  render(App, { api });
  (await one('[data-view="inspector"] [data-action="edit-and-resubmit"]')).click();
  const field = await one('[data-pointer="/from"].wrong');
  expect(field.textContent).toContain('The period must not exceed 366 days.');
  const to = await one<HTMLInputElement>('#field-to');
  expect(to.value).toBe('2026-12-31');
  await fireEvent.input(to, { target: { value: '2026-06-30' } });
  await waitFor(() => expect(document.querySelector('.field.wrong')).toBeNull());
  await submit();
  await waitFor(() => expect(api.requested[0]).toMatchObject({ supersedes: view.id, parameters: { from: '2025-12-01', to: '2026-06-30', region: ['north'] } }));
});

test('another report: its own fields, and the first draft is kept', async () => {
  await form();
  await lastMonth();
  (await one('[data-operation="ledger"]')).click();
  const rows = await one<HTMLInputElement>('#field-rows');
  expect(rows.value).toBe('10000');
  (await one('[data-operation="orders"]')).click();
  await waitFor(() => expect(document.querySelector<HTMLInputElement>('#field-from')?.value).toBe('2026-10-01'));
});

test('a language switch changes the labels of the form', async () => {
  await form();
  i18n.use('zh-CN');
  await waitFor(() => expect(document.querySelector('[data-pointer="/region"]')?.textContent).toContain('大区'));
  expect((await one('[data-action="request-export"]')).textContent).toContain('提交导出');
});
