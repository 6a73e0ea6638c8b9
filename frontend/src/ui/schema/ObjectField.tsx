import { Button, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { t } from '../../i18n/t';
import { startOf } from './example';
import { Field } from './Field';
import { useForm, type FieldProps } from './FormContext';
import { isObject, matches, texts, type Schema } from './schema';
import classes from './SchemaForm.module.css';

/** The properties of an object: those of its schema, then those it has beside. */
export function ObjectField({ schema, path, label, value, required, tail }: FieldProps & { tail: ReactNode }) {
  const form = useForm();
  const properties = isObject(schema.properties) ? schema.properties : {};
  const needed = texts(schema.required);
  const root = path.length === 0;
  const here = isObject(value) ? value : undefined;
  if (!here && !root) {
    return (
      <div className={classes.absent}>
        <span className={classes.label}>
          {label}
          {required && ' *'}
        </span>
        <Button size="compact-xs" variant="default" leftSection={<Plus size={12} />} aria-label={t('Add {label}', { label })} onClick={() => form.put(path, startOf(schema, form.root))}>
          {t('Add')}
        </Button>
        {typeof schema.description === 'string' && <span className={classes.description}>{schema.description}</span>}
      </div>
    );
  }
  const extra = Object.keys(here ?? {}).filter((name) => !Object.hasOwn(properties, name));
  const rows = (
    <>
      {Object.entries(properties).map(([name, sub]) => (
        <Field key={name} schema={sub} path={[...path, name]} label={name} value={here && Object.hasOwn(here, name) ? here[name] : undefined} required={needed.includes(name)} />
      ))}
      {extra.map((name) => (
        <Field
          key={name}
          schema={besides(schema, name) ?? {}}
          path={[...path, name]}
          label={besides(schema, name) === undefined ? t('{name} (not in the schema)', { name }) : name}
          value={here?.[name]}
          required={false}
        />
      ))}
      {(schema.additionalProperties !== false || isObject(schema.patternProperties)) && <AddProperty taken={(name) => Object.hasOwn(here ?? {}, name) || Object.hasOwn(properties, name)} of={label} onAdd={(name) => form.put([...path, name], startOf(besides(schema, name) ?? {}, form.root))} />}
      {root && Object.keys(properties).length === 0 && extra.length === 0 && <p className={classes.description}>{t('No parameters.')}</p>}
    </>
  );
  if (root) return rows;
  return (
    <fieldset className={classes.object}>
      <legend className={classes.legend}>
        {typeof schema.title === 'string' && schema.title !== label ? `${label} · ${schema.title}` : label}
        {tail}
      </legend>
      {typeof schema.description === 'string' && <p className={classes.description}>{schema.description}</p>}
      {rows}
    </fieldset>
  );
}

/** The schema of a property that is not named in its object's; undefined where there may be none. */
function besides(schema: Schema, name: string): unknown {
  for (const [pattern, sub] of Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {})) {
    if (matches(pattern, name)) return sub;
  }
  return schema.additionalProperties === false ? undefined : (schema.additionalProperties ?? {});
}

function AddProperty({ taken, of, onAdd }: { taken: (name: string) => boolean; of: string; onAdd: (name: string) => void }) {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return (
      <Button className={classes.add} size="compact-xs" variant="subtle" leftSection={<Plus size={12} />} onClick={() => setName('')}>
        {of ? t('Add a property to {of}', { of }) : t('Add a property')}
      </Button>
    );
  }
  const add = () => {
    if (!name.trim() || taken(name.trim())) return;
    onAdd(name.trim());
    setName(undefined);
  };
  return (
    <div className={classes.line}>
      <TextInput
        className={classes.grow}
        label={t('Name of the property')}
        ref={(el: HTMLInputElement | null) => void el?.focus()}
        value={name}
        error={taken(name.trim()) ? t('is there already') : undefined}
        onChange={(e) => setName(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') {
            e.preventDefault();
            add();
          } else if (e.key === 'Escape') {
            e.stopPropagation();
            setName(undefined);
          }
        }}
      />
      <Button onClick={add} disabled={!name.trim() || taken(name.trim())}>
        {t('Add')}
      </Button>
    </div>
  );
}
