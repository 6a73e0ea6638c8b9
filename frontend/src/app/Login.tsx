import { Button, Code, PasswordInput } from '@mantine/core';
import { useEffect, useState, type FormEvent } from 'react';
import { messageOf } from '../api/errors';
import { rich, t } from '../i18n/t';
import { ErrorBox } from '../ui/ErrorBox';
import { Logo } from './Logo';
import classes from './Login.module.css';
import type { Session } from './session';

/** How to get in, for a page without a session. */
export function Login({ session, onIn }: { session: Session & { state: 'login' }; onIn: () => void }) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState(session.problem);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await session.client.call('POST /api/auth/session', { body: { key: key.trim() } });
      setKey('');
      onIn();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo size={36} />
        <h1 className={classes.title}>{t('Sign in to Benchtop')}</h1>
        <p className={classes.text}>
          {t('Your functions and secrets are behind this page, so it opens for the owner of this machine only. In a terminal, run')}
        </p>
        <Code block className={classes.command}>
          benchtop open
        </Code>
        <p className={classes.text}>{t('and the console opens, signed in. Or paste the owner key from the data directory.')}</p>
        {problem && <ErrorBox title={problem} />}
        <form onSubmit={(e) => void submit(e)} className={classes.form}>
          <PasswordInput
            size="sm"
            label={t('Owner key')}
            description={t('The content of owner.key')}
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(e) => setKey(e.currentTarget.value)}
          />
          <Button type="submit" size="sm" loading={busy} disabled={!key.trim()} fullWidth>
            {t('Sign in')}
          </Button>
        </form>
      </div>
    </main>
  );
}

/** Shown while nothing answers; tries again by itself. */
export function Unreached({ message, onRetry }: { message: string; onRetry: () => void }) {
  useEffect(() => {
    const timer = setInterval(onRetry, 2_000);
    return () => clearInterval(timer);
  });
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo size={36} />
        <h1 className={classes.title}>{t('Benchtop does not answer')}</h1>
        <p className={classes.text}>
          {rich('It may be starting or stopped. Start it with <1>benchtop serve</1>; this page keeps trying.', [<Code />])}
        </p>
        <p className={classes.detail}>{message}</p>
        <Button variant="default" size="sm" onClick={onRetry}>
          {t('Try now')}
        </Button>
      </div>
    </main>
  );
}
