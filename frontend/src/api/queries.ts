import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useApi } from './ApiContext';
import type { Client } from './client';
import type { SaveRequest, WorkFunction } from './contract.gen';
import { keys } from './keys';

export function useAgents() {
  const { client } = useApi();
  return useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => client.call('GET /api/agents', { signal }) });
}

export function useStatus() {
  const { client } = useApi();
  return useQuery({ queryKey: keys.status, queryFn: ({ signal }) => client.call('GET /api/local/status', { signal }) });
}

export function useProjects() {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.projects,
    queryFn: ({ signal }) => client.call('GET /api/local/projects', { signal }),
  });
}

/** The functions of an agent as the workbench sees them. */
export function useWork(agent: string | undefined) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.work(agent ?? ''),
    enabled: agent !== undefined,
    queryFn: ({ signal }) =>
      client.call('GET /api/local/agents/:agent/functions', { params: { agent: agent ?? '' }, signal }),
  });
}

/** Whether a name is that of a module of endpoints: a path, which no function has for a name. */
export const isModule = (name: string): boolean => name.includes('/');

/** The name under which AGENT.md is worked on; no function can have it. */
export const agentFile = 'AGENT.md';

/** Whether a name is that of a function, and not of a module or AGENT.md. */
export const isFunction = (name: string): boolean => !isModule(name) && name !== agentFile;

/** Asks for what is worked on under a name: a function, a module of endpoints or AGENT.md. */
export function readWork(client: Client, agent: string, name: string, signal?: AbortSignal): Promise<WorkFunction> {
  if (name === agentFile) return client.call('GET /api/local/agents/:agent/agentfile', { params: { agent }, signal });
  return client.call(isModule(name) ? 'GET /api/local/agents/:agent/modules/:name' : 'GET /api/local/agents/:agent/functions/:name', { params: { agent, name }, signal });
}

/** Saves what is worked on under a name. */
export function saveWork(client: Client, agent: string, name: string, body: SaveRequest): Promise<WorkFunction> {
  if (name === agentFile) return client.call('PUT /api/local/agents/:agent/agentfile', { params: { agent }, body });
  return client.call(isModule(name) ? 'PUT /api/local/agents/:agent/modules/:name' : 'PUT /api/local/agents/:agent/functions/:name', { params: { agent, name }, body });
}

/** One function with its texts, or one module of endpoints, or AGENT.md. */
export function useWorkFunction(agent: string, name: string | undefined) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.workFunction(agent, name ?? ''),
    enabled: Boolean(name),
    queryFn: ({ signal }) => readWork(client, agent, name ?? '', signal),
  });
}

/** What serves: the normalised manifest of a function's present version. */
export function useDeclared(agent: string, name: string, enabled: boolean) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.declared(agent, name),
    enabled,
    queryFn: ({ signal }) => client.call('GET /api/agents/:agent/functions/:name', { params: { agent, name }, signal }),
  });
}

export function useSecrets(agent: string | undefined) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.secrets(agent ?? ''),
    enabled: agent !== undefined,
    queryFn: ({ signal }) =>
      client.call('GET /api/local/agents/:agent/secrets', { params: { agent: agent ?? '' }, signal }),
  });
}

const historyPage = 50;

/** The invocations of a function, newest first, a page at a time. */
export function useHistory(agent: string, name: string) {
  const { client } = useApi();
  return useInfiniteQuery({
    queryKey: keys.history(agent, name),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.call('GET /api/agents/:agent/functions/:name/invocations', {
        params: { agent, name },
        query: { limit: historyPage, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

export function useInvocation(id: string | undefined) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.invocation(id ?? ''),
    enabled: Boolean(id),
    queryFn: ({ signal }) => client.call('GET /api/local/invocations/:id', { params: { id: id ?? '' }, signal }),
  });
}

/** The calls that are kept as files of the project. Others may write them, so they are asked for anew. */
export function useCalls(agent: string | undefined) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.calls(agent ?? ''),
    enabled: agent !== undefined,
    staleTime: 0,
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/calls', { params: { agent: agent ?? '' }, signal }),
  });
}

/** Every version a function ever had, the newest first. */
export function useVersions(agent: string, name: string, enabled = true) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.versions(agent, name),
    enabled,
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/functions/:name/versions', { params: { agent, name }, signal }),
  });
}

/** One version with its texts; it never changes. */
export function useVersion(agent: string, name: string, version: number | undefined) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.version(agent, name, version ?? 0),
    enabled: Boolean(version),
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      client.call('GET /api/local/agents/:agent/functions/:name/versions/:version', { params: { agent, name, version: String(version) }, signal }),
  });
}

/** The newest invocations of an agent, for choosing one. */
export function useRecentRuns(agent: string | undefined) {
  const { client } = useApi();
  return useQuery({
    queryKey: keys.recentRuns(agent ?? ''),
    enabled: agent !== undefined,
    staleTime: 0,
    queryFn: ({ signal }) => client.call('GET /api/local/invocations', { query: { agent, limit: 20 }, signal }),
  });
}
