import { Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { t } from '../../i18n/t';
import { pointer } from './edit';
import { useForm, type FieldProps } from './FormContext';
import { Line } from './Line';
import { formatHint, problemOf, same } from './schema';
import classes from './SchemaForm.module.css';

type Props = FieldProps & { tail: ReactNode };

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Label, description and mark of a field. */
function named({ schema, path, label, required }: FieldProps) {
  return { label: label || t('Value'), description: textOf(schema.description), withAsterisk: required && typeof path.at(-1) === 'string', spellCheck: false as const };
}

export function TextField(props: Props) {
  const form = useForm();
  const { schema, path, value, tail } = props;
  const text = typeof value === 'string' ? value : '';
  const long = schema.format === 'textarea' || text.includes('\n') || text.length > 120 || (typeof schema.maxLength === 'number' && schema.maxLength > 500);
  const shared = {
    ...named(props),
    value: text,
    placeholder: value === undefined ? t('not set') : formatHint(schema.format),
    error: value === undefined ? undefined : problemOf(schema, value),
  };
  const put = (next: string) => form.put(path, next);
  const fill = filler(schema.format);
  return (
    <Line
      tail={
        <>
          {fill && (
            <button type="button" className={classes.small} aria-label={`${fill.word} ${props.label}`} onClick={() => put(fill.make())}>
              {fill.word}
            </button>
          )}
          {tail}
        </>
      }
    >
      {long ? (
        <Textarea {...shared} autosize minRows={2} maxRows={10} onChange={(e) => put(e.currentTarget.value)} />
      ) : (
        <TextInput {...shared} onChange={(e) => put(e.currentTarget.value)} />
      )}
    </Line>
  );
}

function filler(format: unknown): { word: string; make: () => string } | undefined {
  if (format === 'date-time') return { word: t('now'), make: () => new Date().toISOString() };
  if (format === 'date') return { word: t('today'), make: () => new Date().toISOString().slice(0, 10) };
  if (format === 'uuid') return { word: t('new'), make: () => crypto.randomUUID() };
  return undefined;
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export function NumberField(props: Props) {
  const form = useForm();
  const { schema, path, value, tail } = props;
  const at = pointer(path);
  const draft = form.drafts[at];
  const [typed, setTyped] = useState<string>();
  const shown = draft?.text ?? (typed !== undefined && Number(typed) === value ? typed : typeof value === 'number' ? String(value) : '');
  const change = (text: string) => {
    setTyped(text);
    const trimmed = text.trim();
    if (trimmed === '') return form.put(path, undefined, props.required ? { text, problem: t('a number is needed') } : undefined);
    const n = Number(trimmed);
    if (!jsonNumber.test(trimmed) || !Number.isFinite(n)) return form.hold(path, { text, problem: t('not a number') });
    if (Number.isInteger(n) && !Number.isSafeInteger(n)) return form.hold(path, { text, problem: t('too many digits for a form; put it in under JSON') });
    if (schema.type === 'integer' && !Number.isInteger(n)) return form.hold(path, { text, problem: t('not a whole number') });
    form.put(path, n);
  };
  return (
    <Line tail={tail}>
      <TextInput {...named(props)} inputMode="decimal" value={shown} placeholder={value === undefined ? t('not set') : undefined} error={draft?.problem ?? problemOf(schema, value)} onChange={(e) => change(e.currentTarget.value)} />
    </Line>
  );
}

export function BooleanField(props: Props) {
  const form = useForm();
  const id = useId();
  const { schema, path, label, value, required, tail } = props;
  const data = [
    ...(required && value !== undefined ? [] : [{ value: '', label: t('Not set') }]),
    { value: 'true', label: t('True') },
    { value: 'false', label: t('False') },
  ];
  return (
    <Line tail={tail}>
      <div>
        <span className={classes.label} id={id}>
          {label || t('Value')}
        </span>
        {textOf(schema.description) && <span className={classes.description}>{textOf(schema.description)}</span>}
        <SegmentedControl aria-labelledby={id} value={value === undefined ? '' : String(value)} data={data} onChange={(v) => form.put(path, v === '' ? undefined : v === 'true')} />
      </div>
    </Line>
  );
}

export function EnumField(props: Props) {
  const form = useForm();
  const { schema, path, value, tail } = props;
  const all = schema.enum as unknown[];
  const known = all.some((e) => same(e, value));
  const key = (v: unknown) => JSON.stringify(v) ?? '';
  const word = (v: unknown) => (typeof v === 'string' ? v || t('(empty)') : key(v));
  const data = [...all.map((e) => ({ value: key(e), label: word(e) }))];
  if (value !== undefined && !known) data.push({ value: key(value), label: t('{word} (not allowed)', { word: word(value) }) });
  return (
    <Line tail={tail}>
      <Select
        {...named(props)}
        data={data.filter((d, i) => data.findIndex((e) => e.value === d.value) === i)}
        value={value === undefined ? null : key(value)}
        placeholder={t('not set')}
        searchable={data.length > 8}
        allowDeselect={false}
        error={value !== undefined && !known ? t('not one of the allowed values') : undefined}
        onChange={(v) => v !== null && form.put(path, JSON.parse(v))}
      />
    </Line>
  );
}

export function ConstField({ schema, path, label, value, tail }: Props) {
  const form = useForm();
  const set = same(value, schema.const);
  return (
    <Line tail={tail}>
      <div>
        <span className={classes.label}>{label || t('Value')}</span>
        {textOf(schema.description) && <span className={classes.description}>{textOf(schema.description)}</span>}
        <code className={classes.const}>{value === undefined ? t('not set') : JSON.stringify(value)}</code>
        {!set && (
          <Button size="compact-xs" variant="default" onClick={() => form.put(path, schema.const)}>
            {t('Set to {const}', { const: JSON.stringify(schema.const) })}
          </Button>
        )}
      </div>
    </Line>
  );
}

/** A value as JSON: for what has no schema, or does not have the shape of its schema. */
export function RawField(props: Props) {
  const form = useForm();
  const { path, value, tail } = props;
  const draft = form.drafts[pointer(path)];
  const [typed, setTyped] = useState<string>();
  const stored = value === undefined ? '' : JSON.stringify(value, null, 2);
  const shown = draft?.text ?? (typed !== undefined && stands(typed, value) ? typed : stored);
  const change = (text: string) => {
    setTyped(text);
    if (text.trim() === '') return form.put(path, undefined);
    try {
      form.put(path, JSON.parse(text));
    } catch (error) {
      form.hold(path, { text, problem: (error as Error).message });
    }
  };
  return (
    <Line tail={tail}>
      <Textarea {...named(props)} classNames={{ input: classes.code }} autosize minRows={1} maxRows={12} placeholder={t('not set (JSON)')} value={shown} error={draft?.problem} onChange={(e) => change(e.currentTarget.value)} />
    </Line>
  );
}

function stands(text: string, value: unknown): boolean {
  try {
    return text.trim() === '' ? value === undefined : same(JSON.parse(text), value);
  } catch {
    return false;
  }
}
