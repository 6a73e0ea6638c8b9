import { Button, FileButton, SegmentedControl, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { FileUp } from 'lucide-react';
import { useId, useState, type DragEvent } from 'react';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { hasFiles } from '../../ui/dropped';
import { bytes, visible } from '../../ui/format';
import { linesForFile, linesForText, mostBytes, problemOfFile, readFile, typeOfFile, writtenType, type BodyFile } from './bodyFile';
import classes from './Client.module.css';
import type { Draft } from './draft';

interface Props {
  draft: Draft;
  /** The header lines that the editor was filled with, which nobody wrote. */
  filled: string;
  problem: string | undefined;
  onChange: (change: Partial<Draft>) => void;
}

/** The body of a request: a text, or a file as it is. Whichever is not sent stays here too. A file that is dropped here is taken. */
export function BodyField({ draft, filled, problem, onChange }: Props) {
  const [over, setOver] = useState(false);
  const file = draft.asText ? undefined : draft.file;
  const asFile = (file: BodyFile) => onChange({ file, asText: undefined, headers: linesForFile(draft.headers, filled) });
  const take = (chosen: File | null | undefined) => {
    if (!chosen) return;
    readFile(chosen).then(asFile, (error: unknown) => notifications.show({ color: 'red', title: t('That file was not taken'), message: messageOf(error) }));
  };
  const drag = (e: DragEvent) => {
    if (!hasFiles(e.dataTransfer)) return;
    e.preventDefault();
    setOver(true);
  };
  const drop = (e: DragEvent) => {
    setOver(false);
    if (e.dataTransfer.files.length === 0) return; // a piece of text
    e.preventDefault();
    take(e.dataTransfer.files[0]);
  };
  return (
    <div className={classes.body} data-over={over || undefined} onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
      <div className={classes.bodyHead}>
        <span aria-hidden>{t('Body')}</span>
        <SegmentedControl
          size="xs"
          aria-label={t('What is sent')}
          value={file ? 'file' : 'text'}
          onChange={(to) => (to === 'file' ? asFile(draft.file ?? { name: '' }) : onChange({ asText: true, headers: linesForText(draft.headers, filled) }))}
          data={[
            { value: 'text', label: t('Text') },
            { value: 'file', label: t('File') },
          ]}
        />
      </div>
      {file ? (
        <Chosen file={file} headers={draft.headers} problem={problem} onChosen={take} />
      ) : (
        <Textarea aria-label={t('Body')} classNames={{ input: classes.code }} autosize minRows={2} maxRows={14} value={draft.body} onChange={(e) => onChange({ body: e.currentTarget.value })} spellCheck={false} />
      )}
      {!file && draft.withheld && draft.body.includes('…') && <p className={classes.note}>{t('What looked like a credential was not kept when the tab was closed: write it anew where … stands.')}</p>}
    </div>
  );
}

function Chosen({ file, headers, problem, onChosen }: { file: BodyFile; headers: string; problem: string | undefined; onChosen: (file: File | null) => void }) {
  const said = useId();
  const missing = problemOfFile(file);
  const type = writtenType(headers)?.replace(/^[^:]*:\s*/, '') ?? typeOfFile(file);
  return (
    <div className={classes.file} role="group" aria-label={t('File to send')} data-problem={problem !== undefined || undefined}>
      <FileButton onChange={onChosen}>
        {(props) => (
          <Button variant="default" leftSection={<FileUp size={13} />} aria-describedby={said} {...props}>
            {file.bytes ? t('Choose another') : t('Choose a file')}
          </Button>
        )}
      </FileButton>
      <div id={said} className={classes.fileText}>
        {file.bytes && (
          <span className={classes.fileName}>
            <b>{visible(file.name)}</b> {t('{size}, sent as {type}', { size: bytes(file.bytes.length), type })}
          </span>
        )}
        {missing && <span className={problem === undefined ? undefined : classes.fileProblem}>{file.name || problem !== undefined ? missing : t('Choose one, or drop it here. It is sent as it is, byte for byte.')}</span>}
        <span className={classes.note}>{t('At most {most}; an endpoint takes 1 MB, unless its limits say otherwise. Only the name is kept.', { most: bytes(mostBytes) })}</span>
      </div>
    </div>
  );
}
