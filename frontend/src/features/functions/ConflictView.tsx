import { Button } from '@mantine/core';
import { GitMerge } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import classes from './ConflictView.module.css';
import type { Doc } from './doc';
import { mergeLines } from '../../ui/merge';

const DiffEditor = lazy(() => import('./editor/DiffEditor'));

interface Props {
  doc: Doc & { theirs: NonNullable<Doc['theirs']> };
  path: string;
  language: 'javascript' | 'json';
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
        ? 'Both sets of changes are in the text on the right.'
        : `${clashes.length === 1 ? 'One place was' : `${clashes.length} places were`} changed by both: look for <<<<<<< on the right.`,
    );
  };
  const marked = /^<{7} mine$/m.test(doc.mine);
  return (
    <div className={classes.view}>
      <div className={classes.bar} role="alert">
        <div className={classes.text}>
          <strong>{path} was changed outside while you edited it.</strong> {note ?? 'Choose a version, or merge: the right side can be edited.'}
        </div>
        <div className={classes.choices}>
          <Button variant="default" leftSection={<GitMerge size={13} />} onClick={merge}>
            Merge both
          </Button>
          <Button variant="default" onClick={() => onResolve(doc.theirs.text, false)}>
            Take what is on disk
          </Button>
          <Button disabled={marked} title={marked ? 'Some places still have both versions' : undefined} onClick={() => onResolve(doc.mine, true)}>
            Save mine
          </Button>
        </div>
      </div>
      <div className={classes.sides} aria-hidden>
        <span>On disk</span>
        <span>Mine</span>
      </div>
      <div className={classes.diff}>
        <Suspense fallback={null}>
          <DiffEditor language={language} theirs={doc.theirs.text} mine={doc.mine} onChange={onEdit} />
        </Suspense>
      </div>
    </div>
  );
}
