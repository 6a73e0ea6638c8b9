import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { createSpotlight } from '@mantine/spotlight';
import { Bookmark, Clock, Command, Contrast, FileText, FolderOpen, History, Search, Settings, SquareFunction, UserRound } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { Agent, SavedCalls } from '../api/contract.gen';
import { links, runIdIn } from '../api/links';
import { useCalls, useRecentRuns, useWork } from '../api/queries';
import { momentText, presetsAt, wireOf } from '../features/clock/moment';
import { clockZone, setClock } from '../features/clock/useClock';
import { sections } from '../features/settings/sections';
import { t } from '../i18n/t';
import { useAvailable, useCommands } from '../ui/commands';
import { clock } from '../ui/format';
import { Keys } from '../ui/Keys';
import { shortcuts, type ShortcutId } from '../ui/shortcuts';
import type { ScreenProps } from './screen';
import { screens } from './screens';
import classes from './Palette.module.css';

export type PaletteMode = 'all' | 'functions';

interface Props {
  mode: PaletteMode | undefined;
  onClose: () => void;
  agent: Agent | undefined;
  agents: readonly Agent[];
  go: ScreenProps['go'];
  goPlace: (id: string) => void;
  openRun: (id: string) => void;
  onAskClock: () => void;
}

const [store, spotlight] = createSpotlight();

const themes = [
  { value: 'light', label: t('Theme: light') },
  { value: 'dark', label: t('Theme: dark') },
  { value: 'auto', label: t('Theme: as the system') },
] as const;

/** Finds places, functions, saved calls, runs, agents, commands and settings by typing. */
export function Palette({ mode, onClose, agent, agents, go, goPlace, openRun, onAskClock }: Props) {
  const commands = useCommands();
  const available = useAvailable();
  const { setColorScheme } = useMantineColorScheme();
  const work = useWork(agent?.id);
  const calls = useCalls(mode === 'all' && agent?.folder ? agent.id : undefined).data;
  const runs = useRecentRuns(mode === 'all' ? agent?.id : undefined).data?.invocations;
  const [text, setText] = useState('');
  const pasted = mode === 'all' ? runIdIn(text) : undefined;
  useEffect(() => (mode ? spotlight.open() : spotlight.close()), [mode]);
  useEarlyKeys(mode !== undefined, setText);

  const groups = useMemo<SpotlightActionGroupData[]>(() => {
    const functions: SpotlightActionData[] = agent
      ? [...(work.data?.functions ?? []), ...(work.data?.modules ?? []), ...(work.data?.agentFile ? [work.data.agentFile] : [])].map((f) => ({
          id: `fn:${f.name}`,
          label: f.name,
          description: f.layout === 'agent' ? (f.broken ? t('has problems') : t('Name, model, skills and instructions of the agent')) : f.broken ? t('does not load') : undefined,
          leftSection: f.layout === 'agent' ? <FileText size={16} /> : <SquareFunction size={16} />,
          onClick: () => go(links.function(agent.username, f.name)),
        }))
      : [];
    if (mode === 'functions') return [{ group: t('Functions'), actions: functions }];
    const placeIds = screens.flatMap((s) => s.command ?? []) as ShortcutId[];
    return [
      {
        group: t('Places'),
        actions: screens
          .filter((s) => !s.ofAgent || agent)
          .map(({ id, title, icon: Icon, command }) => ({
            id: `place:${id}`,
            label: title,
            leftSection: <Icon size={16} />,
            rightSection: command && <Keys keys={shortcuts[command].keys} />,
            onClick: () => goPlace(id),
          })),
      },
      { group: t('Functions'), actions: functions },
      {
        group: t('Saved calls'),
        actions: agent ? savedActions(agent, calls, go) : [],
      },
      {
        group: t('Run of this id'),
        // The text itself is what it is found by: an id, or an address with one.
        actions: pasted ? [{ id: `id:${pasted}`, label: t('Open the run of this id'), description: pasted, keywords: text, leftSection: <History size={16} />, onClick: () => openRun(pasted) }] : [],
      },
      {
        group: t('Recent runs'),
        actions: (runs ?? [])
          .filter((r) => r.source_skill !== 'authoring' && r.id !== pasted)
          .map((r) => ({
            id: `run:${r.id}`,
            label: `${r.function_name}, ${r.error_code ?? r.status}`,
            description: clock(r.started_at),
            keywords: r.id,
            leftSection: <History size={16} />,
            onClick: () => openRun(r.id),
          })),
      },
      {
        group: t('Agents'),
        actions: agents
          .filter((a) => a.id !== agent?.id)
          .map((a) => ({
            id: `agent:${a.id}`,
            label: a.username,
            description: a.folder,
            leftSection: <UserRound size={16} />,
            onClick: () => go(links.place(a.username, 'functions')),
          })),
      },
      {
        group: t('Commands'),
        actions: available
          .filter((id) => !placeIds.includes(id) && !['palette', 'goToFunction'].includes(id))
          .map((id) => ({
            id: `command:${id}`,
            label: shortcuts[id].title,
            leftSection: <Command size={16} />,
            rightSection: <Keys keys={shortcuts[id].keys} />,
            // After the palette has gone, so that what the command opens gets the focus.
            onClick: () => void setTimeout(() => commands.run(id), 0),
          })),
      },
      {
        group: t('Clock'),
        actions: mode === 'all' && agent ? clockActions(agent, onAskClock) : [],
      },
      {
        group: t('Settings'),
        actions: [
          { id: 'open', label: t('Open a folder or a sample'), leftSection: <FolderOpen size={16} />, onClick: () => go(links.home()) },
          ...themes.map(({ value, label }) => ({ id: `theme:${value}`, label, leftSection: <Contrast size={16} />, onClick: () => setColorScheme(value) })),
          ...sections.map(({ id, title, about }) => ({
            id: `settings:${id}`,
            label: title,
            description: about,
            leftSection: <Settings size={16} />,
            onClick: () => go(links.settings(id)),
          })),
        ],
      },
    ].filter((g) => g.actions.length > 0);
  }, [agent, agents, available, calls, commands, go, goPlace, mode, onAskClock, openRun, pasted, runs, setColorScheme, text, work.data]);

  return (
    <Spotlight
      store={store}
      actions={groups}
      shortcut={null}
      // Gone at once: a key pressed after a choice must not land in a search that is fading out.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t('Search and commands'), 'data-palette': '' } }}
      onSpotlightClose={onClose}
      nothingFound={t('Nothing matches')}
      query={text}
      onQueryChange={setText}
      highlightQuery
      scrollable
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      classNames={{ action: classes.action, actionsGroup: classes.group, actionDescription: classes.description }}
      maxHeight={420}
      limit={40}
      searchProps={{
        leftSection: <Search size={16} />,
        placeholder: mode === 'functions' ? t('Go to function') : t('Search places, functions and commands'),
        'aria-label': t('Search'),
      }}
    />
  );
}

