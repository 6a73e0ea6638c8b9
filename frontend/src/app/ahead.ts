import type { Client } from '../api/client';
import { unpacked } from '../api/links';
import { readStored } from '../ui/stored';

/** Asks for what the place of an address shows first, while its code is on its way. */
export async function askAhead(client: Client, hash: string): Promise<void> {
  const agents = client.ahead('GET /api/agents', {});
  const [, username, name] = /^#\/a\/([^/]+)\/functions(?:\/([^/]+))?/.exec(hash) ?? [];
  if (!username) return;
  const named = unpacked(username);
  const agent = (await agents).find((a) => a.username === named || a.id === named)?.id;
  if (!agent) return;
  // links.function escapes a name twice, and no router has undone that here.
  const shown = name ? unpacked(unpacked(name)) : readStored(`last:${agent}`, '');
  const params = { agent, name: shown };
  await Promise.all([
    client.ahead('GET /api/local/agents/:agent/functions', { params: { agent } }),
    client.ahead('GET /api/local/drafts/:agent', { params: { agent } }),
    shown && client.ahead(shown.includes('/') ? 'GET /api/local/agents/:agent/modules/:name' : 'GET /api/local/agents/:agent/functions/:name', { params }),
  ]);
}
