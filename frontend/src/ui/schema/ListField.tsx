import { Button } from '@mantine/core';
import { ArrowUp, Plus, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { t } from '../../i18n/t';
import { startOf } from './example';
import { Field } from './Field';
import { useForm, type FieldProps } from './FormContext';
import { itemsOf, problemOf, tupleOf, type Schema } from './schema';
import classes from './SchemaForm.module.css';

/** Items shown before the rest waits behind a button. */
const shownAtOnce = 50;

/** The items of a list, or of a tuple. */
export function ListField({ schema, path, label, value, tail }: FieldProps & { tail: ReactNode }) {
  const form = useForm();
  const [all, setAll] = useState(false);
  const items = Array.isArray(value) ? value : undefined;
  const fixed = tupleOf(schema);
  const rest = itemsOf(schema);
  const schemaOf = (i: number): unknown => (fixed && i < fixed.length ? fixed[i] : rest === false ? {} : rest);
  const add = () => form.put([...path, items?.length ?? 0], startOf(schemaOf(items?.length ?? 0), form.root));
  const most = Math.min(typeof schema.maxItems === 'number' ? schema.maxItems : Infinity, rest === false ? (fixed?.length ?? 0) : Infinity);
  const full = (items?.length ?? 0) >= most;
  const shown = all ? (items ?? []) : (items ?? []).slice(0, shownAtOnce);
  const name = label || t('List');
  const problem = problemOf(schema as Schema, value);
  return (
    <fieldset className={classes.object}>
      <legend className={classes.legend}>
        {name} <span className={classes.count}>{items ? items.length : t('not set')}</span>
        {tail}
      </legend>
      {typeof schema.description === 'string' && <p className={classes.description}>{schema.description}</p>}
      {shown.map((item, i) => (
        <div key={i} className={classes.item}>
          <div className={classes.grow}>
            <Field schema={schemaOf(i)} path={[...path, i]} label={`${name} ${i + 1}`} value={item} required />
          </div>
          {i > 0 && (
            <button type="button" className={classes.small} aria-label={t('Move {name} {n} up', { name, n: i + 1 })} onClick={() => form.raise(path, i)}>
              <ArrowUp size={12} />
            </button>
          )}
          <button type="button" className={classes.small} aria-label={t('Remove {name} {n}', { name, n: i + 1 })} onClick={() => form.drop(path, i)}>
            <X size={12} />
          </button>
        </div>
      ))}
      {shown.length < (items?.length ?? 0) && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
          {t('Show all {items}', { items: items?.length })}
        </Button>
      )}
      {problem && <p className={classes.problem}>{problem}</p>}
      <div className={classes.adds}>
        <Button size="compact-xs" variant="subtle" leftSection={<Plus size={12} />} disabled={full} aria-label={t('Add to {name}', { name })} onClick={add}>
          {t('Add')}
        </Button>
        {!items && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => form.put(path, [])}>
            {t('Make it empty')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
