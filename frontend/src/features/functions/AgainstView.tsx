import { Button, Skeleton } from '@mantine/core';
import { messageOf } from '../../api/errors';
import { useVersion } from '../../api/queries';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { later } from '../../ui/later';
import classes from './ConflictView.module.css';
import type { Doc } from './doc';
import type { Part } from './docs';
import type { Language } from './editor/languages';
import type { Against } from './EditorTabs';

const DiffEditor = later(() => import('./editor/DiffEditor'), { meanwhile: () => <Skeleton height="100%" radius={0} /> });

interface Props {
  agent: string;
  name: string;
  part: Part;
  language: Language;
  doc: Doc;
  against: Against;
  onEdit: (text: string) => void;
  onClose: () => void;
}

/** The text in view beside what was saved, or beside an older version. */
export function AgainstView({ agent, name, part, language, doc, against, onEdit, onClose }: Props) {
  const version = useVersion(agent, name, against === 'saved' ? undefined : against);
  const what = against === 'saved' ? t('What is saved') : t('Version {against}', { against });
  const left = against === 'saved' ? doc.base.text : part === 'source' ? version.data?.source : version.data?.manifestText;
  return (
    <div className={classes.view}>
      <div className={classes.bar}>
        <div className={classes.text}>
          <strong>{t('{what} and the text here.', { what })}</strong> {left === doc.mine ? t('They are the same.') : t('The right side can be edited.')}
        </div>
        <div className={classes.choices}>
          <Button variant="default" disabled={left === undefined || left === doc.mine} onClick={() => left !== undefined && onEdit(left)}>
            {against === 'saved' ? t('Take what is saved') : t('Take version {against}', { against })}
          </Button>
          <Button onClick={onClose}>{t('Back to the editor')}</Button>
        </div>
      </div>
      <div className={classes.sides} aria-hidden>
        <span>{what}</span>
        <span>{t('Here')}</span>
      </div>
      <div className={classes.diff}>
        {version.isError ? (
          <ErrorBox title={messageOf(version.error)} onRetry={() => void version.refetch()} />
        ) : left === undefined ? (
          <Skeleton height="100%" radius={0} />
        ) : (
          <DiffEditor language={language} theirs={left} mine={doc.mine} left={what} onChange={onEdit} />
        )}
      </div>
    </div>
  );
}
