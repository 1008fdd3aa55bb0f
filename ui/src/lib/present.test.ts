// No stage, hold or reason that the window can not show: every combination has icon, tone, label and sentences in both
// languages, with no message and no value missing.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { ACTIONS, CALL_REASONS, CALL_RESULTS, ERROR_CODES, HOLDS, NEXT_ACTIONS, NOT_CREATED_WHYS, OUTCOMES, STAGES, UNRESOLVED_REASONS } from '../testing/words';
import { at, attempt, can, confirming, NOW, rejected, running, sample, saved, unresolved, waiting } from '../testing/samples';
import { actionIcon, actionLabel } from './actions';
import type { Language } from './api';
import type { ExportView } from './bindings';
import { businessFact, callFact, nextStep } from './facts';
import { face, holdFace, holdLabel, label, needsPerson, primaryAction, stateInSentence } from './present';
import { reasonOf } from './reasons';
import { announcement, brief, holdSentence, NO_PACE, sentence } from './sentences';
import { Speech } from './speech';
import { timeline } from './timeline';

const strict = (language: Language): Speech =>
  new Speech(language, (id, error) => {
    throw new Error(`${language}: ${id} ${error?.message ?? 'is missing'}`);
  });
const speeches = [strict('en'), strict('zh-CN')];
const now = (): number => NOW;

