import { Button, Textarea } from '@mantine/core';
import { SendHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../ui/useAct';
import classes from './Client.module.css';

/** A box for messages into something open. Enter sends, Shift+Enter is a new line. */
export function SendBox({ label, action, placeholder, disabled, onSend }: { label: string; action: string; placeholder?: string; disabled?: boolean; onSend: (text: string) => Promise<unknown> }) {
  const { busy, act } = useAct();
  const [text, setText] = useState('');
  const send = async () => {
    if (!text || disabled || busy) return;
    if (await act('send', () => onSend(text))) setText('');
  };
  return (
    <div className={classes.sendBox}>
      <Textarea
        className={classes.grow}
        classNames={{ input: classes.code }}
        aria-label={label}
        placeholder={placeholder}
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        disabled={disabled}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
          e.preventDefault();
          e.stopPropagation();
          void send();
        }}
      />
      <Button leftSection={<SendHorizontal size={13} />} disabled={disabled || !text} loading={busy !== undefined} onClick={() => void send()}>
        {action}
      </Button>
    </div>
  );
}
