import { Button } from '@mantine/core';
import { ShieldPlus } from 'lucide-react';
import { useState } from 'react';
import type { TraceEntry } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { rich, t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import type { ManifestEdit } from '../../manifest/edit';
import { whyDenied } from '../../manifest/why';
import { useFix } from './useFix';
import classes from './WhyDenied.module.css';

interface Props {
  agent: string;
  name: string;
  entry: TraceEntry;
  /** The manifest of the version that ran. */
  manifest: unknown;
  /** Called when the manifest has been changed: runs again. None where only its caller can. */
  onFixed: (() => void) | undefined;
}

/** Why one call was denied, and the buttons that allow it and run again. */
export function WhyDenied({ agent, name, entry, manifest, onFixed }: Props) {
  const why = whyDenied(entry, manifest);
  const fix = useFix(agent, why.of ?? name);
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState(false);
  const apply = async (edit: ManifestEdit) => {
    setBusy(edit.label);
    setProblem(undefined);
    try {
      await fix([edit]);
      if (onFixed) onFixed();
      else setDone(true);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <section className={classes.why} aria-label={t('Why {name} was denied', { name: entry.name })}>
      <dl className={classes.facts}>
        <dt>{t('Tried')}</dt>
        <dd>{why.tried}</dd>
        <dt>{t('Rule')}</dt>
        <dd>{why.rule}</dd>
        <dt>{t('Allows')}</dt>
        <dd>{why.allowed.length ? why.allowed.join(', ') : t('nothing')}</dd>
        {why.nearest && (
          <>
            <dt>{t('Nearest')}</dt>
            <dd>{why.nearest}</dd>
          </>
        )}
        {why.edits.length === 0 && why.said && (
          <>
            <dt>{t('Because')}</dt>
            <dd className={classes.said}>{why.said}</dd>
          </>
        )}
      </dl>
      {why.edits.length === 0 ? (
        <p className={classes.none}>{t('No change of the manifest alone allows this.')}</p>
      ) : (
        <div className={classes.edits}>
          {why.edits.map((edit) => (
            <Button key={edit.label} size="compact-sm" variant="default" leftSection={<ShieldPlus size={13} />} loading={busy === edit.label} disabled={busy !== undefined} onClick={() => void apply(edit)}>
              <span>
                {onFixed ? rich('Add <1>{label}</1> and run again', [<code className={classes.code} />], { label: edit.label }) : rich('Add <1>{label}</1>', [<code className={classes.code} />], { label: edit.label })}
              </span>
            </Button>
          ))}
        </div>
      )}
      {done && <p className={classes.none} role="status">{t('The manifest has it now. Call it again to see.')}</p>}
      {problem && <ErrorBox title={t('Not changed')}>{problem}</ErrorBox>}
    </section>
  );
}
