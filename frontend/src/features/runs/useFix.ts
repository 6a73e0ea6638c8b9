import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/ApiContext';
import type { SaveRequest, WorkFunction } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { isModule } from '../../api/queries';
import { t } from '../../i18n/t';
import { editText, type ManifestEdit } from '../../manifest/edit';
import { editHeader } from '../../manifest/header';
import { printJson } from '../../manifest/print';
import { tellManifestChanged } from './manifestChanged';

/**
 * Changes the manifest of a function as it is stored now. A function whose
 * manifest stands in AGENT.md, or in a header that is no JSON, gets a
 * manifest.json, which counts before those, and a module of endpoints a file
 * beside it. It throws when there is nothing to change, or when what was saved
 * does not load.
 */
export function useFix(agent: string, name: string): (edits: readonly ManifestEdit[], said?: (now: WorkFunction) => string) => Promise<WorkFunction> {
  const { client } = useApi();
  const cache = useQueryClient();
  return useCallback(
    async (edits, said) => {
      const params = { agent, name };
      const module = isModule(name);
      const work = await client.call(module ? 'GET /api/local/agents/:agent/modules/:name' : 'GET /api/local/agents/:agent/functions/:name', { params });
      const inEntry = module && work.handlers?.some((h) => h.own);
      if (!work.manifest && inEntry) throw new Error(t('AGENT.md says what a handler of {name} may do: add {edits} to its entry there.', { name, edits: edits.map((e) => e.label).join(', ') }));
      const source = work.manifest ? undefined : editHeader(work.source?.text ?? '', edits);
      // What counts now goes into the file that will count from then on.
      const counts = async (): Promise<unknown> => (module ? (work.handlers?.[0]?.manifest ?? {}) : (await client.call('GET /api/agents/:agent/functions/:name', { params })).manifest);
      const written = work.manifest?.text ?? (source === undefined ? printJson(await counts()) : '{}');
      const manifest = editText(written, edits);
      if (manifest === undefined) throw new Error(t('{path} is no JSON now; repair it first.', { path: work.manifest?.path || t('The manifest') }));
      const body: SaveRequest = source === undefined ? { manifest, manifestBase: work.manifest?.sha256 } : { source, sourceBase: work.source?.sha256 };
      const put = async (body: SaveRequest): Promise<WorkFunction> => {
        const now = await client.call(module ? 'PUT /api/local/agents/:agent/modules/:name' : 'PUT /api/local/agents/:agent/functions/:name', { params, body });
        cache.setQueryData(keys.workFunction(agent, name), now);
        void cache.invalidateQueries({ queryKey: keys.work(agent) });
        return now;
      };
      const now = await put(body);
      // The text as it was before, over the one that this made: what came later is no part of it.
      const before = work.manifest ? { manifest: work.manifest.text, manifestBase: now.manifest?.sha256 } : source === undefined ? undefined : { source: work.source?.text, sourceBase: now.source?.sha256 };
      if (before) tellManifestChanged(said?.(now) ?? t('The manifest of {name} has {edits} now.', { name, edits: edits.map((e) => e.label).join(', ') }), () => put(before));
      if (!work.manifest && source === undefined && module) notifications.show({ message: t('{name} has {path} beside it now, which says what its handlers may do.', { name, path: now.manifest?.path ?? '' }) });
      else if (!work.manifest && source === undefined) notifications.show({ message: t('{name} has a manifest.json now, which counts before its header and AGENT.md.', { name }) });
      if (now.broken) throw new Error(t('The manifest is saved, but {name} does not load: {message}', { name, message: now.errors[0]?.message ?? t('see its problems') }));
      return now;
    },
    [agent, cache, client, name],
  );
}
