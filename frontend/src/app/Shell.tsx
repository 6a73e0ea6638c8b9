import { Button } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Agent, LiveEvent } from '../api/contract.gen';
import { functionIn, links } from '../api/links';
import { useAgents } from '../api/queries';
import { useApi } from '../api/ApiContext';
import { useNotices } from '../features/inbox/useNotices';
import { RunDrawer } from '../features/runs/RunDrawer';
import { t } from '../i18n/t';
import { EmptyState } from '../ui/EmptyState';
import { ErrorBox } from '../ui/ErrorBox';
import { tick } from '../ui/checks';
import { readStored, useStored, writeStored } from '../ui/stored';
import { useCommand } from '../ui/commands';
import { messageOf } from '../api/errors';
import { ActivityBand } from './ActivityBand';
import { CheatSheet } from './CheatSheet';
import { Guard } from './Guard';
import { Palette, type PaletteMode } from './Palette';
import { Rail } from './Rail';
import type { ScreenProps } from './screen';
import { parsePlace, screens } from './screens';
import type { ShortcutId } from '../ui/shortcuts';
import classes from './Shell.module.css';
import { SlowBar } from './SlowBar';
import { TopBar } from './TopBar';
import { usePath } from './usePath';

const none: readonly Agent[] = [];

/** The workbench around every screen: rail, bar, activity, palette. */
export function Shell() {
  const { path, run, go, openRun, closeRun } = usePath();
  const agents = useAgents();
  const place = parsePlace(path);
  const [activityOpen, setActivityOpen] = useStored('activity.open', false);
  const [activityHeight, setActivityHeight] = useStored('activity.height', 190);
  const [palette, setPalette] = useState<PaletteMode>();
  const [sheet, setSheet] = useState(false);
  const [askClock, setAskClock] = useState(false);

  // An agent that AGENT.md gives another name is the same one: its place stays, under the new name.
  const known = useRef(new Map<string, string>());
  const agent = useMemo(() => {
    const named = place?.agent ?? readStored<string>('agent', '');
    const found = agents.data?.find((a) => a.username === named || a.id === named) ?? agents.data?.find((a) => a.id === known.current.get(named));
    if (found && place?.agent) known.current.set(named, found.id);
    return found ?? (place?.agent ? undefined : agents.data?.[0]);
  }, [agents.data, place?.agent]);
  useEffect(() => {
    if (agent && place?.agent && place.agent !== agent.username && place.agent !== agent.id) go(`${links.place(agent.username, place.screen.id)}${place.rest && `/${place.rest.replaceAll('%', '%25')}`}`, { replace: true });
  }, [agent, go, place?.agent, place?.rest, place?.screen.id]);
  useEffect(() => {
    if (agent && place?.agent) writeStored('agent', agent.username);
  }, [agent, place?.agent]);

  const { events } = useApi();
  useEffect(() => events.subscribe(tickOff), [events]);

  const shown = place?.screen.id === 'functions' && agent ? functionIn(place.rest) : undefined;
  useNotices(agents.data ?? none, shown && agent ? { agent: agent.id, name: shown } : undefined, go);
  const goPlace = useCallback(
    (id: string) => {
      const screen = screens.find((s) => s.id === id);
      if (!screen) return;
      if (!screen.ofAgent) go(links.screen(id));
      else if (agent) go(links.place(agent.username, id));
    },
    [agent, go],
  );

  useCommand('palette', () => setPalette((p) => (p ? undefined : 'all')));
  useCommand('goToFunction', () => setPalette((p) => (p ? undefined : 'functions')));
  useCommand('cheatSheet', () => setSheet((s) => !s));
  useCommand('toggleActivity', () => setActivityOpen(!activityOpen));

  const title = place ? (place.screen.ofAgent && agent ? `${place.screen.title} · ${agent.username}` : place.screen.title) : t('Not found');
  useEffect(() => {
    document.title = `${run ? 'Run' : title} · Benchtop`;
  }, [run, title]);

  return (
    <div className={classes.shell}>
      <SlowBar />
      <a href="#main" className={classes.skip} onClick={(e) => { e.preventDefault(); document.getElementById('main')?.focus(); }}>
        {t('Skip to content')}
      </a>
      <TopBar agent={agent} agents={agents.data ?? []} screen={place?.screen.id} go={go} openRun={openRun} onPalette={() => setPalette('all')} onSheet={() => setSheet(true)} askClock={askClock} onAskClock={setAskClock} />
      {screens.map((s) => s.command && <PlaceKey key={s.id} command={s.command} enabled={!s.ofAgent || Boolean(agent)} onGo={() => goPlace(s.id)} />)}
      <Rail current={place?.screen.id} hasAgent={Boolean(agent)} onGo={goPlace} />
      <main id="main" className={classes.main} tabIndex={-1}>
        <ScreenOf path={path} agent={agent} loading={agents.isPending} failed={agents.error} retry={() => void agents.refetch()} go={go} openRun={openRun} />
      </main>
      {!place?.screen.showsActivity && (
        <ActivityBand
          agent={agent?.id}
          agents={agents.data ?? []}
          open={activityOpen}
          height={activityHeight}
          selected={run}
          onToggle={() => setActivityOpen(!activityOpen)}
          onHeight={setActivityHeight}
          openRun={openRun}
        />
      )}
      <Guard of={run}>
        <RunDrawer id={run} agents={agents.data ?? []} onClose={closeRun} go={go} openRun={openRun} />
      </Guard>
      <Palette mode={palette} onClose={() => setPalette(undefined)} agent={agent} agents={agents.data ?? []} go={go} goPlace={goPlace} openRun={openRun} onAskClock={() => setAskClock(true)} />
      <CheatSheet open={sheet} onClose={() => setSheet(false)} />
    </div>
  );
}

/** The key of a place. */
function PlaceKey({ command, enabled, onGo }: { command: ShortcutId; enabled: boolean; onGo: () => void }) {
  useCommand(command, onGo, enabled);
  return null;
}

/** Ticks off first steps that happened, wherever they were done. */
function tickOff(event: LiveEvent): void {
  if (event.event === 'function.declared' && (event.data.version ?? 0) > 1) tick('edit');
  else if (event.event === 'secret.set') tick('secret');
}

function ToHome({ go }: { go: (path: string) => void }) {
  return <Button onClick={() => go(links.home())}>{t('Open Home')}</Button>;
}

function ScreenOf({ path, agent, loading, failed, retry, go, openRun }: Omit<ScreenProps, 'rest'> & { path: string; loading: boolean; failed: unknown; retry: () => void }) {
  const place = parsePlace(path);
  if (!place) {
    return <EmptyState title={t('There is nothing at this address')} action={<ToHome go={go} />}>{t('Choose a place on the left.')}</EmptyState>;
  }
  const { component: Component, ofAgent } = place.screen;
  if (ofAgent && !agent) {
    if (loading) return null;
    if (failed) return <div className={classes.failed}><ErrorBox title={messageOf(failed)} onRetry={retry} /></div>;
    return (
      <EmptyState title={t('There is no agent “{agent}”', { agent: place.agent })} action={<ToHome go={go} />}>
        {t('It may have been closed or removed. Open its folder again on Home.')}
      </EmptyState>
    );
  }
  const key = ofAgent ? `${place.screen.id}/${agent?.id}` : place.screen.id;
  return (
    <Guard of={key}>
      <Component key={key} agent={agent} rest={place.rest} go={go} openRun={openRun} />
    </Guard>
  );
}
