import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import { links } from '../../api/links';
import { useAgents, useStatus } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import page from '../../ui/page.module.css';
import { Steady } from '../../ui/Steady';
import { Keys } from './Keys';
import { PlatformSettings } from './PlatformSettings';
import classes from './Settings.module.css';
import { Tokens } from './Tokens';
import { Visitors } from './Visitors';

/** What the owner may set, and who else may come in. The address may name a part. */
export default function SettingsScreen({ go, rest }: ScreenProps) {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const heading = ready && rest ? document.getElementById(rest) : null;
    heading?.parentElement?.closest('section')?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  }, [ready, rest]);
  return (
    <Steady onReady={() => setReady(true)}>
      <Parts go={go} />
    </Steady>
  );
}

function Parts({ go }: Pick<ScreenProps, 'go'>) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const agents = useAgents().data ?? [];
  const status = useStatus().data;
  return (
    <div className={page.page}>
      <header className={page.header}>
        <div>
          <h1 className={page.title}>Settings</h1>
          <p className={page.lead}>Of this Benchtop alone. Nothing here leaves the machine.</p>
        </div>
      </header>
      <section className={classes.section} aria-labelledby="appearance">
        <h2 id="appearance" tabIndex={-1} className={classes.title}>
          Appearance
        </h2>
        <div className={classes.row}>
          <span className={classes.label}>Theme</span>
          <SegmentedControl
            aria-label="Theme"
            value={colorScheme}
            onChange={(v) => setColorScheme(v as MantineColorScheme)}
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
              { value: 'auto', label: 'As the system' },
            ]}
          />
        </div>
      </section>
      <PlatformSettings />
      <Tokens agents={agents} />
      <Keys agents={agents} />
      <Visitors />
      {status && (
        <section className={classes.section} aria-labelledby="about">
          <h2 id="about" tabIndex={-1} className={classes.title}>
            About
          </h2>
          <dl className={classes.facts}>
            <dt>Version</dt>
            <dd>{status.version}</dd>
            <dt>Address</dt>
            <dd>{status.url}</dd>
            <dt>Data</dt>
            <dd>
              {status.dataDir}
              {status.ephemeral && ' (goes when Benchtop ends)'}
            </dd>
            <dt>Workers</dt>
            <dd>
              {status.executor.workers} of up to {status.executor.slots} at a time
            </dd>
          </dl>
          <button type="button" className={page.link} onClick={() => go(links.activity('skill:changes'))}>
            What was changed, and by whom
          </button>
        </section>
      )}
    </div>
  );
}
