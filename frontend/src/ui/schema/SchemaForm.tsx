import { useMemo, useRef } from 'react';
import { moveDrafts, pointer, replaceDraft, setAt, type Drafts, type Path } from './edit';
import { Field } from './Field';
import { FormContext, type FormState } from './FormContext';
import { isObject } from './schema';
import classes from './SchemaForm.module.css';

interface Props {
  schema: unknown;
  value: unknown;
  drafts: Drafts;
  onChange: (value: unknown, drafts: Drafts) => void;
  label: string;
}

/**
 * A form made from a JSON Schema. It shows every value, also one that the schema
 * does not know or allow, and keeps every text: what is no value of its field
 * yet is held as a draft beside the value, and the caller decides what that
 * stops. Nothing is compiled or evaluated.
 */
export function SchemaForm({ schema, value, drafts, onChange, label }: Props) {
  const left = useRef(new Map<string, unknown>());
  const form = useMemo<FormState>(() => {
    const itemsAt = (list: Path): unknown[] => {
      let at: unknown = value;
      for (const p of list) at = (at as Record<string | number, unknown> | undefined)?.[p];
      return Array.isArray(at) ? at.slice() : [];
    };
    return {
      root: isObject(schema) ? schema : {},
      drafts,
      left: left.current,
      put: (path, v, draft) => onChange(setAt(value, path, v), replaceDraft(drafts, pointer(path), draft)),
      hold: (path, draft) => onChange(value, replaceDraft(drafts, pointer(path), draft)),
      drop(list, index) {
        const items = itemsAt(list);
        items.splice(index, 1);
        onChange(setAt(value, list, items), moveDrafts(drafts, pointer(list), (i) => (i === index ? undefined : i > index ? i - 1 : i)));
      },
      raise(list, index) {
        const items = itemsAt(list);
        [items[index - 1], items[index]] = [items[index], items[index - 1]];
        onChange(setAt(value, list, items), moveDrafts(drafts, pointer(list), (i) => (i === index ? index - 1 : i === index - 1 ? index : i)));
      },
    };
  }, [schema, value, drafts, onChange]);
  return (
    <FormContext value={form}>
      <div className={classes.form} role="group" aria-label={label}>
        <Field schema={form.root} path={[]} label="" value={value} required />
      </div>
    </FormContext>
  );
}
