/** A text as it is stored: sha256 names the version, '' means there is none. */
export interface Stored {
  text: string;
  sha256: string;
}

/**
 * Doc is one file of a function as the page holds it: the stored version the
 * edit began with, the text as it is edited, and the stored version it collides
 * with, if somebody else saved meanwhile. Docs are values: every change is a new
 * one, and no change ever drops an edited text.
 */
export interface Doc {
  readonly base: Stored;
  readonly mine: string;
  readonly theirs?: Stored;
}

export const absent: Stored = { text: '', sha256: '' };

export function openDoc(stored: Stored): Doc {
  return { base: stored, mine: stored.text };
}

export function isDirty(doc: Doc): boolean {
  return doc.mine !== doc.base.text;
}

export function hasConflict(doc: Doc): boolean {
  return doc.theirs !== undefined;
}

export function edited(doc: Doc, text: string): Doc {
  return text === doc.mine ? doc : { ...doc, mine: text };
}

/** Something is stored now: a clean doc follows it, an edited one keeps its text and learns of it. */
export function storedNow(doc: Doc, now: Stored): Doc {
  if (now.sha256 === doc.base.sha256) return doc.theirs ? { base: doc.base, mine: doc.mine } : doc;
  if (!isDirty(doc) || doc.mine === now.text) return openDoc(now);
  return { ...doc, theirs: now };
}

/** The stored file is gone: the text stays, and counts as a new file. */
export function removed(doc: Doc): Doc {
  return { base: absent, mine: doc.mine };
}

/** Ends a conflict with a text that takes both versions into account. */
export function resolved(doc: Doc, text: string): Doc {
  return doc.theirs ? { base: doc.theirs, mine: text } : edited(doc, text);
}
