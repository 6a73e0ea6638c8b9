import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { t } from '../../../i18n/t';
import { pathText, replaceDraft, withDraft, type Drafts } from '../../../ui/schema/edit';
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
  const as = schema && input.as !== 'json' ? 'form' : 'json';
  return (
    <div className={classes.tool}>
      {schema && (
        <div className={classes.as}>
          <span className={classes.title}>{t('Arguments')}</span>
          <SegmentedControl
            aria-label={t('Form or JSON')}
            value={as}
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
          {held && <Kept drafts={drafts} value={shown.ok ? shown.value : undefined} onChange={onChange} />}
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
            error={held ? undefined : problem}
            onChange={(e) => onChange({ args: e.currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}

/** Texts of the form that are no values of their fields: they are in no JSON, and must not vanish behind it. */
function Kept({ drafts, value, onChange }: { drafts: Drafts; value: unknown; onChange: Props['onChange'] }) {
  return (
    <ul className={classes.kept} aria-label={t('Texts of the form that are not in this JSON')}>
      {Object.entries(drafts).map(([at, draft]) => {
        const name = pathText(at) || t('The value');
        // A number of more digits than the form can keep is at home here.
        const text = value === undefined ? undefined : withDraft(value, at, draft);
        const without = replaceDraft(drafts, at);
        return (
          <li key={at} className={classes.keptText}>
            <span>
              {name}: <code>{draft.text}</code>
            </span>
            <span className={classes.problem}>{draft.problem}</span>
            {text !== undefined && (
              <Button size="compact-xs" variant="default" aria-label={t('Put {name} into the JSON', { name })} onClick={() => onChange({ args: text, drafts: without })}>
                {t('Put it in')}
              </Button>
            )}
            <Button size="compact-xs" variant="subtle" color="gray" aria-label={t('Leave out {label}', { label: name })} onClick={() => onChange({ drafts: without })}>
              {t('Leave it out')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
