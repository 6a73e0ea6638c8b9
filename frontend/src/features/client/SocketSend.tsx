import { Button, FileButton, SegmentedControl } from '@mantine/core';
import { FileUp, SendHorizontal } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { t } from '../../i18n/t';
import { bytes, visible } from '../../ui/format';
import { useStored } from '../../ui/stored';
import { useAct } from '../../ui/useAct';
import { mostOfMessage, readBase64, readHex } from './bytes';
import classes from './Client.module.css';
import { SendBox } from './SendBox';

type Form = 'text' | 'hex' | 'base64' | 'file';

interface Props {
  open: boolean;
  onText: (text: string) => Promise<unknown>;
  onBytes: (bytes: Uint8Array) => Promise<unknown>;
}

/** Messages into a WebSocket: a text, or bytes, which are written or come from a file. */
export function SocketSend({ open, onText, onBytes }: Props) {
  const [form, setForm] = useStored<Form>('client.messageForm', 'text');
  const [file, setFile] = useState<File>(); // is there again after another form
  const waits = t('Connect first');
  const box = {
    text: <SendBox key="text" label={t('Message')} action={t('Send')} placeholder={open ? '{"type": "hello"}' : waits} disabled={!open} onSend={onText} />,
    hex: <SendBox key="hex" label={t('Bytes in hex')} action={t('Send')} placeholder={open ? '68 65 6c 6c 6f' : waits} disabled={!open} onSend={async (text) => onBytes(readHex(text))} />,
    base64: <SendBox key="base64" label={t('Bytes in base64')} action={t('Send')} placeholder={open ? 'aGVsbG8=' : waits} disabled={!open} onSend={async (text) => onBytes(readBase64(text))} />,
    file: <FileMessage open={open} file={file} onFile={setFile} onBytes={onBytes} />,
  };
  return (
    <div className={classes.socketSend}>
      <SegmentedControl
        size="xs"
        aria-label={t('What a message is')}
        value={form}
        onChange={(to) => setForm(to as Form)}
        data={[
          { value: 'text', label: t('Text') },
          { value: 'hex', label: t('Hex') },
          { value: 'base64', label: 'Base64' },
          { value: 'file', label: t('File') },
        ]}
      />
      {box[form]}
    </div>
  );
}

function FileMessage({ open, file, onFile, onBytes }: Pick<Props, 'open' | 'onBytes'> & { file: File | undefined; onFile: (file: File) => void }) {
  const { busy, act } = useAct();
  const tooLarge = file !== undefined && file.size > mostOfMessage;
  const drop = (e: DragEvent) => {
    if (e.dataTransfer.files.length === 0) return;
    e.preventDefault();
    onFile(e.dataTransfer.files[0]!);
  };
  return (
    <div className={classes.sendBox} role="group" aria-label={t('File to send')} onDragOver={(e) => e.preventDefault()} onDrop={drop}>
      <FileButton onChange={(f) => f && onFile(f)}>
        {(props) => (
          <Button variant="default" leftSection={<FileUp size={13} />} {...props}>
            {file ? t('Choose another') : t('Choose a file')}
          </Button>
        )}
      </FileButton>
      <span className={`${classes.grow} ${tooLarge ? classes.fileProblem : classes.note} ${classes.fileName}`}>
        {!file && t('It goes out as one binary message of {most} at most.', { most: bytes(mostOfMessage) })}
        {file && !tooLarge && t('{name}, {size}', { name: visible(file.name), size: bytes(file.size) })}
        {file && tooLarge && t('{name} has {size}; a message has {most} at most.', { name: visible(file.name), size: bytes(file.size), most: bytes(mostOfMessage) })}
      </span>
      <Button
        leftSection={<SendHorizontal size={13} />}
        disabled={!open || !file || tooLarge}
        loading={busy !== undefined}
        onClick={() => file && void act('send', async () => onBytes(new Uint8Array(await file.arrayBuffer())))}
      >
        {t('Send')}
      </Button>
    </div>
  );
}
