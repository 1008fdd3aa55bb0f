// The exports that the window shows: three sections of windowed pages, joined with what the event brings.
//
// Subscribe first, then the snapshot: nothing that happens between the two is missed. Of two views of one export the
// higher version wins, whichever way it came. The order of rows is the store's own: after a change the pages in sight
// are asked for again, not while the pointer rests on the list (at most for `SETTLE_MAX_MS`), so no row jumps away
// under it. A row's content is always the newest.
import { SvelteMap } from 'svelte/reactivity';

import type { Api } from './api';
import type { ChangeView, ExportView, ListPage, Section, SectionCounts } from './bindings';
import { follow, paceOf, type Trail } from './pace';
import type { Pace } from './sentences';

export const SECTIONS: Section[] = ['needs_attention', 'in_progress', 'finished'];
export const PAGE = 50;
/** Exports kept in memory; those not in sight go first. */
export const KEPT_MAX = 1500;
const FIRST: [number, number] = [0, PAGE - 1];
const REFRESH_MS = 120;
const SETTLE_MAX_MS = 3000;

const NO_COUNTS: SectionCounts = { needs_attention: 0, in_progress: 0, confirming: 0, finished: 0 };

/** One section: ids by their place, with holes where no page was fetched; null is a row that can't be read. */
interface Rows {
  ids: (string | null | undefined)[];
  length: number;
}

type Listener = (now: ExportView, before: ExportView | undefined) => void;

