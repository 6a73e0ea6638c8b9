import { ActionIcon, Menu, Popover, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Check, ChevronDown, Contrast, FileJson2, Info, Keyboard, Moon, Plus, Search, Sun } from 'lucide-react';
import { useApi, useStreamState } from '../api/ApiContext';
import type { Agent } from '../api/contract.gen';
import { links } from '../api/links';
import { useStatus } from '../api/queries';
import { messageOf } from '../api/errors';
import { t } from '../i18n/t';
import { useNative } from '../native/NativeContext';
import { ClockMenu } from '../features/clock/ClockMenu';
import { InboxButton } from '../features/inbox/InboxButton';
import { Hint } from '../ui/Keys';
import { keyLabels, shortcuts } from '../ui/shortcuts';
import { Logo } from './Logo';
import type { ScreenProps } from './screen';
import { screens } from './screens';
import classes from './TopBar.module.css';

interface Props {
  agent: Agent | undefined;
  agents: readonly Agent[];
  screen: string | undefined;
  go: ScreenProps['go'];
  openRun: (id: string) => void;
  onPalette: () => void;
  onSheet: () => void;
  askClock: boolean;
  onAskClock: (asking: boolean) => void;
}

export function TopBar(props: Props) {
  return (
    <header className={classes.bar}>
      <div className={classes.left}>
        <Logo />
        <AgentMenu {...props} />
      </div>
      <button type="button" className={classes.search} onClick={props.onPalette}>
        <Search size={14} aria-hidden />
        <span className={classes.searchText}>{t('Search or run…')}</span>
        <span className={classes.searchKeys}>{keyLabels(shortcuts.palette.keys).join(' ')}</span>
      </button>
      <div className={classes.right}>
        <Notices />
        <Connection />
        <ClockMenu agent={props.agent} asking={props.askClock} onAsking={props.onAskClock} />
        <InboxButton agents={props.agents} go={props.go} openRun={props.openRun} />
        <Hint label={t('Keyboard shortcuts')} command="cheatSheet">
          <ActionIcon aria-label={t('Keyboard shortcuts')} onClick={props.onSheet}>
            <Keyboard size={16} />
          </ActionIcon>
        </Hint>
        <ThemeMenu />
      </div>
    </header>
  );
}

function AgentMenu({ agent, agents, screen, go }: Props) {
  const target = screens.find((s) => s.id === screen && s.ofAgent)?.id ?? 'functions';
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <button type="button" className={classes.agent} aria-label={agent ? t('Agent {username}, switch', { username: agent.username }) : t('No agent')}>
          <span className={classes.agentName}>{agent?.username ?? t('No agent')}</span>
          <ChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {agents.length > 0 && <Menu.Label>{t('Agents')}</Menu.Label>}
        {agents.map((a) => (
          <Menu.Item
            key={a.id}
            rightSection={a.id === agent?.id ? <Check size={14} aria-label={t('in view')} /> : undefined}
            onClick={() => go(links.place(a.username, target))}
          >
            <span className={classes.menuName}>{a.username}</span>
            {a.folder && <span className={classes.menuPath}>{a.folder}</span>}
          </Menu.Item>
        ))}
        {agents.length > 0 && <Menu.Divider />}
        {agent && (
          <Menu.Item leftSection={<FileJson2 size={14} />} onClick={() => go(links.place(agent.username, 'openapi'))}>
            {t('API document of {username}', { username: agent.username })}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Plus size={14} />} onClick={() => go(links.home())}>
          {t('Open a folder or a sample')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const states = {
  connecting: { word: t('Connecting'), detail: t('Waiting for the live stream.') },
  live: { word: t('Live'), detail: t('Everything that happens shows at once. Click to copy the address.') },
  down: { word: t('Reconnecting'), detail: t('The live stream is down: the page asks every 5 s until it is back.') },
} as const;

function Connection() {
  const state = useStreamState();
  const { client } = useApi();
  const native = useNative();
  const url = client.absolute('');
  const port = /:(\d+)$/.exec(url)?.[0] ?? '';
  const { word, detail } = states[state];
  const copy = () =>
    native
      .copy(url)
      .then(() => notifications.show({ message: t('{url} is on the clipboard', { url }) }))
      .catch((error: unknown) => notifications.show({ color: 'red', message: messageOf(error) }));
  return (
    <Hint label={detail}>
      <button type="button" className={classes.connection} data-state={state} onClick={() => void copy()} aria-label={t('{word}, {url}. Copy the address', { word, url })}>
        <span className={classes.dot} aria-hidden />
        <span>{word}</span>
        <span className={classes.port}>{port}</span>
      </button>
    </Hint>
  );
}

function Notices() {
  const notices = useStatus().data?.notices ?? [];
  if (notices.length === 0) return null;
  return (
    <Popover position="bottom-end" width={340} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={classes.notice} data-kind={notices.some((n) => n.kind === 'warning') ? 'warning' : 'info'}>
          <Info size={14} aria-hidden />
          {notices.length === 1 ? t('1 notice') : t('{notices} notices', { notices: notices.length })}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={classes.notices}>
          {notices.map((n) => (
            <li key={n.message}>{n.message}</li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

const schemes: { value: MantineColorScheme; label: string; icon: typeof Sun }[] = [
  { value: 'light', label: t('Light'), icon: Sun },
  { value: 'dark', label: t('Dark'), icon: Moon },
  { value: 'auto', label: t('As the system'), icon: Contrast },
];

function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = schemes.find((s) => s.value === colorScheme)?.icon ?? Contrast;
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        <ActionIcon aria-label={t('Theme')}>
          <Icon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: I }) => (
          <Menu.Item
            key={value}
            leftSection={<I size={14} />}
            rightSection={value === colorScheme ? <Check size={14} aria-label={t('chosen')} /> : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
