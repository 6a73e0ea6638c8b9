import { Button, Textarea } from '@mantine/core';
import { SendHorizontal } from 'lucide-react';
import { useRef, useState } from 'react';
import { keepClear } from '../../ui/keepClear';
import { useAct } from '../../ui/useAct';
import classes from './Client.module.css';
import { KeptTexts } from './keptDrafts';
import { useSaved } from './saved';
import { useKept } from './store';

interface Props {
  label: string;
  action: string;
  placeholder?: string;
  /** Nothing can be sent, and nothing be written for later. */
  disabled?: boolean;
  /** Something else has to end first; one may write meanwhile. */
  waits?: boolean;
  onSend: (text: string) => Promise<unknown>;
}

/** A box for messages into something open. Enter sends, Shift+Enter is a new line. What was typed is there again after a look elsewhere. */
export function SendBox({ label, action, placeholder, disabled, waits, onSend }: Props) {
  const { act } = useAct();
  const { agent } = useSaved();
  const typed = useKept('typed', agent.id, () => new KeptTexts(`client.typed:${agent.id}`));
  const [text, setText] = useState(() => typed.get(label) ?? '');
  const before = useRef(Promise.resolve()); // messages go out in the order in which they were written
  const type = (to: string) => {
    typed.set(label, to);
    setText(to);
  };
  const send = () => {
    if (!text || disabled || waits) return;
    type(''); // the box is free for the next one
    before.current = before.current.then(async () => {
      if (!(await act('send', () => onSend(text))) && !typed.get(label)) type(text);
    });
  };
  return (
    <div ref={keepClear} className={classes.sendBox}>
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
        onChange={(e) => type(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return;
          e.preventDefault();
          e.stopPropagation();
          send();
        }}
      />
      <Button leftSection={<SendHorizontal size={13} />} disabled={disabled || waits || !text} onClick={send}>
        {action}
      </Button>
    </div>
  );
}
