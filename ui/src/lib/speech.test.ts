// Numbers, sizes, spans, clocks and days, in both languages.
import { describe, expect, test } from 'vitest';

import { Speech } from './speech';

const en = new Speech('en');
const zh = new Speech('zh-CN');

test('spans of time', () => {
  expect([0, 84, 8200, 24_000, 80_000, 201_000, 600_000, 7_500_000, 180_000_000].map(en.span.bind(en))).toEqual([
    '0 ms', '84 ms', '8.2 s', '24 s', '1 min 20 s', '3 min 21 s', '10 min', '2 h 5 min', '2 d',
  ]);
  expect([84, 8200, 201_000, 7_500_000].map(zh.span.bind(zh))).toEqual(['84 毫秒', '8.2 秒', '3 分 21 秒', '2 小时 5 分']);
});

test('what counts down is whole seconds, rounded up, never below nothing', () => {
  expect([-5, 0, 1, 7001, 59_001].map(en.wait.bind(en))).toEqual(['0 s', '0 s', '1 s', '8 s', '1 min']);
});

test('what is guessed is one rounded unit', () => {
  expect([1000, 12_000, 170_000, 3_500_000, 9_000_000].map(en.about.bind(en))).toEqual(['5 s', '15 s', '3 min', '1 h', '3 h']);
});

test('bytes in powers of ten', () => {
  expect([0, 999, 1200, 18_400_000, 212_000_000_000].map(en.bytes.bind(en))).toEqual(['0 B', '999 B', '1.2 KB', '18.4 MB', '212 GB']);
});

test('whole numbers are grouped', () => expect([en.whole(412300), zh.whole(412300)]).toEqual(['412,300', '412,300']));

test('percent never says 100 before it is so', () => expect([0, 0.4299, 0.999, 1, 1.2].map(en.percent.bind(en))).toEqual(['0%', '42%', '99%', '100%', '100%']));

describe('clocks and days', () => {
  const now = new Date(2026, 10, 28, 10, 2, 27).getTime();
  const at = (...parts: [number, number, number, number, number, number]): string => new Date(...parts).toISOString();

  test('a clock has two digits and 24 hours', () => {
    expect([en.clock(at(2026, 10, 28, 9, 5, 3)), en.clockSeconds(at(2026, 10, 28, 21, 5, 3))]).toEqual(['09:05', '21:05:03']);
  });

  test('a list says the time today, then yesterday, then the day', () => {
    const days = [at(2026, 10, 28, 0, 1, 0), at(2026, 10, 27, 23, 59, 0), at(2026, 10, 20, 8, 0, 0), at(2025, 11, 31, 8, 0, 0)];
    expect(days.map((day) => en.when(day, now))).toEqual(['00:01', 'Yesterday', '20 Nov', '31 Dec 2025']);
    expect(days.map((day) => zh.when(day, now))).toEqual(['00:01', '昨天', '11-20', '2025-12-31']);
  });

  test('a sentence says the day only where it is another', () => {
    const tomorrow = at(2026, 11, 6, 9, 12, 0);
    expect([en.moment(at(2026, 10, 28, 9, 46, 0), now), en.moment(tomorrow, now), zh.moment(tomorrow, now)]).toEqual(['09:46', '6 Dec, 09:12', '12-06 09:12']);
  });
});

test('a title is in this language, else English, else any, else the fallback', () => {
  expect(zh.title({ en: 'Orders', 'zh-CN': '订单' }, 'orders')).toBe('订单');
  expect(zh.title({ en: 'Orders', zh: '订单' }, 'orders')).toBe('订单');
  expect(zh.title({ en: 'Orders' }, 'orders')).toBe('Orders');
  expect(en.title({ de: 'Aufträge' }, 'orders')).toBe('Aufträge');
  expect(en.title({}, 'orders')).toBe('orders');
});
