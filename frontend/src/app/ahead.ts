import type { Client } from '../api/client';
import { readStored } from '../ui/stored';

/** Asks for what the place of an address shows first, while its code is on its way. */
export async function askAhead(client: Client, hash: string): Promise<void> {
  const agents = client.ahead('GET /api/agents', {});
  const [, username, name] = /^#\/a\/([^/]+)\/functions(?:\/([^/]+))?/.exec(hash) ?? [];
  if (!username) return;
  const named = decodeURIComponent(username);
  const agent = (await agents).find((a) => a.username === named || a.id === named)?.id;
  if (!agent) return;
  const shown = name ? decodeURIComponent(name) : readStored(`last:${agent}`, '');
  const params = { agent, name: shown };
  await Promise.all([
    client.ahead('GET /api/local/agents/:agent/functions', { params: { agent } }),
    client.ahead('GET /api/local/drafts/:agent', { params: { agent } }),
    shown && client.ahead(shown.includes('/') ? 'GET /api/local/agents/:agent/modules/:name' : 'GET /api/local/agents/:agent/functions/:name', { params }),
  ]);
}
