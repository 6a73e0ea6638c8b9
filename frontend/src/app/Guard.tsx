import { Button, Code } from '@mantine/core';
import { Component, useState, type ReactNode } from 'react';
import { useApi } from '../api/ApiContext';
import { messageOf, Unreachable } from '../api/errors';
import { rich, t } from '../i18n/t';
import { ErrorBox } from '../ui/ErrorBox';
import classes from './Guard.module.css';

/** Whether a part of the page could not be read: the platform was away, or another version of it is here now. */
function isMissingPart(error: unknown): boolean {
  // Each browser says it in its own words, and the bundler has words for styles.
  return /dynamically imported module|importing a module script|preload CSS/i.test(messageOf(error));
}

interface Props {
  children: ReactNode;
  /** What is shown inside; when that changes, a fault of what was there before is forgotten. */
  of?: string | undefined;
}
interface State {
  of: string | undefined;
  fault?: { error: unknown } | undefined;
}

/** Keeps a fault of one part of the page from taking the rest with it. */
export class Guard extends Component<Props, State> {
  override state: State = { of: this.props.of };

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return props.of === state.of ? null : { of: props.of, fault: undefined };
  }

  static getDerivedStateFromError(error: unknown) {
    return { fault: { error } };
  }

  override render() {
    const { fault } = this.state;
    if (!fault) return this.props.children;
    return <div className={classes.root}>{isMissingPart(fault.error) ? <MissingPart /> : <Fault error={fault.error} onRetry={() => this.setState({ fault: undefined })} />}</div>;
  }
}

/** What was not read once is not asked for again by the same page: it has to begin anew, once something answers. */
function MissingPart() {
  const { client } = useApi();
  const [busy, setBusy] = useState(false);
  const [away, setAway] = useState(false);
  const again = async () => {
    setBusy(true);
    try {
      await client.call('GET /api/local/status', {});
      location.reload();
    } catch (error) {
      setAway(error instanceof Unreachable);
      setBusy(false);
    }
  };
  return (
    <ErrorBox title={t('This place could not be loaded')}>
      <p>
        {away
          ? rich('Benchtop still does not answer. Start it with <1>benchtop serve</1>, then try again.', [<Code />])
          : t('Benchtop did not answer, or it is a newer one than this page. Reload the page; texts that are not saved come back.')}
      </p>
      <Button variant="default" loading={busy} onClick={() => void again()}>
        {t('Reload')}
      </Button>
    </ErrorBox>
  );
}

function Fault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <ErrorBox title={t('This place has a fault')} onRetry={onRetry}>
      <p>{t('The rest of the page goes on. If it comes again, reload the page; texts that are not saved come back.')}</p>
      <p>
        <Code>{messageOf(error)}</Code>
      </p>
    </ErrorBox>
  );
}
