import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Agent } from '../api/contract.gen';
import type { Later } from '../ui/later';
import type { ShortcutId } from '../ui/shortcuts';

/** What every screen gets from the shell. */
export interface ScreenProps {
  /** The agent in view; a screen that needs none may ignore it. */
  agent: Agent | undefined;
  /** The rest of the address behind the screen's own part, without a leading slash. */
  rest: string;
  /** Goes to an address made by links. */
  go: (to: string, options?: { replace?: boolean }) => void;
  /** Shows the details of an invocation over the screen. */
  openRun: (id: string) => void;
}

/** A place of the console. */
export interface Screen {
  id: string;
  title: string;
  icon: LucideIcon;
  /** Where it is reached: in the rail, at the rail's bottom, or only from other places and the palette. */
  where: 'rail' | 'bottom' | 'elsewhere';
  command?: ShortcutId;
  /** Whether the place is about one agent; those need one in the address. */
  ofAgent: boolean;
  /** Whether the place shows activity itself, so that the band would say it twice. */
  showsActivity?: boolean;
  component: ComponentType<ScreenProps> & Partial<Pick<Later<ScreenProps>, 'preload'>>;
}
