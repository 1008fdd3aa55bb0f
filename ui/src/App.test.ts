// The window opens on its list, or on the first run where there is no service.
import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import App from './App.svelte';
import { FakeApi } from './testing/fake';
import { confirming } from './testing/samples';

test('the window opens on its exports', async () => {
  const view = confirming();
  render(App, { api: new FakeApi([view]) });
  expect(await screen.findByRole('heading', { name: 'Exports' })).toBeTruthy();
  const row = document.querySelector(`li[data-export-id="${view.id}"]`);
  expect(row?.getAttribute('data-stage')).toBe('confirming');
});

test('without a service it opens on the first run', async () => {
  const api = new FakeApi();
  api.kept = [];
  api.start.first_run = true;
  render(App, { api });
  expect(await screen.findByRole('heading', { name: 'Set up Docket' })).toBeTruthy();
});
