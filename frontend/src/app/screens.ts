import { Activity, ArrowLeftRight, BookOpen, CalendarClock, Coins, Database, FileJson2, House, KeyRound, Settings, SquareFunction } from 'lucide-react';
import { unpacked } from '../api/links';
import { HomeScreen } from '../features/home/HomeScreen';
import { t } from '../i18n/t';
import { later } from '../ui/later';
import { Steady } from '../ui/Steady';
import type { Screen } from './screen';

/**
 * The places of the console, in the order of the rail. A new place is a folder
 * in features and a line here; its key is in ui/shortcuts.ts. Keys are those of
 * the eight places in their order, whether or not each of them is there.
 */
export const screens: readonly Screen[] = [
  { id: 'home', title: t('Home'), icon: House, where: 'rail', command: 'place1', ofAgent: false, component: HomeScreen },
  {
    id: 'functions',
    title: t('Functions'),
    icon: SquareFunction,
    where: 'rail',
    command: 'place2',
    ofAgent: true,
    component: later(() => import('../features/functions/FunctionsScreen')),
  },
  {
    id: 'client',
    title: t('Client'),
    icon: ArrowLeftRight,
    where: 'rail',
    command: 'place3',
    ofAgent: true,
    component: later(() => import('../features/client/ClientScreen')),
  },
  {
    id: 'activity',
    title: t('Activity'),
    icon: Activity,
    where: 'rail',
    command: 'place4',
    ofAgent: false,
    showsActivity: true,
    component: later(() => import('../features/activity/ActivityScreen')),
  },
  {
    id: 'schedules',
    title: t('Schedules'),
    icon: CalendarClock,
    where: 'rail',
    command: 'place5',
    ofAgent: true,
    component: later(() => import('../features/schedules/SchedulesScreen'), { within: Steady }),
  },
  {
    id: 'payments',
    title: t('Payments'),
    icon: Coins,
    where: 'rail',
    command: 'place6',
    ofAgent: false,
    component: later(() => import('../features/payments/PaymentsScreen'), { within: Steady }),
  },
  {
    id: 'data',
    title: t('Data'),
    icon: Database,
    where: 'rail',
    command: 'place7',
    ofAgent: true,
    component: later(() => import('../features/data/DataScreen'), { within: Steady }),
  },
  {
    id: 'secrets',
    title: t('Secrets'),
    icon: KeyRound,
    where: 'rail',
    command: 'place8',
    ofAgent: true,
    component: later(() => import('../features/secrets/SecretsScreen'), { within: Steady }),
  },
  {
    id: 'docs',
    title: t('Docs'),
    icon: BookOpen,
    where: 'bottom',
    ofAgent: false,
    component: later(() => import('../features/docs/DocsScreen')),
  },
  {
    id: 'settings',
    title: t('Settings'),
    icon: Settings,
    where: 'bottom',
    command: 'settings',
    ofAgent: false,
    component: later(() => import('../features/settings/SettingsScreen')),
  },
  {
    id: 'openapi',
    title: t('API document'),
    icon: FileJson2,
    where: 'elsewhere',
    ofAgent: true,
    component: later(() => import('../features/openapi/OpenapiScreen')),
  },
];

export interface Place {
  screen: Screen;
  /** The username in the address, if any. */
  agent?: string;
  rest: string;
}

/** Reads an address; undefined when it leads nowhere. */
export function parsePlace(path: string): Place | undefined {
  const clean = path.split('?')[0]!.replace(/\/+$/, '') || '/';
  if (clean === '/') return { screen: screens[0]!, rest: '' };
  const [, first = '', ...behind] = clean.split('/');
  const own = screens.find((s) => !s.ofAgent && s.id === first && s !== screens[0]);
  if (own) return { screen: own, rest: behind.join('/') };
  const [agent, id, ...rest] = behind;
  const screen = screens.find((s) => s.ofAgent && s.id === id);
  if (first !== 'a' || !agent || !screen) return undefined;
  return { screen, agent: unpacked(agent), rest: rest.join('/') };
}
