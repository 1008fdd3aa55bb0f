// The window opens.
import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import App from './App.svelte';

test('the window opens', () => {
  render(App);
  expect(screen.getByText('Docket')).toBeTruthy();
});
