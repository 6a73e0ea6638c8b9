import { Button, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../i18n/t';
import { pointer } from './edit';
import { startOf } from './example';
import { useForm, type FieldProps } from './FormContext';
import { Line } from './Line';
import { ListField } from './ListField';
import { ObjectField } from './ObjectField';
import { choicesOf, fits, isNullable, isObject, kindOf, only, resolved, type Choice, type Schema } from './schema';
import { BooleanField, ConstField, EnumField, NumberField, RawField, TextField } from './scalars';
import classes from './SchemaForm.module.css';

/** One value of the form, whatever its schema is. */
export function Field(props: Omit<FieldProps, 'schema'> & { schema: unknown }) {
  const form = useForm();
  const { path, label, value } = props;
  const whole = resolved(props.schema, form.root);
  const kind = kindOf(whole, form.root);
  const at = { ...props, schema: whole };
  if (kind !== 'choice' && kind !== 'enum' && kind !== 'const' && value === null && (isNullable(whole) || whole.type === 'null')) {
    return (
      <div className={classes.null}>
        <span className={classes.label}>{label}</span>
        <span className={classes.word}>null</span>
        {whole.type !== 'null' && (
          <Button size="compact-xs" variant="default" aria-label={t('Give {label} a value', { label: label || t('it') })} onClick={() => form.put(path, startOf(valued(only(whole, form.root)), form.root))}>
            {t('Give a value')}
          </Button>
        )}
        <Without {...at} />
      </div>
    );
  }
  if (kind === 'choice') return <ChoiceField {...at} choices={[...choicesOf(whole, form.root), ...(isNullable(whole) ? [{ label: 'null', schema: { type: 'null' } }] : [])]} />;
  return <Plain {...at} schema={only(whole, form.root)} nullable={isNullable(whole)} />;
}

/** A field that has one way only. */
function Plain(props: FieldProps & { nullable: boolean }) {
  const form = useForm();
  const { schema, value } = props;
  const kind = kindOf(schema, form.root);
  const tail = (
    <>
      {props.nullable && value !== null && kind !== 'enum' && kind !== 'const' && (
        <button type="button" className={classes.small} aria-label={t('Make {label} null', { label: props.label || t('it') })} onClick={() => form.put(props.path, null)}>
          null
        </button>
      )}
      <Without {...props} />
    </>
  );
  const held = form.drafts[pointer(props.path)] !== undefined;
  switch (kind) {
    case 'const':
      return <ConstField {...props} tail={tail} />;
    case 'enum':
      return <EnumField {...props} tail={tail} />;
    case 'object':
      if (value === undefined || isObject(value)) return <ObjectField {...props} tail={tail} />;
      break;
    case 'array':
      if (value === undefined || Array.isArray(value)) return <ListField {...props} tail={tail} />;
      break;
    case 'string':
      if (value === undefined || typeof value === 'string') return <TextField {...props} tail={tail} />;
      break;
    case 'number':
    case 'integer':
      if (value === undefined || typeof value === 'number' || held) return <NumberField {...props} tail={tail} />;
      break;
    case 'boolean':
      if (value === undefined || typeof value === 'boolean') return <BooleanField {...props} tail={tail} />;
      break;
  }
  return <RawField {...props} tail={tail} />;
}

/** Chooses between the ways of oneOf, anyOf or several types. */
function ChoiceField({ choices, ...props }: FieldProps & { choices: Choice[] }) {
  const form = useForm();
  const { path, label, value } = props;
  const [picked, setPicked] = useState<number>();
  const fitting = choices.findIndex((c) => fits(c.schema, value, form.root));
  const held = value === undefined ? undefined : picked;
  const index = held !== undefined && (fitting < 0 || fits(choices[held]!.schema, value, form.root)) ? held : fitting;
  const at = pointer(path);
  const pick = (text: string | null) => {
    const next = Number(text);
    if (text === null || next === index) return;
    if (index >= 0 && value !== undefined) form.left.set(`${at}#${index}`, value);
    const before = form.left.get(`${at}#${next}`);
    setPicked(next);
    form.put(path, before !== undefined ? before : startOf(choices[next]!.schema, form.root));
  };
  return (
    <div className={classes.choice}>
      <Line tail={<Without {...props} />}>
        <Select
          label={label ? t('{label}: kind', { label }) : t('Kind')}
          description={typeof props.schema.description === 'string' ? props.schema.description : undefined}
          placeholder={value === undefined ? t('not set') : t('none of these')}
          data={choices.map((c, i) => ({ value: String(i), label: c.label }))}
          value={index >= 0 && value !== undefined ? String(index) : null}
          allowDeselect={false}
          onChange={pick}
        />
      </Line>
      {value === undefined ? null : index >= 0 ? <Field key={index} {...props} schema={{ ...choices[index]!.schema, description: undefined }} required /> : <RawField {...props} tail={null} />}
    </div>
  );
}

/** Takes an optional value out of what is sent. */
function Without({ path, label, value, required }: FieldProps) {
  const form = useForm();
  if (required || value === undefined || path.length === 0 || typeof path.at(-1) === 'number') return null;
  return (
    <button type="button" className={classes.small} aria-label={t('Leave out {label}', { label })} title={t('Leave it out')} onClick={() => form.put(path, undefined)}>
      <X size={12} aria-hidden />
    </button>
  );
}

/** A schema that begins with a value that is not null. */
function valued(schema: Schema): Schema {
  const { default: given, ...rest } = schema;
  return given === null ? rest : schema;
}
