import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/ApiContext';
import type { WorkFunction } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { editText, type ManifestEdit } from '../../manifest/edit';

/**
 * Changes the manifest of a function as it is stored now. It throws when there
 * is no manifest.json to change, or when what was saved does not load.
 */
export function useFix(agent: string, name: string): (edits: readonly ManifestEdit[]) => Promise<WorkFunction> {
  const { client } = useApi();
  const cache = useQueryClient();
  return useCallback(
    async (edits) => {
      const params = { agent, name };
      const work = await client.call('GET /api/local/agents/:agent/functions/:name', { params });
      if (!work.manifest) throw new Error(t('{name} has no manifest.json: add {edits} to the permissions in its header or in AGENT.md.', { name, edits: edits.map((e) => e.label).join(' and ') }));
      const manifest = editText(work.manifest.text, edits);
      if (manifest === undefined) throw new Error(t('{path} is no JSON now; repair it first.', { path: work.manifest.path || t('The manifest') }));
      const now = await client.call('PUT /api/local/agents/:agent/functions/:name', { params, body: { manifest, manifestBase: work.manifest.sha256 } });
      cache.setQueryData(keys.workFunction(agent, name), now);
      void cache.invalidateQueries({ queryKey: keys.work(agent) });
      if (now.broken) throw new Error(t('The manifest is saved, but {name} does not load: {message}', { name, message: now.errors[0]?.message ?? t('see its problems') }));
      return now;
    },
    [agent, cache, client, name],
  );
}