export class Exports {
  counts = $state.raw<SectionCounts>(NO_COUNTS);
  search = $state('');
  /** The first snapshot is here. */
  loaded = $state(false);
  readonly #api: Api;
  readonly #known = new SvelteMap<string, ExportView>();
  readonly #trails = new Map<string, Trail>();
  #rows = $state.raw<Record<Section, Rows>>(emptyRows());
  #sight: Record<Section, [number, number]> = { needs_attention: FIRST, in_progress: FIRST, finished: FIRST };
  #asked = new Set<string>();
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #staleSince: number | null = null;
  #resting = false;
  #listeners = new Set<Listener>();
  #kept: string | null = null;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Subscribes, then takes the first snapshot. */
  async start(onOther: (change: Exclude<ChangeView, { change: 'export' }>) => void): Promise<() => void> {
    const stop = await this.#api.onChange((change) => {
      if (change.change !== 'export') onOther(change);
      else this.heard(change.export, change.counts);
    });
    await this.refresh();
    return stop;
  }

  /** Calls back when an export's newer view arrives by the event or by an answer. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get(id: string): ExportView | undefined {
    return this.#known.get(id);
  }

  paceOf(view: ExportView): Pace {
    return paceOf(this.#trails.get(view.id), view);
  }

  /** The highest fraction seen in this stage: a bar moves forward only. */
  furthest(view: ExportView): number | null {
    const trail = this.#trails.get(view.id);
    return trail?.stage === view.stage ? trail.furthest : null;
  }

  length(section: Section): number {
    return this.#rows[section].length;
  }

  idAt(section: Section, at: number): string | undefined {
    return this.#rows[section].ids[at] ?? undefined;
  }

  /** Whether the store has a row at this place that it can't read. */
  isUnreadable(section: Section, at: number): boolean {
    return this.#rows[section].ids[at] === null;
  }

  /** The place of an export in its section, where it is on a page that is here. */
  placeOf(id: string): { section: Section; at: number } | null {
    for (const section of SECTIONS) {
      const at = this.#rows[section].ids.indexOf(id);
      if (at >= 0) return { section, at };
    }
    return null;
  }

  /** The whole export, from here or from the program. It stays while it is the one kept. */
  async open(id: string): Promise<ExportView> {
    this.#kept = id;
    const view = await this.#api.getExport(id);
    return this.join(view);
  }

  /** Takes in an export and returns the newer of the two. */
  join(view: ExportView): ExportView {
    const before = this.#known.get(view.id);
    if (before && before.version >= view.version) return before;
    this.#known.set(view.id, view);
    const trail = follow(this.#trails.get(view.id), view, Date.now());
    if (trail) this.#trails.set(view.id, trail);
    else this.#trails.delete(view.id);
    for (const listener of this.#listeners) listener(view, before);
    return view;
  }

  /** A change from the event. */
  heard(view: ExportView, counts: SectionCounts): void {
    const before = this.#known.get(view.id);
    this.counts = counts;
    if (this.join(view) !== view) return;
    const moved = !before || before.stage !== view.stage || before.hold !== view.hold;
    if (moved || this.placeOf(view.id) === null) this.#refreshSoon();
  }

  /** The pointer came to rest on the list, or left it. */
  rest(resting: boolean): void {
    this.#resting = resting;
    if (!resting && this.#staleSince !== null) this.#refreshSoon();
  }

  #refreshSoon(): void {
    this.#staleSince ??= Date.now();
    clearTimeout(this.#timer);
    const waited = Date.now() - this.#staleSince;
    const wait = this.#resting ? Math.max(REFRESH_MS, SETTLE_MAX_MS - waited) : REFRESH_MS;
    this.#timer = setTimeout(() => void this.refresh(), wait);
  }

  async searchFor(text: string): Promise<void> {
    if (text === this.search) return;
    this.search = text;
    for (const section of SECTIONS) this.#sight[section] = FIRST;
    await this.refresh();
  }

  /** Which rows of a section are in sight: their pages are fetched. */
  look(section: Section, from: number, to: number): void {
    this.#sight[section] = [from, to];
    void this.#fetch(section, this.#round);
  }

  /** The id at a place, fetched where its page is not here. */
  async idFor(section: Section, at: number): Promise<string | undefined> {
    const here = this.idAt(section, at);
    if (here !== undefined || this.isUnreadable(section, at)) return here;
    this.#sight[section] = [at, at];
    await this.#fetch(section, this.#round);
    return this.idAt(section, at);
  }

  /** Asks anew for the pages in sight. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#staleSince = null;
    this.#round += 1;
    this.#asked.clear();
    const round = this.#round;
    const fresh = emptyRows();
    await Promise.all(SECTIONS.map((section) => this.#fetch(section, round, fresh)));
    if (round !== this.#round) return;
    this.#rows = fresh;
    this.loaded = true;
    this.#forget();
  }

  async #fetch(section: Section, round: number, into?: Record<Section, Rows>): Promise<void> {
    const [from, to] = this.#sight[section];
    const pages: Promise<void>[] = [];
    for (let page = Math.floor(Math.max(0, from) / PAGE); page * PAGE <= to; page += 1) {
      const key = `${section}:${page}`;
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      const query = { section, stage: null, search: this.search === '' ? null : this.search, offset: page * PAGE, limit: PAGE };
      pages.push(
        this.#api.listExports(query).then((answer) => {
          if (round === this.#round) this.#place(section, page * PAGE, answer, into);
        }),
      );
    }
    await Promise.all(pages);
  }

  #place(section: Section, offset: number, page: ListPage, into?: Record<Section, Rows>): void {
    for (const view of page.items) this.join(view);
    this.counts = page.counts;
    const old = into ? into[section] : this.#rows[section];
    const ids = old.ids.slice();
    let next = 0;
    for (let at = 0; at < rowsOf(page); at += 1) {
      ids[offset + at] = page.unreadable.includes(at) ? null : page.items[next++]?.id;
    }
    const rows = { ids, length: this.search === '' ? page.counts[section] : this.#foundLength(old.length, offset, page) };
    ids.length = Math.min(ids.length, rows.length);
    if (into) into[section] = rows;
    else this.#rows = { ...this.#rows, [section]: rows };
  }

  /** A search has no count of its own: there is at least one row more while the store says so. */
  #foundLength(before: number, offset: number, page: ListPage): number {
    const seen = offset + rowsOf(page);
    if (page.more) return Math.max(before, seen + PAGE);
    return rowsOf(page) === 0 && offset > 0 ? Math.min(before, offset) : seen;
  }

  /** Drops what is out of sight once there is too much. */
  #forget(): void {
    if (this.#known.size <= KEPT_MAX) return;
    const inSight = new Set<string | null | undefined>(SECTIONS.flatMap((section) => this.#rows[section].ids));
    for (const id of [...this.#known.keys()]) {
      if (this.#known.size <= KEPT_MAX) return;
      if (inSight.has(id) || id === this.#kept) continue;
      this.#known.delete(id);
      this.#trails.delete(id);
    }
  }
}

/** How many rows of the store stand on a page. */
function rowsOf(page: ListPage): number {
  return page.items.length + page.unreadable.length;
}

function emptyRows(): Record<Section, Rows> {
  return { needs_attention: { ids: [], length: 0 }, in_progress: { ids: [], length: 0 }, finished: { ids: [], length: 0 } };
}