beforeAll(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

/** Everything that the window says of one export. */
function everything(view: ExportView, speech: Speech): string[] {
  const next = nextStep(view, speech, now);
  return [
    label(view, speech),
    stateInSentence(view, speech),
    sentence(view, speech, now, NO_PACE),
    sentence(view, speech, now, { left: 180_000, rate: 2_000_000 }),
    brief(view, speech, now, NO_PACE),
    brief(view, speech, now, { left: 180_000, rate: 2_000_000 }),
    announcement(view, speech),
    ...(view.hold === null ? [] : [holdLabel(view.hold, speech), holdSentence(view, view.hold, speech, now)]),
    callFact(view, speech).value,
    businessFact(view, speech, now).value,
    ...(next?.parts.map((part) => part.text) ?? ['-']),
    ...timeline(view, speech, now).map((event) => event.what),
  ];
}

/** Nothing is empty, no value is left open, nothing is "undefined". */
function isWhole(texts: string[], what: string): void {
  for (const text of texts) {
    expect(text, what).not.toBe('');
    expect(text, what).not.toMatch(/[{}]|undefined|null|NaN/u);
  }
}

const with_ = (stage: ExportView['stage'], more: Partial<ExportView>): ExportView =>
  sample(stage, {
    file: stage === 'saved' ? saved().file : null,
    progress: { done: 412_300, total: 981_600, unit: 'rows', step: null, ahead: 2 },
    delivery: { done: 1_000_000, total: 18_400_000, space_needed: 9_000_000, space_free: 2_000_000, folder: '/data/full', folder_reason: 'No space left' },
    offered: { name: 'orders.csv', size: 18_400_000 },
    news_at: at(-3000),
    expires_at: at(86_400_000),
    window_ends_at: at(600_000),
    looks: 3,
    ...more,
  });

for (const speech of speeches) {
  describe(speech.language, () => {
    test('every stage, with every hold and none, with a next step and none', () => {
      for (const stage of STAGES) {
        for (const hold of [null, ...HOLDS]) {
          for (const next_action of [null, ...NEXT_ACTIONS]) {
            const view = with_(stage, { hold, next_action, next_action_at: next_action === null ? null : at(8000) });
            isWhole(everything(view, speech), `${stage} ${hold} ${next_action}`);
          }
        }
      }
    });

    test('every reason of a stage, and one that nobody knows', () => {
      for (const reason of [...UNRESOLVED_REASONS, 'of_a_later_version', null]) isWhole(everything(unresolved({ reason }), speech), `unresolved ${reason}`);
      for (const reason of [...NOT_CREATED_WHYS, 'of_a_later_version', null]) isWhole(everything(with_('not_created', { reason, business_outcome: 'not_created' }), speech), `not created ${reason}`);
      for (const reason of [...CALL_REASONS, 'of_a_later_version', null]) {
        for (const call_result of CALL_RESULTS) isWhole(everything(waiting({ reason, call_result }), speech), `waiting ${reason}`);
        expect(reasonOf(reason, waiting(), speech)).not.toMatch(/[{}]/u);
      }
      for (const kind of ['invalid-parameters', 'forbidden', 'key-conflict', 'unknown-operation', 'of-a-later-version']) {
        for (const [permission, owner] of [[null, null], ['orders.export', 'the data team']] as const) {
          const problem = { kind, title: 'Not accepted.', detail: null, errors: [], permission, owner, retry_may_help: false };
          isWhole(everything(rejected({ reason: kind, problem }), speech), kind);
        }
      }
      isWhole(everything(rejected({ problem: null, reason: null }), speech), 'rejected without a word');
    });

    test('every outcome and every call result', () => {
      for (const business_outcome of OUTCOMES) {
        for (const call_result of [null, ...CALL_RESULTS]) isWhole(everything(with_('running', { business_outcome, call_result }), speech), `${business_outcome} ${call_result}`);
      }
    });

    test('the least that a stage may come with', () => {
      for (const stage of STAGES) isWhole(everything(sample(stage, { call_result: null, ...(stage === 'saved' ? { file: saved().file } : {}) }), speech), `bare ${stage}`);
    });

    test('every action in every stage has a label', () => {
      for (const stage of STAGES) for (const hold of [null, ...HOLDS]) for (const action of ACTIONS) isWhole([actionLabel(action, with_(stage, { hold }), speech), actionIcon(action)], action);
    });

    test('every error has a sentence', () => {
      for (const code of ERROR_CODES) isWhole([speech.t(`error-${code}`, { message: 'why' })], code);
    });
  });
}

test('every stage and hold has an icon and a tone; red never for what is unknown, violet only for it', () => {
  for (const stage of STAGES) expect(face(sample(stage)).icon).not.toBe('');
  for (const hold of HOLDS) expect(holdFace(hold).tone).not.toBe('');
  const violet = STAGES.filter((stage) => face(sample(stage)).tone === 'confirm');
  expect(violet).toEqual(['confirming', 'unresolved']);
  expect(STAGES.filter((stage) => face(sample(stage)).tone === 'wait')).toEqual(['waiting_to_send']);
});

test('the filled button is what the engine offers first of what fits the stage', () => {
  expect(primaryAction(confirming())).toBe('check-now');
  expect(primaryAction(running())).toBeNull();
  expect(primaryAction(waiting())).toBe('send-now');
  expect(primaryAction(saved())).toBe('open-file');
  expect(primaryAction(saved({ actions: can('show-in-folder', 'export-again') }))).toBe('show-in-folder');
  expect(primaryAction(confirming({ hold: 'sign_in', actions: can('sign-in') }))).toBe('sign-in');
  expect(primaryAction(confirming({ actions: [{ action: 'check-now', not_yet: 'service_cannot' }] }))).toBeNull();
  expect(primaryAction(unresolved())).toBe('check-now');
});

test('the words of the design, to the letter', () => {
  const [en, zh] = speeches as [Speech, Speech];
  expect(sentence(confirming(), en, now, NO_PACE)).toBe('We sent this but didn’t get an answer. Checking with Meridian whether it arrived. Please don’t submit it again.');
  expect(sentence(confirming(), zh, now, NO_PACE)).toBe('请求已发出，但没有收到回执，正在向 Meridian 核实是否已受理，请勿重复提交。');
  expect(nextStep(confirming(), en, now)?.parts.map((part) => part.text)).toEqual(['Checked 3 times', 'next check in 8 s', 'until 10:17']);
  expect(nextStep(confirming(), zh, now)?.parts.map((part) => part.text)).toEqual(['已查询 3 次', '8 秒后再次查询', '截止 10:17']);
  expect(sentence(waiting(), zh, now, NO_PACE)).toBe('请求尚未到达 Finance Hub（无法解析 finance.example），24 秒后自动重试。');
  expect(sentence(waiting({ call_result: 'answered' }), en, now, NO_PACE)).toBe('Finance Hub is busy and asked us to come back in 24 s.');
  expect(callFact(confirming(), en)).toMatchObject({ value: 'No answer', detail: 'connection closed after 8.3 s', tone: null });
  expect(businessFact(confirming(), zh, now)).toMatchObject({ value: '尚未确认', detail: '可能已受理，也可能没有', tone: 'confirm' });
});

test('call and export are two facts: a lost call says nothing of the export', () => {
  for (const business_outcome of OUTCOMES) expect(callFact(confirming({ business_outcome }), speeches[0]!).value).toBe('No answer');
  for (const call_result of CALL_RESULTS) expect(businessFact(running({ call_result }), speeches[0]!, now).value).toBe('Running');
});

test('what is under way is said instead of a countdown', () => {
  const busy = attempt(5, 'lookup', { call_result: null, result: null, ended_at: null, duration_ms: null, phase: 'await' });
  const view = confirming({ attempts: [...confirming().attempts, busy] });
  expect(nextStep(view, speeches[0]!, now)?.parts[1]?.text).toBe('checking now');
});

test('what is tried by itself needs the person once it is tried no more', () => {
  const tried = sample('downloading', { hold: 'download_interrupted', next_action: 'download' });
  expect(needsPerson(tried)).toBe(false);
  expect(needsPerson({ ...tried, next_action: null })).toBe(true);
});
