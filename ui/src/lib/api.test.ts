// The door: every command under its name with its arguments, every refusal as an `ErrorView`.
import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { afterEach, expect, test } from 'vitest';

import { asError, tauri, type Api } from './api';

afterEach(() => clearMocks());

test('commands are snake_case, their arguments camelCase', async () => {
  const calls: [string, unknown][] = [];
  mockIPC((command, args) => {
    calls.push([command, args]);
    return null;
  });
  await tauri.addService({ name: null, address: 'https://a.example', tenantId: 't', token: null });
  await tauri.operations('s');
  await tauri.download('e', null);
  await tauri.settle('e', { finding: 'job', business_id: 'b' });
  await tauri.setWeather({ weather: 'refuse', seconds: 20 });
  await tauri.freeSpace(null);
  expect(calls).toEqual([
    ['add_service', { name: null, address: 'https://a.example', tenantId: 't', token: null }],
    ['operations', { serviceId: 's' }],
    ['download', { id: 'e', folder: null }],
    ['settle', { id: 'e', finding: { finding: 'job', business_id: 'b' } }],
    ['set_weather', { weather: { weather: 'refuse', seconds: 20 } }],
    ['free_space', { folder: null }],
  ]);
});

test('every method rings one command of its own name', async () => {
  const names: string[] = [];
  mockIPC((command) => {
    names.push(command);
    return null;
  });
  const snake = (name: string): string => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
  const methods = Object.keys(tauri).filter((name) => !name.startsWith('on')) as (keyof Api)[];
  for (const name of methods) await (tauri[name] as (...args: unknown[]) => Promise<unknown>)({}, '');
  expect(names).toEqual(methods.map(snake));
});

test('a refusal keeps its code and its fields', async () => {
  const refusal = { code: 'invalid_parameters', message: 'No.', fields: [{ pointer: '/to', detail: 'Too long.' }] };
  mockIPC(() => {
    throw refusal;
  });
  await expect(tauri.twin({ service_id: '', operation: '', parameters: {}, format: '', click_id: '', supersedes: null, folder: null, knowing: [] })).rejects.toEqual(refusal);
});

test('whatever else is thrown becomes one sentence', () => {
  expect(asError(new Error('broken'))).toEqual({ code: 'internal', message: 'broken', fields: [] });
  expect(asError('text')).toEqual({ code: 'internal', message: 'text', fields: [] });
  expect(asError({ code: 'driven', message: 'x' })).toEqual({ code: 'driven', message: 'x', fields: [] });
});
