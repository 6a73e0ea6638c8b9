import type { SaveConflict, SaveRequest, WorkFile, WorkFunction } from '../../api/contract.gen';
import { edited, hasConflict, isDirty, openDoc, removed, resolved, storedNow, type Doc, type Stored } from './doc';
import { Drafts } from './drafts';

export const parts = ['source', 'manifest'] as const;
export type Part = (typeof parts)[number];

/** The files of one function as the page holds them. */
export interface FunctionDocs {
  source?: Doc;
  manifest?: Doc;
  /** When the unsaved text was typed that came back, until its author has said what to do with it. */
  restoredFrom?: string;
}

/**
 * Docs holds every function that was opened, with its edits. Edits are kept as
 * drafts as well, so that a closed page or a crash loses none; a draft whose
 * base is no longer stored comes back as a conflict, never as a loss.
 */
export class Docs {
  private readonly open = new Map<string, FunctionDocs>();
  private readonly watchers = new Set<() => void>();
  private count = 0;
  private timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(readonly drafts: Drafts) {}

  get(id: string): FunctionDocs {
    return this.open.get(id) ?? none;
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** How many changes there were: another number, another state. */
  changes = (): number => this.count;

  /** Whether any function but those of other agents has unsaved text. */
  isDirty(id: string): boolean {
    const docs = this.get(id);
    return parts.some((p) => (docs[p] ? isDirty(docs[p]) : this.drafts.waits(id, p)));
  }

  conflict(id: string): Part | undefined {
    const docs = this.get(id);
    return parts.find((p) => docs[p] && hasConflict(docs[p]));
  }

  /** The platform's present view of a function: clean texts follow, edited ones learn of it. */
  stored(id: string, work: Pick<WorkFunction, 'source' | 'manifest'>): void {
    this.update(id, (docs) => {
      for (const part of parts) docs[part] = this.follow(id, part, docs, fileOf(work[part]));
    });
  }

  /** The function was removed from under an edit: all of its texts are new files now, and none is lost. */
  gone(id: string): void {
    this.update(id, (docs) => {
      for (const part of parts) if (docs[part]) docs[part] = removed(docs[part]);
    });
  }

  edit(id: string, part: Part, text: string): void {
    this.update(id, (docs) => {
      const doc = docs[part];
      if (doc) docs[part] = edited(doc, text);
    });
  }

  /** Another version is stored: the answer to a save that came too late. */
  conflicted(id: string, conflict: SaveConflict): void {
    this.update(id, (docs) => {
      for (const part of parts) {
        const doc = docs[part];
        const now = fileOf(conflict[part]);
        if (doc && now) docs[part] = storedNow(doc, now);
      }
    });
  }

  resolve(id: string, part: Part, text: string): void {
    this.update(id, (docs) => {
      const doc = docs[part];
      if (doc) docs[part] = resolved(doc, text);
    });
  }

  /** The body of a save: what was edited, with the versions it was based on. */
  request(id: string): SaveRequest | undefined {
    const { source, manifest } = this.get(id);
    const request: SaveRequest = {};
    if (source && isDirty(source)) Object.assign(request, { source: source.mine, sourceBase: source.base.sha256 });
    if (manifest && isDirty(manifest)) Object.assign(request, { manifest: manifest.mine, manifestBase: manifest.base.sha256 });
    return request.source === undefined && request.manifest === undefined ? undefined : request;
  }

  /** A save succeeded: sent is what it sent, now what is stored. */
  saved(id: string, sent: SaveRequest, now: Pick<WorkFunction, 'source' | 'manifest'>): void {
    this.update(id, (docs) => {
      for (const part of parts) {
        const doc = docs[part];
        const file = fileOf(now[part]);
        if (!doc || !file) continue;
        const sentText = sent[part];
        // What was typed while the save was on its way stays an edit.
        docs[part] = sentText === undefined ? storedNow(doc, file) : { base: file, mine: doc.mine === sentText ? file.text : doc.mine };
      }
    });
  }

  /** The function is gone and its edits are not wanted any more. */
  forget(id: string): void {
    this.open.delete(id);
    for (const part of parts) this.drafts.keep(id, part, undefined);
    this.tell();
  }

  /** The text that came back is wanted: nothing more to say about it. */
  keepRestored(id: string): void {
    this.update(id, (docs) => void (docs.restoredFrom = undefined));
  }

  /** Throws away what is not saved, and gives what brings it back. */
  discard(id: string): () => void {
    const before = this.get(id);
    this.update(id, (docs) => {
      for (const part of parts) {
        const doc = docs[part];
        if (doc) docs[part] = doc.theirs || doc.base.sha256 ? openDoc(doc.theirs ?? doc.base) : undefined;
      }
    });
    this.keepDrafts(id);
    return () =>
      this.update(id, (docs) => {
        for (const part of parts) {
          const now = docs[part]?.base;
          const doc = before[part];
          if (doc && isDirty(doc)) docs[part] = now ? storedNow({ base: doc.base, mine: doc.mine }, now) : removed(doc);
        }
      });
  }

  private follow(id: string, part: Part, docs: FunctionDocs, now: Stored | undefined): Doc | undefined {
    const doc = docs[part];
    if (!doc) {
      const draft = this.drafts.take(id, part);
      if (!draft) return now && openDoc(now);
      const kept: Doc = { base: draft.base, mine: draft.mine };
      const back = now ? storedNow(kept, now) : draft.mine === draft.base.text ? undefined : removed(kept);
      if (back && isDirty(back)) docs.restoredFrom = draft.at;
      return back;
    }
    if (now) return storedNow(doc, now);
    // The file is gone: an edited text stays and would be written anew.
    return isDirty(doc) ? removed(doc) : undefined;
  }

  private update(id: string, change: (docs: FunctionDocs) => void): void {
    const before = this.get(id);
    const after = { ...before };
    change(after);
    if (!parts.some((p) => after[p] && isDirty(after[p]))) after.restoredFrom = undefined;
    if (parts.every((p) => before[p] === after[p]) && before.restoredFrom === after.restoredFrom && this.open.has(id)) return;
    this.open.set(id, after);
    // The time runs from the first change: who types on and on is kept as well.
    if (!this.timers.has(id)) this.timers.set(id, setTimeout(() => this.keepDrafts(id), keepMs));
    this.tell();
  }

  /** Keeps the drafts of a function now; last is for a page that goes away. */
  keepDrafts(id: string, last = false): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    const docs = this.get(id);
    for (const part of parts) {
      const doc = docs[part];
      this.drafts.keep(id, part, doc && isDirty(doc) ? { base: doc.base, mine: doc.mine, at: new Date().toISOString() } : undefined, last);
    }
  }

  /** Keeps what waits to be kept; last is for a page that goes away. */
  flush(last = false): void {
    for (const id of last ? [...this.open.keys()] : [...this.timers.keys()]) this.keepDrafts(id, last);
  }

  private tell(): void {
    this.count++;
    for (const watcher of this.watchers) watcher();
  }
}

const none: FunctionDocs = {};
const keepMs = 400;

function fileOf(file: WorkFile | undefined): Stored | undefined {
  return file && { text: file.text, sha256: file.sha256 };
}