/**
 * Whoever opens the palette goes on typing at once. Until its field has the focus,
 * keys would go to what had it before, such as the editor: they are the search's.
 */
function useEarlyKeys(open: boolean, change: (next: (text: string) => string) => void) {
  useLayoutEffect(() => {
    if (!open) return;
    const early = (e: KeyboardEvent) => {
      if (document.activeElement?.closest('[data-palette]')) return;
      if (e.ctrlKey || e.metaKey || e.altKey || e.key === 'Escape' || e.key === 'Tab') return;
      e.preventDefault();
      e.stopImmediatePropagation();
      if (e.key.length === 1) change((text) => text + e.key);
      else if (e.key === 'Backspace') change((text) => text.slice(0, -1));
    };
    window.addEventListener('keydown', early, true);
    return () => window.removeEventListener('keydown', early, true);
  }, [open, change]);
}

/** What runs of the agent may see as the time. */
function clockActions(agent: Agent, onAsk: () => void): SpotlightActionData[] {
  const leftSection = <Clock size={16} />;
  const zone = clockZone();
  const keywords = [t('clock'), t('time'), t('date')];
  return [
    { id: 'clock:live', label: t('Clock: live'), description: t('runs see the real time'), keywords, leftSection, onClick: () => setClock(agent.id, undefined) },
    ...presetsAt(Date.now(), zone).map(({ id, label, ms }) => {
      const wire = wireOf(ms, zone);
      return { id: `clock:${id}`, label: t('Clock: {moment}', { moment: label }), description: momentText(wire), keywords, leftSection, onClick: () => setClock(agent.id, wire) };
    }),
    // After the palette has gone, so that the field gets the focus.
    { id: 'clock:other', label: t('Clock: another moment…'), keywords, leftSection, onClick: () => void setTimeout(onAsk, 0) },
  ];
}

/** The saved calls of functions and of Client. A broken file is Client's to show. */
function savedActions(agent: Agent, calls: SavedCalls | undefined, go: ScreenProps['go']): SpotlightActionData[] {
  const icon = <Bookmark size={16} />;
  return [
    ...(calls?.calls ?? []).map((c) => ({ id: `call:${c.function}/${c.name}`, label: c.name, description: t('of {function}', { function: c.function }), leftSection: icon, onClick: () => go(links.call(agent.username, c.function, c.name)) })),
    ...(calls?.client ?? []).flatMap(({ name, call }) =>
      call ? [{ id: `client:${name}`, label: name, description: t('in Client: {tab} {method} {path}', { tab: call.tab, method: call.method ?? '', path: call.path ?? '' }).trim(), leftSection: icon, onClick: () => go(links.clientCall(agent.username, name)) }] : [],
    ),
  ];
}
