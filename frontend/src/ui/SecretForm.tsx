import { Button, PasswordInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { t } from '../i18n/t';
import classes from './SecretForm.module.css';

interface Props {
  binding: string;
  label?: string;
  /** Sends the value; a failure it throws is shown. */
  onSave: (value: string) => Promise<void>;
  onCancel?: () => void;
  autoFocus?: boolean;
}

/** Takes a secret's value. It is masked, and forgotten as soon as it has been sent. */
export function SecretForm({ binding, label, onSave, onCancel, autoFocus }: Props) {
  const [value, setValue] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!value) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onSave(value);
      setValue('');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={classes.form} onSubmit={(e) => void submit(e)}>
      <PasswordInput
        className={classes.input}
        label={label}
        aria-label={label ? undefined : t('Value of {binding}', { binding })}
        placeholder={t('Value')}
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={problem}
        data-autofocus={autoFocus || undefined}
        ref={autoFocus ? (el: HTMLInputElement | null) => { el?.focus(); } : undefined}
        onChange={(e) => setValue(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape' && onCancel) {
            e.stopPropagation();
            setValue('');
            onCancel();
          }
        }}
      />
      <Button type="submit" loading={busy} disabled={!value}>
        {t('Save')}
      </Button>
      {onCancel && (
        <Button variant="default" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      )}
    </form>
  );
}
