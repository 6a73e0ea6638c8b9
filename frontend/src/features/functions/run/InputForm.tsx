import { ActionIcon, Button, Select, Textarea, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
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
            <Select label="Method" data={methods} value={input.method} allowDeselect={false} onChange={(method) => onChange({ method: method ?? 'GET' })} />
            <TextInput label="Path" classNames={{ input: classes.code }} spellCheck={false} value={input.path} error={problem('path')} onChange={(e) => onChange({ path: e.currentTarget.value })} />
          </div>
          <Pairs label="Query" name="query parameter" pairs={input.query} onChange={(query) => onChange({ query })} />
          <Pairs label="Headers" name="header" pairs={input.headers} onChange={(headers) => onChange({ headers })} />
          <Textarea
            label="Body"
            description="JSON is sent as its value, anything else as text"
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
      return <p className={classes.note}>Runs as a schedule would: with an empty body and no caller.</p>;
  }
}

function Pairs({ label, name, pairs, onChange }: { label: string; name: string; pairs: readonly Pair[]; onChange: (pairs: Pair[]) => void }) {
  const set = (i: number, part: Partial<Pair>) => onChange(pairs.map((p, j) => (j === i ? { ...p, ...part } : p)));
  return (
    <fieldset className={classes.pairs}>
      <legend className={classes.legend}>
        {label}
        <Button variant="subtle" size="compact-xs" leftSection={<Plus size={12} />} aria-label={`Add a ${name}`} onClick={() => onChange([...pairs, { name: '', value: '' }])}>
          Add
        </Button>
      </legend>
      {pairs.map((p, i) => (
        <div key={i} className={classes.pair}>
          <TextInput aria-label={`Name of ${name} ${i + 1}`} placeholder="name" classNames={{ input: classes.code }} spellCheck={false} value={p.name} onChange={(e) => set(i, { name: e.currentTarget.value })} />
          <TextInput aria-label={`Value of ${name} ${i + 1}`} placeholder="value" classNames={{ input: classes.code }} spellCheck={false} value={p.value} onChange={(e) => set(i, { value: e.currentTarget.value })} />
          <ActionIcon aria-label={`Remove ${name} ${i + 1}`} onClick={() => onChange(pairs.filter((_, j) => j !== i))}>
            <X size={14} />
          </ActionIcon>
        </div>
      ))}
    </fieldset>
  );
}
