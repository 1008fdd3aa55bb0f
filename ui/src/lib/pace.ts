// How fast an export goes and how long it may take, from what the service and the disk reported. Pure.
//
// The rate is smoothed over at least five seconds; a bar's furthest point never goes back within one stage.
import type { ExportView, Stage } from './bindings';
import { fraction } from './present';
import { NO_PACE, type Pace } from './sentences';

/** A rate over less than this would jump. */
const SMOOTH_MS = 5000;
/** How many reports one export's rate may be made of. */
const SAMPLES_MAX = 12;

interface Sample {
  at: number;
  done: number;
}

export interface Trail {
  stage: Stage;
  samples: Sample[];
  furthest: number | null;
}

/** The trail after one more view of the export. */
export function follow(trail: Trail | undefined, view: ExportView, now: number): Trail | undefined {
  if (view.stage !== 'running' && view.stage !== 'downloading') return undefined;
  const before = trail?.stage === view.stage ? trail : { stage: view.stage, samples: [], furthest: null };
  const counted = view.stage === 'downloading' ? view.delivery : view.progress;
  const done = counted?.done ?? 0;
  const at = view.stage === 'running' && view.news_at !== null ? Date.parse(view.news_at) : now;
  const last = before.samples.at(-1);
  const samples = last && (done <= last.done || at <= last.at) ? before.samples : [...before.samples, { at, done }].slice(-SAMPLES_MAX);
  const reached = fraction(view);
  const furthest = reached === null ? before.furthest : Math.max(reached, before.furthest ?? 0);
  return { stage: view.stage, samples, furthest };
}

export function paceOf(trail: Trail | undefined, view: ExportView): Pace {
  const [first, last] = [trail?.samples[0], trail?.samples.at(-1)];
  if (!trail || trail.stage !== view.stage || !first || !last || last.at - first.at < SMOOTH_MS) return NO_PACE;
  const rate = ((last.done - first.done) / (last.at - first.at)) * 1000;
  const total = (view.stage === 'downloading' ? view.delivery?.total : view.progress?.total) ?? null;
  if (rate <= 0) return NO_PACE;
  return { rate, left: total === null ? null : (Math.max(0, total - last.done) / rate) * 1000 };
}
