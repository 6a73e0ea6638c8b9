import { Client } from '../api/client';
import type { Boot } from '../api/contract.gen';
import { messageOf } from '../api/errors';
import { unpacked } from '../api/links';
import { t } from '../i18n/t';
import { askAhead } from './ahead';

/** How far the page has come: who it talks to, and whether it may. */
export type Session =
  | { state: 'starting' }
  | { state: 'unreachable'; message: string }
  | { state: 'login'; boot: Boot; client: Client; problem?: string }
  | { state: 'in'; boot: Boot; client: Client };

/** Takes a one-time login code out of the address, so that it is in no bookmark and no history. */
export function takeLoginCode(loc: Location = location, hist: History = history): string | undefined {
  const match = /^#login=([^&]+)/.exec(loc.hash);
  if (!match) return undefined;
  hist.replaceState(null, '', loc.pathname + loc.search);
  return unpacked(match[1]!);
}

/** Finds the platform, exchanges a login code if there is one, and asks who we are. */
export async function begin(code: string | undefined): Promise<Session> {
  let boot: Boot;
  try {
    const res = await fetch('/boot.json', { cache: 'no-store' });
    if (!res.ok) throw new Error(t('Benchtop answered {status} to boot.json.', { status: res.status }));
    boot = (await res.json()) as Boot;
  } catch (error) {
    return { state: 'unreachable', message: messageOf(error) };
  }
  const client = new Client(boot);
  let problem: string | undefined;
  if (code) {
    try {
      await client.call('POST /api/auth/session', { body: { code } });
    } catch (error) {
      problem = messageOf(error);
    }
  }
  void askAhead(client, location.hash).catch(() => undefined); // who has no session learns it below
  try {
    const who = await client.call('GET /api/auth/session', {});
    if (who.authenticated && who.kind === 'owner') return { state: 'in', boot, client };
  } catch (error) {
    problem ??= messageOf(error);
  }
  return { state: 'login', boot, client, problem };
}
