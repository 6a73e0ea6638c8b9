import { Button, PasswordInput } from '@mantine/core';
import { useState, type ClipboardEvent, type FormEvent } from 'react';
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

/**
 * Takes a secret's value. It is masked, and forgotten as soon as it has been
 * sent. A pasted value of several lines, such as a private key, stays as it is:
 * a field of one line would drop its line ends, and the key with them.
 */
export function SecretForm({ binding, label, onSave, onCancel, autoFocus }: Props) {
  const [value, setValue] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const lines = value.split(/\r\n|\r|\n/).length;
  const several = lines > 1;
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    // One line end behind the value was copied along with it.
    if (!/[\r\n]/.test(text.replace(/(\r\n|\r|\n)$/, ''))) return;
    event.preventDefault();
    setValue(text);
    setProblem(undefined);
  };
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
    <form className={classes.form} data-labelled={label ? true : undefined} onSubmit={(e) => void submit(e)}>
      <PasswordInput
        className={classes.input}
        label={label}
        aria-label={label ? undefined : t('Value of {binding}', { binding })}
        placeholder={t('Value')}
        autoComplete="off"
        spellCheck={false}
        value={several ? '•'.repeat(16) : value}
        readOnly={several}
        visibilityToggleButtonProps={several ? { style: { display: 'none' } } : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={several ? t('{n} lines, kept as they were pasted. Backspace takes them out again.', { n: lines }) : undefined}
        error={problem}
        data-autofocus={autoFocus || undefined}
        ref={autoFocus ? (el: HTMLInputElement | null) => { el?.focus(); } : undefined}
        onPaste={paste}
        onChange={(e) => setValue(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (several && (e.key === 'Backspace' || e.key === 'Delete')) setValue('');
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
