// The contrast of every pair of tokens that meets on screen, computed (WCAG 2.2): text 4.5, edges of controls and marks 3.
import { describe, expect, test } from 'vitest';

import css from './tokens.css?raw';

type Theme = Record<string, string>;

function themeOf(selector: string): Theme {
  const block = css.slice(css.indexOf(selector)).match(/\{([^}]*)\}/u)?.[1] ?? '';
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9A-Fa-f]{6})/gu)].map(([, name, value]) => [name ?? '', value ?? '']));
}

const light = themeOf(':root, [data-theme="light"]');
const dark = { ...light, ...themeOf('[data-theme="dark"]') };

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((start) => {
    const channel = parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const TONES = ['info', 'confirm', 'wait', 'ok', 'err', 'neutral'];
const GROUNDS = ['bg', 'surface', 'raised', 'raised-hover', 'sunken', 'hover', 'selected', 'current'];

const TEXT: [string, string][] = [
  ...GROUNDS.flatMap((ground) => ['text', 'text-2', 'text-3'].map((text): [string, string] => [text, ground])),
  ...TONES.flatMap((tone): [string, string][] => [[tone, 'surface'], [tone, `${tone}-tint`], [tone, 'selected'], [tone, 'hover'], ['text-2', `${tone}-tint`]]),
  ['accent', 'surface'], ['accent', 'bg'], ['accent-hover', 'surface'], ['on-accent', 'accent'], ['on-accent', 'accent-hover'], ['err', 'bg'],
];

const EDGES: [string, string][] = [
  ['border-strong', 'surface'], ['border-strong', 'raised'], ['focus', 'surface'], ['focus', 'bg'], ['focus', 'selected'], ['accent', 'track'], ['phase-here', 'surface'],
  ['phase-out', 'surface'], ['phase-lost', 'surface'], ['surface', 'phase-lost'],
];

describe.each([['light', light], ['dark', dark]] as const)('%s', (_name, theme) => {
  test.each(TEXT)('text %s on %s', (text, ground) => {
    expect(contrast(theme[text] ?? '', theme[ground] ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  test.each(EDGES)('edge %s on %s', (edge, ground) => {
    expect(contrast(theme[edge] ?? '', theme[ground] ?? '')).toBeGreaterThanOrEqual(3);
  });
});

test('the computation itself', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
});
