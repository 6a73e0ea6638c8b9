import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import { links } from '../../api/links';
import { useAgents, useStatus } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import page from '../../ui/page.module.css';
import { Steady } from '../../ui/Steady';
import { Keys } from './Keys';
import { Language } from './Language';
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
          <h1 className={page.title}>{t('Settings')}</h1>
          <p className={page.lead}>{t('Of this Benchtop alone. Nothing here leaves the machine.')}</p>
        </div>
      </header>
      <section className={classes.section} aria-labelledby="appearance">
        <h2 id="appearance" tabIndex={-1} className={classes.title}>
          {t('Appearance')}
        </h2>
        <div className={classes.row}>
          <span className={classes.label}>{t('Theme')}</span>
          <SegmentedControl
            aria-label={t('Theme')}
            value={colorScheme}
            onChange={(v) => setColorScheme(v as MantineColorScheme)}
            data={[
              { value: 'light', label: t('Light') },
              { value: 'dark', label: t('Dark') },
              { value: 'auto', label: t('As the system') },
            ]}
          />
        </div>
        <Language />
      </section>
      <PlatformSettings />
      <Tokens agents={agents} />
      <Keys agents={agents} />
      <Visitors />
      {status && (
        <section className={classes.section} aria-labelledby="about">
          <h2 id="about" tabIndex={-1} className={classes.title}>
            {t('About')}
          </h2>
          <dl className={classes.facts}>
            <dt>{t('Version')}</dt>
            <dd>{status.version}</dd>
            <dt>{t('Address')}</dt>
            <dd>{status.url}</dd>
            <dt>{t('Data')}</dt>
            <dd>
              {status.dataDir}
              {status.ephemeral && t(' (goes when Benchtop ends)')}
            </dd>
            <dt>{t('Workers')}</dt>
            <dd>
              {t('{workers} of up to {slots} at a time', { workers: status.executor.workers, slots: status.executor.slots })}
            </dd>
          </dl>
          <button type="button" className={page.link} onClick={() => go(links.activity('skill:changes'))}>
            {t('What was changed, and by whom')}
          </button>
        </section>
      )}
    </div>
  );
}
