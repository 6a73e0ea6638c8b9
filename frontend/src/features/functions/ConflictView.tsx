import { Button } from '@mantine/core';
import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../i18n/t';
import classes from './ConflictView.module.css';
import type { Doc } from './doc';
import type { Language } from './editor/languages';
import { later } from '../../ui/later';
import { mergeLines } from '../../ui/merge';

const DiffEditor = later(() => import('./editor/DiffEditor'));

interface Props {
  doc: Doc & { theirs: NonNullable<Doc['theirs']> };
  path: string;
  language: Language;
  onEdit: (text: string) => void;
  onResolve: (text: string, save: boolean) => void;
}

/** Two versions of one file: both are shown, and nothing is lost until a choice is made. */
export function ConflictView({ doc, path, language, onEdit, onResolve }: Props) {
  const [note, setNote] = useState<string>();
  const merge = () => {
    const { text, clashes } = mergeLines(doc.base.text, doc.mine, doc.theirs.text);
    onEdit(text);
    setNote(
      clashes.length === 0
        ? t('Both sets of changes are in the text on the right.')
        : clashes.length === 1 ? t('One place was changed by both: look for <<<<<<< on the right.') : t('{clashes} places were changed by both: look for <<<<<<< on the right.', { clashes: clashes.length }),
    );
  };
  const marked = /^<{7} mine$/m.test(doc.mine);
  return (
    <div className={classes.view}>
      <div className={classes.bar} role="alert">
        <div className={classes.text}>
          <strong>{t('{path} was changed outside while you edited it.', { path })}</strong> {note ?? t('Choose a version, or merge: the right side can be edited.')}
        </div>
        <div className={classes.choices}>
          <Button variant="default" leftSection={<GitMerge size={13} />} onClick={merge}>
            {t('Merge both')}
          </Button>
          <Button variant="default" onClick={() => onResolve(doc.theirs.text, false)}>
            {t('Take what is on disk')}
          </Button>
          <Button disabled={marked} title={marked ? t('Some places still have both versions') : undefined} onClick={() => onResolve(doc.mine, true)}>
            {t('Save mine')}
          </Button>
        </div>
      </div>
      <div className={classes.sides} aria-hidden>
        <span>{t('On disk')}</span>
        <span>{t('Mine')}</span>
      </div>
      <div className={classes.diff}>
        <DiffEditor language={language} theirs={doc.theirs.text} mine={doc.mine} onChange={onEdit} />
      </div>
    </div>
  );
}
