import { ActionIcon, Button, Select, Textarea, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { t } from '../../../i18n/t';
import { methods, type Built, type Pair, type RunInput } from './input';
import classes from './InputForm.module.css';
import { ToolInput } from './ToolInput';

interface Props {
  input: RunInput;
  built: Built;
  /** The JSON Schema of the arguments, if the function has one. */
  parameters: unknown;
  onChange: (part: Partial<RunInput>) => void;
}

/** The fields of the chosen kind of call. */
export function InputForm({ input, built, parameters, onChange }: Props) {
  const problem = (field: string) => (!built.ok && built.field === field ? built.problem : undefined);
  switch (input.kind) {
    case 'tool':
      return <ToolInput input={input} parameters={parameters} problem={problem('args')} onChange={onChange} />;
    case 'http':
      return (
        <>
          <div className={classes.request}>
            <Select label={t('Method')} data={methods} value={input.method} allowDeselect={false} onChange={(method) => onChange({ method: method ?? 'GET' })} />
            <TextInput label={t('Path')} classNames={{ input: classes.code }} spellCheck={false} value={input.path} error={problem('path')} onChange={(e) => onChange({ path: e.currentTarget.value })} />
          </div>
          <Pairs label={t('Query')} name={t('query parameter')} pairs={input.query} onChange={(query) => onChange({ query })} />
          <Pairs label={t('Headers')} name={t('header')} pairs={input.headers} onChange={(headers) => onChange({ headers })} />
          <Textarea
            label={t('Body')}
            description={t('JSON is sent as its value, anything else as text')}
            classNames={{ input: classes.code }}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            value={input.body}
            onChange={(e) => onChange({ body: e.currentTarget.value })}
          />
        </>
      );
    case 'cron':
      return <p className={classes.note}>{t('Runs as a schedule would: with an empty body and no caller.')}</p>;
  }
}

function Pairs({ label, name, pairs, onChange }: { label: string; name: string; pairs: readonly Pair[]; onChange: (pairs: Pair[]) => void }) {
  const set = (i: number, part: Partial<Pair>) => onChange(pairs.map((p, j) => (j === i ? { ...p, ...part } : p)));
  return (
    <fieldset className={classes.pairs}>
      <legend className={classes.legend}>
        {label}
        <Button variant="subtle" size="compact-xs" leftSection={<Plus size={12} />} aria-label={t('Add a {name}', { name })} onClick={() => onChange([...pairs, { name: '', value: '' }])}>
          {t('Add')}
        </Button>
      </legend>
      {pairs.map((p, i) => (
        <div key={i} className={classes.pair}>
          <TextInput aria-label={t('Name of {name} {n}', { name, n: i + 1 })} placeholder={t('name')} classNames={{ input: classes.code }} spellCheck={false} value={p.name} onChange={(e) => set(i, { name: e.currentTarget.value })} />
          <TextInput aria-label={t('Value of {name} {n}', { name, n: i + 1 })} placeholder={t('value')} classNames={{ input: classes.code }} spellCheck={false} value={p.value} onChange={(e) => set(i, { value: e.currentTarget.value })} />
          <ActionIcon aria-label={t('Remove {name} {n}', { name, n: i + 1 })} onClick={() => onChange(pairs.filter((_, j) => j !== i))}>
            <X size={14} />
          </ActionIcon>
        </div>
      ))}
    </fieldset>
  );
}
