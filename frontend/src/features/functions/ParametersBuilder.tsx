import { ActionIcon, Button, Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../i18n/t';
import { isObject, type Schema } from '../../ui/schema/schema';
import { kindOfParameter, kinds, parametersOf, withKind, withParameters, type BuilderKind, type Parameter } from './parameters';
import classes from './ParametersBuilder.module.css';

interface Props {
  schema: unknown;
  onChange: (schema: Schema | undefined) => void;
  /** The parameter whose properties these are; none for the function's own. */
  of?: string;
}

/** Builds the JSON Schema of a function's parameters, one row each. */
export function ParametersBuilder({ schema, onChange, of = '' }: Props) {
  const list = parametersOf(schema);
  const put = (next: readonly Parameter[]) => onChange(withParameters(schema, next));
  const change = (at: number, part: Partial<Parameter>) => put(list.map((p, i) => (i === at ? { ...p, ...part } : p)));
  const add = () => {
    let n = list.length + 1;
    while (list.some((p) => p.name === `param${n}`)) n++;
    put([...list, { name: `param${n}`, schema: { type: 'string' }, required: false }]);
  };
  return (
    <fieldset className={classes.builder}>
      <legend className={classes.legend}>{of ? t('Properties of {of}', { of }) : t('Parameters')}</legend>
      {schema === undefined && <p className={classes.note}>{t('This function takes no arguments as a tool.')}</p>}
      {list.map((p, i) => (
        <Row
          key={i}
          parameter={p}
          first={i === 0}
          taken={(name) => list.some((q, j) => j !== i && q.name === name)}
          onChange={(part) => change(i, part)}
          onRemove={() => put(list.filter((_, j) => j !== i))}
          onRaise={() => put(list.map((q, j) => (j === i - 1 ? p : j === i ? list[i - 1]! : q)))}
        />
      ))}
      <div className={classes.adds}>
        <Button size="compact-xs" variant="subtle" leftSection={<Plus size={12} />} onClick={add}>
          {of ? t('Add a parameter to {of}', { of }) : t('Add a parameter')}
        </Button>
        {!of && schema !== undefined && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange(undefined)}>
            {t('Take no arguments')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface RowProps {
  parameter: Parameter;
  first: boolean;
  taken: (name: string) => boolean;
  onChange: (part: Partial<Parameter>) => void;
  onRemove: () => void;
  onRaise: () => void;
}

function Row({ parameter, first, taken, onChange, onRemove, onRaise }: RowProps) {
  const { name, required } = parameter;
  const schema: Schema = isObject(parameter.schema) ? parameter.schema : {};
  const kind = kindOfParameter(parameter.schema);
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? name;
  const wrong = !shown.trim() ? t('a name is needed') : taken(shown) ? t('is there already') : undefined;
  const set = (part: Schema) => onChange({ schema: Object.fromEntries(Object.entries({ ...schema, ...part }).filter(([, v]) => v !== undefined && v !== '')) });
  return (
    <div className={classes.row}>
      <div className={classes.line}>
        <TextInput
          className={classes.name}
          aria-label={t('Name of {name}', { name })}
          spellCheck={false}
          value={shown}
          error={wrong}
          onChange={(e) => {
            const next = e.currentTarget.value;
            setTyped(next);
            if (next.trim() && !taken(next)) onChange({ name: next });
          }}
          onBlur={() => setTyped(undefined)}
        />
        <Select
          className={classes.kind}
          aria-label={t('Type of {name}', { name })}
          data={[...kinds]}
          value={kind ?? null}
          placeholder={t('JSON only')}
          allowDeselect={false}
          onChange={(v) => v && onChange({ schema: withKind(schema, v as BuilderKind) })}
        />
        <Checkbox size="xs" label={t('required')} aria-label={t('{name} is required', { name })} checked={required} onChange={(e) => onChange({ required: e.currentTarget.checked })} />
        <span className={classes.space} />
        {!first && (
          <ActionIcon size="sm" aria-label={t('Move {name} up', { name })} onClick={onRaise}>
            <ArrowUp size={13} />
          </ActionIcon>
        )}
        <ActionIcon size="sm" aria-label={t('Remove {name}', { name })} onClick={onRemove}>
          <Trash2 size={13} />
        </ActionIcon>
      </div>
      <TextInput aria-label={t('Description of {name}', { name })} placeholder={t('What it is for; models read this')} value={typeof schema.description === 'string' ? schema.description : ''} onChange={(e) => set({ description: e.currentTarget.value })} />
      {kind === 'enum' && <TagsInput size="xs" label={t('Values of {name}', { name })} value={(schema.enum as string[]) ?? []} onChange={(values) => set({ enum: values.length ? values : ['first'] })} />}
      {kind === 'string' && (
        <Select
          label={t('Format of {name}', { name })}
          data={['date-time', 'date', 'time', 'email', 'uri', 'uuid', 'hostname', 'ipv4']}
          value={typeof schema.format === 'string' ? schema.format : null}
          placeholder={t('any text')}
          clearable
          onChange={(v) => set({ format: v ?? undefined })}
        />
      )}
      {kind === 'array' && (
        <Select
          label={t('Items of {name}', { name })}
          data={kinds.filter((k) => k !== 'array')}
          value={kindOfParameter(schema.items) ?? null}
          placeholder={t('JSON only')}
          allowDeselect={false}
          onChange={(v) => v && set({ items: withKind(isObject(schema.items) ? schema.items : {}, v as BuilderKind) })}
        />
      )}
      {kind === 'object' && <ParametersBuilder of={name} schema={schema} onChange={(next) => next && onChange({ schema: next })} />}
    </div>
  );
}
