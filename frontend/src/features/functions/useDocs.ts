import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Client } from '../../api/client';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { Docs } from './docs';
import { Drafts } from './drafts';

const kept = new Map<string, Docs>();

/** The edits of a data directory, alive while the page is: a visit to another place loses none. */
function docsOf(dataId: string, client: Client): Docs {
  const docs = kept.get(dataId) ?? new Docs(new Drafts(dataId, client));
  kept.set(dataId, docs);
  docs.drafts.use(client);
  return docs;
}

/** The edits of this platform; ready when the drafts that it keeps of the agent are there. */
export function useDocs(agent: string): { docs: Docs; ready: boolean; problem: string | undefined; retry: () => void } {
  const { boot, client } = useApi();
  const docs = docsOf(boot.dataId, client);
  const [loaded, setLoaded] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(() => {
    setProblem(undefined);
    docs.drafts.load(agent).then(
      () => setLoaded(agent),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [agent, docs]);
  useEffect(load, [load]);
  useEffect(() => {
    docs.drafts.onRefused = (id, error) =>
      notifications.show({
        id: `draft:${id}`,
        color: 'yellow',
        autoClose: false,
        title: t('Unsaved text of {id} is kept in this browser alone', { id: id.slice(id.indexOf('/') + 1) }),
        message: error.message,
      });
    const flush = () => docs.flush();
    const last = () => docs.flush(true);
    const hidden = () => document.visibilityState === 'hidden' && docs.flush();
    window.addEventListener('blur', flush);
    window.addEventListener('pagehide', last);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      docs.flush();
      docs.drafts.onRefused = undefined;
      window.removeEventListener('blur', flush);
      window.removeEventListener('pagehide', last);
      document.removeEventListener('visibilitychange', hidden);
    };
  }, [docs]);
  return { docs, ready: loaded === agent, problem, retry: load };
}
