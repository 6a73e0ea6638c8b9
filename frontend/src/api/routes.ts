import type * as c from './contract.gen';

/**
 * The routes the page uses: request body and answer by method and path. A
 * ":name" in a path is a parameter of the call. A new screen adds its lines here.
 */
export interface Routes {
  'GET /api/auth/session': { answer: c.Session };
  'POST /api/auth/session': { body: c.SessionRequest; answer: c.Session };

  'GET /api/agents': { answer: c.Agent[] };
  'GET /api/agents/:agent/functions/:name': { answer: c.FunctionDetail };
  'DELETE /api/agents/:agent/functions/:name': { answer: c.RemoveResponse };
  'GET /api/agents/:agent/functions/:name/invocations': {
    query: { limit?: number; cursor?: string };
    answer: c.InvocationPage;
  };
  'POST /api/agents/:agent/functions/:name/secret': { body: c.SecretRequest; answer: c.SecretResponse };
  'DELETE /api/agents/:agent/functions/:name/secret': { query: { binding: string }; answer: c.SecretResponse };

  'GET /api/local/status': { answer: c.PlatformStatus };
  'GET /api/local/docs': { answer: c.DocList };
  'GET /api/local/docs/:name': { answer: c.DocPage };
  'GET /api/local/projects': { answer: c.ProjectList };
  'POST /api/local/projects': { body: c.OpenProjectRequest; answer: c.Project };
  'DELETE /api/local/projects/:agent': { answer: unknown };
  'GET /api/local/agents/:agent/functions': { answer: c.WorkList };
  'GET /api/local/agents/:agent/functions/:name': { answer: c.WorkFunction };
  'PUT /api/local/agents/:agent/functions/:name': { body: c.SaveRequest; answer: c.WorkFunction };
  'POST /api/local/agents/:agent/functions/:name/restore': { answer: c.RestoreResponse };
  'GET /api/agents/:agent/skills': { answer: c.ConsumerList };
  'GET /api/local/agents/:agent/agentfile': { answer: c.WorkFunction };
  'PUT /api/local/agents/:agent/agentfile': { body: c.SaveRequest; answer: c.WorkFunction };
  'GET /api/local/agents/:agent/modules/:name': { answer: c.WorkFunction };
  'PUT /api/local/agents/:agent/modules/:name': { body: c.SaveRequest; answer: c.WorkFunction };
  'GET /api/local/agents/:agent/secrets': { answer: c.SecretList };
  'POST /api/local/agents/:agent/secret': { body: c.SecretRequest; answer: c.SecretResponse };
  'DELETE /api/local/agents/:agent/secret': { query: { binding: string }; answer: c.SecretResponse };
  'GET /api/local/invocations': { query: { limit?: number; cursor?: string } & Record<string, string | string[] | number | undefined>; answer: c.InvocationSearch };
  'GET /api/local/stats': { query: { agent?: string; window?: number; buckets?: number }; answer: c.Stats };
  'GET /api/local/agents/:agent/endpoints': { answer: c.AgentEndpointList };
  'PUT /api/local/agents/:agent/transports/:transport': { answer: c.TransportsResponse };
  'DELETE /api/local/agents/:agent/transports/:transport': { answer: c.TransportsResponse };
  'POST /api/local/client/:id/send': { body: c.ClientSend; answer: c.OKResponse };
  'DELETE /api/local/client/:id': { answer: c.OKResponse };
  'GET /api/local/agents/:agent/schedules': { answer: c.ScheduleList };
  'POST /api/local/agents/:agent/schedules/:id/run': { answer: c.ScheduleRunResponse };
  'GET /api/local/schedule': { query: { cron: string } | { schedule: string }; answer: c.ScheduleReading };
  'POST /api/agents/:agent/skills/:skill/use': { body: c.UseRequest; answer: c.UseResponse };
  'PATCH /api/agents/:agent/skills/:skill/use/:id': { body: Partial<c.UseRequest>; answer: c.UseResponse };
  'DELETE /api/agents/:agent/skills/:skill/use/:id': { answer: c.DetachResponse };
  'GET /api/local/agents/:agent/kv': { answer: c.KVNamespaces };
  'GET /api/local/agents/:agent/kv/items': {
    query: { function: string; scope: string; prefix?: string; cursor?: string; limit?: number; values?: boolean };
    answer: c.KVPage;
  };
  'GET /api/local/agents/:agent/kv/item': { query: { function: string; scope: string; key: string }; answer: c.KVItem };
  'PUT /api/local/agents/:agent/kv/items': { body: c.KVWrite; answer: c.KVWritten };
  'DELETE /api/local/agents/:agent/kv/item': { query: { function: string; scope: string; key: string }; answer: c.OKResponse };
  'GET /api/local/agents/:agent/content': { query: { cursor?: string; limit?: number }; answer: c.ContentPage };
  'DELETE /api/local/agents/:agent/content/:id': { answer: c.RevokeResponse };
  'GET /api/local/agents/:agent/folders': { answer: c.FolderList };
  'GET /api/local/agents/:agent/folders/:name/:alias': { query: { prefix?: string; cursor?: string; limit?: number }; answer: c.FolderPage };
  'GET /api/local/inbox': { query: { limit?: number; cursor?: string; unread?: boolean }; answer: c.InboxPage };
  'POST /api/local/inbox/read': { answer: c.InboxReadResponse };
  'POST /api/local/inbox/:id/read': { answer: c.InboxReadResponse };
  'GET /api/local/settings': { answer: c.Settings };
  'PUT /api/local/settings': { body: c.SettingsRequest; answer: c.Settings };
  'GET /api/local/drafts/:agent': { answer: c.DraftList };
  'PUT /api/local/drafts/:agent/:name/:file': { body: c.DraftRequest; answer: c.DraftKept };
  'DELETE /api/local/drafts/:agent/:name/:file': { answer: c.OKResponse };
  'GET /api/agents/:agent/api-key': { answer: c.KeyList };
  'POST /api/agents/:agent/api-key': { answer: c.CreatedKey };
  'DELETE /api/agents/:agent/api-key/:id': { answer: c.RevokeResponse };
  'GET /api/local/tokens': { answer: c.TokenList };
  'POST /api/local/tokens': { body: c.PortalTokenRequest; answer: c.PortalTokenResponse };
  'DELETE /api/local/tokens/:id': { answer: c.RevokeResponse };
  'GET /api/local/admin-key': { answer: c.KeyList };
  'POST /api/local/admin-key': { answer: c.CreatedKey };
  'DELETE /api/local/admin-key/:id': { answer: c.RevokeResponse };
  'GET /api/local/visitors': { answer: c.VisitorList };
  'POST /api/local/visitors': { body: c.VisitorRequest; answer: c.Visitor };
  'DELETE /api/local/visitors/:id': { answer: c.RevokeResponse };
  'POST /api/local/visitors/:id/key': { answer: c.CreatedKey };
  'POST /api/payments/lock': { body: c.PaymentLockRequest; answer: c.PaymentLockResponse };
  'PATCH /api/payments/lock/:id': { body: c.PaymentExtendRequest; answer: c.PaymentExtendResponse };
  'POST /api/payments/settle': { body: c.PaymentSettleRequest; answer: c.PaymentSettleResponse };
  'POST /api/payments/delegate': { body: c.PaymentDelegateRequest; answer: c.PaymentDelegateResponse };
  'DELETE /api/payments/tokens/:id': { answer: c.PaymentRevokeResponse };
  'PATCH /api/payments/tokens/:id/topup': { body: c.PaymentTopUpRequest; answer: c.PaymentTopUpResponse };
  'GET /api/local/payments/balances': { answer: c.PaymentBalances };
  'GET /api/local/payments/tokens': { query: { limit?: number; cursor?: string }; answer: c.PaymentTokenList };
  'POST /api/local/payments/mint': { body: c.PaymentMintRequest; answer: c.PaymentMintResponse };
  'POST /api/local/payments/deposit': { body: c.PaymentDepositRequest; answer: unknown };
  'GET /api/local/payments/locks': { query: { limit?: number; cursor?: string; state?: string }; answer: c.PaymentLockPage };
  'GET /api/local/payments/entries': { query: { limit?: number; cursor?: string } & Record<string, string | number | undefined>; answer: c.PaymentEntryPage };
  'GET /api/local/payments/check': { answer: c.PaymentCheck };
  'GET /api/local/agents/:agent/simulator': { answer: c.Simulator };
  'PUT /api/local/agents/:agent/simulator': { body: c.Simulator; answer: c.Simulator };
  'GET /api/local/invocations/:id': { answer: c.InvocationDetail };
  'POST /api/local/invocations/:id/cancel': { answer: c.CancelResponse };
  'GET /api/local/agents/:agent/functions/:name/permissions': { answer: c.PermissionReport };
  'GET /api/local/agents/:agent/calls': { answer: c.SavedCalls };
  'PUT /api/local/agents/:agent/functions/:name/calls/:call': { body: c.SaveCallRequest; answer: c.SavedCall };
  'DELETE /api/local/agents/:agent/functions/:name/calls/:call': { answer: c.OKResponse };
  'PUT /api/local/agents/:agent/calls/client/:call': { body: c.SaveClientCallRequest; answer: c.ClientCall };
  'POST /api/local/agents/:agent/calls/client/:call/rename': { body: c.RenameCallRequest; answer: c.ClientCall };
  'DELETE /api/local/agents/:agent/calls/client/:call': { answer: c.OKResponse };
  'GET /api/local/agents/:agent/functions/:name/versions': { answer: c.FunctionVersions };
  'GET /api/local/agents/:agent/functions/:name/versions/:version': { answer: c.FunctionVersionDetail };
}

