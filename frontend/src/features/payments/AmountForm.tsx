import { Button, Modal, Select, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import { readAmount } from './money';

export interface Asked {
  amount: number | undefined;
  choice: string;
  text: string;
}

interface Props {
  title: string;
  lead: ReactNode;
  button: string;
  /** The amount that stands there first. */
  first: string;
  /** An empty amount has a meaning, which this says. */
  emptyMeans?: string;
  choice?: { label: string; description?: string; options: { value: string; label: string }[]; first?: string };
  text?: { label: string; placeholder?: string };
  onClose: () => void;
  /** Does it; a failure stays in the form. */
  onDone: (asked: Asked) => Promise<unknown>;
}

/** Asks for an amount, and for what goes with it. */
export function AmountForm({ title, lead, button, first, emptyMeans, choice, text, onClose, onDone }: Props) {
  const [typed, setTyped] = useState(first);
  const [chosen, setChosen] = useState(choice?.first ?? choice?.options[0]?.value ?? '');
  const [words, setWords] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const empty = emptyMeans !== undefined && typed.trim() === '';
  const read = empty ? { amount: undefined } : readAmount(typed);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if ('problem' in read) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onDone({ amount: read.amount, choice: chosen, text: words.trim() });
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={page.form} onSubmit={(e) => void submit(e)} noValidate>
        <p className={page.dim}>{lead}</p>
        <TextInput
          label={t('Amount in dollars')}
          description={emptyMeans}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          value={typed}
          error={tried && 'problem' in read ? read.problem : undefined}
          onChange={(e) => setTyped(e.currentTarget.value)}
        />
        {choice && (
          <Select label={choice.label} description={choice.description} data={choice.options} value={chosen} onChange={(v) => setChosen(v ?? '')} allowDeselect={false} searchable={choice.options.length > 8} />
        )}
        {text && <TextInput label={text.label} placeholder={text.placeholder} value={words} onChange={(e) => setWords(e.currentTarget.value)} />}
        {problem && <ErrorBox title={problem} />}
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {button}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
