// Keys: what means what, and that a key which an input method is composing with means nothing.
import { expect, test } from 'vitest';

import { commandOf, isComposing, isTyping, type KeyLike } from './keys';

const key = (name: string, more: Partial<KeyLike> = {}): KeyLike => ({ key: name, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, isComposing: false, keyCode: 0, ...more });

test('commands', () => {
  expect(commandOf(key('n', { ctrlKey: true }), true)).toBe('new');
  expect(commandOf(key('N', { metaKey: true }), false)).toBe('new');
  expect(commandOf(key('Enter', { ctrlKey: true }), true)).toBe('submit');
  expect(commandOf(key('Enter', { metaKey: true }), true)).toBe('submit');
  expect(commandOf(key('C', { ctrlKey: true, shiftKey: true }), false)).toBe('copy-request-no');
  expect(commandOf(key('o', { ctrlKey: true }), false)).toBe('open-file');
  expect(commandOf(key('O', { ctrlKey: true, shiftKey: true }), false)).toBe('show-in-folder');
  expect(commandOf(key(',', { ctrlKey: true }), false)).toBe('settings');
  expect(commandOf(key('/'), false)).toBe('search');
  expect(commandOf(key('3'), false)).toBe('tab-3');
  expect(commandOf(key('Escape'), true)).toBe('close');
});

test('plain Enter is never the window’s', () => expect(commandOf(key('Enter'), false)).toBeNull());

test('what is typed into a text is text', () => {
  expect(commandOf(key('/'), true)).toBeNull();
  expect(commandOf(key('1'), true)).toBeNull();
  const [text, check] = [document.createElement('input'), document.createElement('input')];
  check.type = 'checkbox';
  expect([isTyping(text), isTyping(check), isTyping(document.createElement('select')), isTyping(document.body), isTyping(null)]).toEqual([true, false, true, false, false]);
});

test('while an input method composes, no key is ours: not Enter, not Ctrl+Enter, not Escape', () => {
  for (const name of ['Enter', 'Escape', '/', 'n']) {
    expect(commandOf(key(name, { isComposing: true, ctrlKey: name === 'Enter' || name === 'n' }), false)).toBeNull();
    expect(commandOf(key(name, { keyCode: 229, ctrlKey: name === 'Enter' }), false)).toBeNull();
  }
  expect([isComposing(key('Enter')), isComposing(key('Enter', { keyCode: 229 }))]).toEqual([false, true]);
});

test('Alt belongs to the system', () => expect(commandOf(key('n', { ctrlKey: true, altKey: true }), false)).toBeNull());
