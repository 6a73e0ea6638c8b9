import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { fillPath, type Client } from '../../api/client';
import type { Agent, ContentItem } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { files as paths } from '../../api/routes';
import { t } from '../../i18n/t';
import { bytes } from '../../ui/format';
import { mostBytes } from './preview';

/** Failures that are named; the others are counted. */
const namedFailures = 3;

/** Files of which some have the names of items that are there. */
export interface Doubled {
  files: readonly File[];
  /** The items whose place they could take, by name. */
  items: ReadonlyMap<string, ContentItem>;
}

/** Stores files as content items. One that cannot be stored is told, and holds up none of the others. */
export function useUpload(agent: Agent, stored: (id: string) => void, done: () => Promise<unknown>) {
  const { client } = useApi();
  const [progress, setProgress] = useState<{ at: number; of: number }>();
  const [doubled, setDoubled] = useState<Doubled>();

  const send = async (files: readonly File[], inPlaceOf: ReadonlyMap<string, ContentItem>) => {
    setDoubled(undefined);
    const free = new Map(inPlaceOf);
    const failures: string[] = [];
    for (const [i, file] of files.entries()) {
      setProgress({ at: i + 1, of: files.length });
      try {
        stored(await store(client, agent, file, free.get(file.name)?.id));
        free.delete(file.name); // two of one name in two folders are two items
      } catch (error) {
        failures.push(t('{name}: {message}', { name: file.name, message: messageOf(error) }));
      }
    }
    setProgress(undefined);
    if (failures.length > 0) tell(failures);
    await done();
  };
  const upload = async (choosing: readonly File[] | Promise<readonly File[]>) => {
    try {
      const files = await choosing;
      if (files.length === 0) return;
      setProgress({ at: 0, of: files.length });
      const items = await itemsNamed(client, agent, new Set(files.map((f) => f.name)));
      if (items.size === 0) return await send(files, items);
      setDoubled({ files, items });
    } catch (error) {
      tell([messageOf(error)]);
    }
    setProgress(undefined);
  };
  return { upload, progress, doubled, send, drop: () => setDoubled(undefined) };
}

async function store(client: Client, agent: Agent, file: File, id: string | undefined): Promise<string> {
  if (file.size > mostBytes) throw new Error(t('it has {size}; an item has {size2} at most.', { size: bytes(file.size), size2: bytes(mostBytes) }));
  const query = new URLSearchParams({ name: file.name, ...(file.type && { type: file.type }), ...(id && { id }) });
  // Bytes and not the file itself: the window's web view loses files on their way.
  const res = await client.send(`${fillPath(paths.upload, { agent: agent.id })}?${query}`, {
    method: 'POST',
    body: await file.arrayBuffer(),
    headers: { 'Content-Type': 'application/octet-stream' },
  });
  return ((await res.json()) as ContentItem).id;
}

/** The newest item of each of these names, also of those that no list has shown yet. */
async function itemsNamed(client: Client, agent: Agent, names: ReadonlySet<string>): Promise<Map<string, ContentItem>> {
  const found = new Map<string, ContentItem>();
  let cursor: string | undefined;
  do {
    const p = await client.call('GET /api/local/agents/:agent/content', { params: { agent: agent.id }, query: { cursor, limit: 1000 } });
    for (const it of p.items) if (names.has(it.displayName) && !found.has(it.displayName)) found.set(it.displayName, it);
    cursor = p.nextCursor ?? undefined;
  } while (cursor && found.size < names.size);
  return found;
}

function tell(failures: readonly string[]): void {
  notifications.show({
    color: 'red',
    autoClose: 12_000,
    title: t('{n, plural, one {A file was not stored} other {# files were not stored}}', { n: failures.length }),
    message: (
      <>
        {failures.slice(0, namedFailures).map((text, i) => (
          <div key={i}>{text}</div>
        ))}
        {failures.length > namedFailures && <div>{t('{n, plural, one {And # more.} other {And # more.}}', { n: failures.length - namedFailures })}</div>}
      </>
    ),
  });
}
