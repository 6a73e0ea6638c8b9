import type { SaveConflict, SaveRequest, WorkFile, WorkFunction } from '../../api/contract.gen';
import { readStored, writeStored } from '../../ui/stored';
import { edited, hasConflict, isDirty, openDoc, removed, resolved, storedNow, type Doc, type Stored } from './doc';

export const parts = ['source', 'manifest'] as const;
export type Part = (typeof parts)[number];

/** The files of one function as the page holds them. */
export interface FunctionDocs {
  source?: Doc;
  manifest?: Doc;
}

interface Draft {
  base: Stored;
  mine: string;
}

/**
 * Docs holds every function that was opened, with its edits. Edits are kept in
 * the browser as well, so that a closed page or a crash loses none; a draft
 * whose base is no longer stored comes back as a conflict, never as a loss.
 */
export class Docs {
  private readonly open = new Map<string, FunctionDocs>();
  private readonly watchers = new Set<() => void>();
  private timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** scope keeps drafts of different platforms apart: the data id. */
  constructor(private readonly scope: string) {}

  get(id: string): FunctionDocs {
    return this.open.get(id) ?? none;
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Whether any function but those of other agents has unsaved text. */
  isDirty(id: string): boolean {
    const docs = this.get(id);
    return parts.some((p) => docs[p] && isDirty(docs[p]));
  }

  conflict(id: string): Part | undefined {
    const docs = this.get(id);
    return parts.find((p) => docs[p] && hasConflict(docs[p]));
  }

  /** The platform's present view of a function: clean texts follow, edited ones learn of it. */
  stored(id: string, work: Pick<WorkFunction, 'source' | 'manifest'>): void {
    this.update(id, (docs) => {
      for (const part of parts) docs[part] = this.follow(id, part, docs[part], fileOf(work[part]));
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
    for (const part of parts) writeStored(this.draftKey(id, part), undefined);
    this.tell();
  }

  private follow(id: string, part: Part, doc: Doc | undefined, now: Stored | undefined): Doc | undefined {
    if (!doc) {
      if (!now) return undefined;
      const draft = readStored<Draft | undefined>(this.draftKey(id, part), undefined);
      return draft ? storedNow({ base: draft.base, mine: draft.mine }, now) : openDoc(now);
    }
    if (now) return storedNow(doc, now);
    // The file is gone: an edited text stays and would be written anew.
    return isDirty(doc) ? removed(doc) : undefined;
  }

  private update(id: string, change: (docs: FunctionDocs) => void): void {
    const before = this.get(id);
    const after = { ...before };
    change(after);
    if (parts.every((p) => before[p] === after[p]) && this.open.has(id)) return;
    this.open.set(id, after);
    clearTimeout(this.timers.get(id));
    this.timers.set(id, setTimeout(() => this.keepDrafts(id), 250));
    this.tell();
  }

  /** Writes the drafts of a function to the browser now. */
  keepDrafts(id: string): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    const docs = this.get(id);
    for (const part of parts) {
      const doc = docs[part];
      const draft: Draft | undefined = doc && isDirty(doc) ? { base: doc.base, mine: doc.mine } : undefined;
      writeStored(this.draftKey(id, part), draft);
    }
  }

  /** Writes what waits to be written; called before the page goes away. */
  flush(): void {
    for (const id of [...this.timers.keys()]) this.keepDrafts(id);
  }

  private draftKey(id: string, part: Part): string {
    return `draft:${this.scope}:${id}:${part}`;
  }

  private tell(): void {
    for (const watcher of this.watchers) watcher();
  }
}

const none: FunctionDocs = {};

function fileOf(file: WorkFile | undefined): Stored | undefined {
  return file && { text: file.text, sha256: file.sha256 };
}
