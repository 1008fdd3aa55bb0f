// One attempt's phases in five columns that all attempts share: prepare, connect, secure, send, await. Pure.
//
// Grey: no byte of the request can have left. Blue: it has. The change from one to the other is the submission
// boundary, and the mark says where the answer was lost.
import type { AttemptView, Phase } from './bindings';

export const COLUMNS = ['prepare', 'connect', 'secure', 'send', 'await'] as const;
export type Column = (typeof COLUMNS)[number];

/** `here` and `out` were passed; `stop` ended before the boundary, `lost` after it; `none` was not reached. */
export type Bar = 'here' | 'out' | 'stop' | 'lost' | 'none';

export interface PhaseColumn {
  column: Column;
  bar: Bar;
  duration_ms: number | null;
}

const COLUMN_OF: Record<Phase, Column> = {
  prepare: 'prepare',
  resolve: 'connect',
  connect: 'connect',
  secure: 'secure',
  send: 'send',
  await: 'await',
  receive: 'await',
  decode: 'await',
  record: 'await',
};

/** The column in which a call ended. */
export const columnOf = (phase: Phase): Column => COLUMN_OF[phase];

export function phaseColumns(attempt: AttemptView): PhaseColumn[] {
  const end = attempt.duration_ms;
  const spent = new Map<Column, number>();
  const reached = new Set<Column>();
  attempt.phases.forEach((mark, at) => {
    const next = attempt.phases[at + 1]?.at_ms ?? end;
    const column = COLUMN_OF[mark.phase];
    reached.add(column);
    if (next !== null && next !== undefined) spent.set(column, (spent.get(column) ?? 0) + Math.max(0, next - mark.at_ms));
  });
  const last = attempt.phase === null ? null : COLUMN_OF[attempt.phase];
  return COLUMNS.map((column) => ({
    column,
    bar: barOf(column, attempt, reached, last),
    duration_ms: reached.has(column) ? (spent.get(column) ?? null) : null,
  }));
}

function barOf(column: Column, attempt: AttemptView, reached: Set<Column>, last: Column | null): Bar {
  if (!reached.has(column)) return 'none';
  const out = column === 'send' || column === 'await';
  if (column === last && attempt.call_result === 'lost') return 'lost';
  if (column === last && attempt.call_result === 'not_sent') return 'stop';
  return out ? 'out' : 'here';
}