/**
 * Answers with values that a person wrote or sends again: they are read digit by
 * digit, but for the members named here, which code reads.
 */
export const digitByDigit: Partial<Record<RouteName, readonly string[]>> = {
  'GET /api/local/invocations/:id': ['manifest'],
  'GET /api/local/agents/:agent/calls': [],
  'GET /api/local/agents/:agent/kv/items': [],
  'GET /api/local/agents/:agent/kv/item': [],
};

/** Answers that are not JSON; see Client.send. */
export const files = {
  activity: '/api/local/invocations/export',
  content: '/api/local/agents/:agent/content/:id',
  upload: '/api/local/agents/:agent/content',
  folderFile: '/api/local/agents/:agent/folders/:name/:alias/:file',
  openapi: '/api/agents/:agent/functions/openapi.json',
  ledger: '/api/local/payments/entries.csv',
  client: '/api/local/client',
} as const;

export type RouteName = keyof Routes;

/** The names of the ":name" parts of a path. */
export type PathParams<K extends string> = K extends `${string}/:${infer P}/${infer Rest}`
  ? P | PathParams<`/${Rest}`>
  : K extends `${string}/:${infer P}`
    ? P
    : never;

type Part<K extends RouteName, P extends string, N extends string> = Routes[K] extends Record<P, infer V>
  ? { [key in N]: V }
  : { [key in N]?: undefined };

export type CallInput<K extends RouteName> = ([PathParams<K>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParams<K>, string> }) &
  Part<K, 'body', 'body'> &
  Part<K, 'query', 'query'> & { signal?: AbortSignal; keepalive?: boolean; headers?: Record<string, string> };

export type Answer<K extends RouteName> = Routes[K]['answer'];
