import { createContext, useContext } from 'react';
import type { Draft, Drafts, Path } from './edit';
import type { Schema } from './schema';

/** What every field of a form shares. */
export interface FormState {
  root: Schema;
  drafts: Drafts;
  /** Puts a value at a path; undefined leaves it out. A draft is a text that is no value yet. */
  put: (path: Path, value: unknown, draft?: Draft) => void;
  /** Keeps a text that is no value of its field. */
  hold: (path: Path, draft: Draft) => void;
  /** Takes an item out of a list, or exchanges it with the one before. */
  drop: (list: Path, index: number) => void;
  raise: (list: Path, index: number) => void;
  /** Values of ways that were left, so that going back finds them again. */
  left: Map<string, unknown>;
}

export const FormContext = createContext<FormState | undefined>(undefined);

export function useForm(): FormState {
  const form = useContext(FormContext);
  if (!form) throw new Error('a field needs a SchemaForm above it');
  return form;
}

export interface FieldProps {
  schema: Schema;
  path: Path;
  label: string;
  value: unknown;
  required: boolean;
}
