import { SegmentedControl, Textarea } from '@mantine/core';
import { t } from '../../../i18n/t';
import { SchemaForm } from '../../../ui/schema/SchemaForm';
import { isObject } from '../../../ui/schema/schema';
import { formValue, type RunInput } from './input';
import classes from './InputForm.module.css';

interface Props {
  input: RunInput;
  parameters: unknown;
  problem: string | undefined;
  onChange: (part: Partial<RunInput>) => void;
}

const noDrafts = {};

/** The arguments of a call: a form from the parameters, and JSON beside it. */
export function ToolInput({ input, parameters, problem, onChange }: Props) {
  const schema = isObject(parameters) ? parameters : undefined;
  const shown = formValue(input.args);
  const drafts = input.drafts ?? noDrafts;
  const held = Object.keys(drafts).length > 0;
  // A text that was kept belongs to the form: it must not vanish behind the other tab.
  const as = schema && (input.as !== 'json' || held) ? 'form' : 'json';
  return (
    <div className={classes.tool}>
      {schema && (
        <div className={classes.as}>
          <span className={classes.title}>{t('Arguments')}</span>
          <SegmentedControl
            aria-label={t('Form or JSON')}
            value={as}
            disabled={held}
            onChange={(v) => onChange({ as: v as 'form' | 'json' })}
            data={[
              { value: 'form', label: t('Form') },
              { value: 'json', label: 'JSON' },
            ]}
          />
        </div>
      )}
      {as === 'form' && shown.ok ? (
        <>
          <SchemaForm schema={schema} label={t('Parameters')} value={shown.value} drafts={drafts} onChange={(value, next) => onChange({ args: JSON.stringify(value, null, 2), drafts: next })} />
          {held && problem && (
            <p className={classes.problem} role="status">
              {problem}
            </p>
          )}
        </>
      ) : (
        <>
          {as === 'form' && !shown.ok && <p className={classes.note}>{shown.why}</p>}
          <Textarea
            label={schema ? undefined : t('Arguments')}
            aria-label={schema ? t('Arguments') : undefined}
            description={t("JSON, checked against the function's parameters")}
            classNames={{ input: classes.code }}
            autosize
            minRows={4}
            maxRows={14}
            spellCheck={false}
            value={input.args}
            error={problem}
            onChange={(e) => onChange({ args: e.currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}
