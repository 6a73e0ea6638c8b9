import { useMemo, useState } from 'react';
import { t } from '../../i18n/t';
import { patchJson } from '../../manifest/patch';
import { parseJson } from '../../ui/json';
import type { Drafts } from '../../ui/schema/edit';
import { isObject } from '../../ui/schema/schema';
import { SchemaForm } from '../../ui/schema/SchemaForm';
import { manifestSchema } from './editor/manifestSchema';
import classes from './ManifestForm.module.css';
import { ParametersBuilder } from './ParametersBuilder';

const { parameters: _, ...properties } = manifestSchema.properties;
const schema = { ...manifestSchema, properties, additionalProperties: false };

/** A manifest as a form: permissions and limits from their schema, parameters by a builder. */
export function ManifestForm({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const parsed = useMemo(() => parseJson(text), [text]);
  const [drafts, setDrafts] = useState<Drafts>({});
  if (!parsed.ok || !isObject(parsed.value)) {
    return <p className={classes.note}>{t('The manifest is no JSON object now{what}. It can be edited as JSON.', { what: parsed.ok ? '' : `: ${parsed.problem}` })}</p>;
  }
  const manifest = parsed.value;
  const { parameters, ...rest } = manifest;
  // The parameters keep the place they had.
  const put = (next: Record<string, unknown>) => {
    const order = Object.keys(manifest);
    const entries = Object.entries(next).sort(([a], [b]) => place(order, a) - place(order, b));
    onChange(patchJson(text, Object.fromEntries(entries)));
  };
  return (
    <div className={classes.form}>
      <SchemaForm
        schema={schema}
        label={t('Manifest')}
        value={rest}
        drafts={drafts}
        onChange={(value, next) => {
          setDrafts(next);
          if (value !== rest && isObject(value)) put(parameters === undefined ? value : { ...value, parameters });
        }}
      />
      <ParametersBuilder
        schema={parameters}
        onChange={(next) => {
          if (next === undefined) put(rest);
          else put({ ...rest, parameters: next });
        }}
      />
    </div>
  );
}

const usual = Object.keys(manifestSchema.properties);

/** Where a key stands; one that is new comes behind those that usually stand before it. */
function place(order: readonly string[], key: string): number {
  const at = order.indexOf(key);
  if (at >= 0) return at;
  const before = usual.slice(0, usual.indexOf(key) + 1);
  return order.length && before.length ? order.findLastIndex((k) => before.includes(k)) + 0.5 : order.length;
}
