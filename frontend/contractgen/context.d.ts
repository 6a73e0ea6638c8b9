/** What a handler gets: one invocation and what its manifest grants. */
interface Ctx {
  /** The HTTP request, for invocations that came from one. */
  readonly request: CtxRequest;
  /** What this invocation came from. */
  readonly source: { skill: string; consumerId?: string; invocationId: string; billedTo?: string };
  /** The tool call, for invocations with arguments. */
  readonly toolCall?: { name: string; params: any; callId: string };
  /** The planned and the real time of a scheduled run. */
  readonly schedule?: { plannedAt: string; firedAt: string };
  /** Who calls. */
  readonly auth: {
    userId: string | null;
    agentId: string | null;
    scopes: string[];
    authenticated: boolean;
    /** Of a visitor, as far as permissions.visitor_profile asks for it. */
    profile?: { displayName?: string; avatarUrl?: string; email?: string };
    /** Of a portal token. */
    claims?: { sub: string; agent_id?: string; scopes: string[]; jti: string };
    /** The payment token that came with the call; its balance is nanocents. */
    payment?: { tokenSub: string; balance: number };
  };
  /** The limits this invocation runs under. */
  readonly limits: { wallMs: number; cpuMs: number; memoryMb: number; ingressBytes: number; egressBytes: number };
  /** Calls an address that permissions.fetch allows. */
  fetch(url: string | URL | Request, init?: RequestInit & { timeoutMs?: number }): Promise<Response>;
  /** Writes to the invocation's log, 64 KB at most. */
  readonly log: {
    debug(...values: unknown[]): void;
    info(...values: unknown[]): void;
    warn(...values: unknown[]): void;
    error(...values: unknown[]): void;
  };
  /** Sends an event to whoever follows this invocation. */
  emit(event: string, payload?: unknown): void;
  // host calls
}

interface CtxRequest {
  readonly method: string;
  /** The path after the agent's own address, with its escapes. */
  readonly path: string;
  /** The whole address as it was asked for. */
  readonly url: string;
  /** What :name in the path of the endpoint stands for, unescaped. */
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: any;
  /** The bytes of the body, when permissions.rawBody is true. */
  readonly rawBody?: Uint8Array;
  text(): Promise<string>;
  json(): Promise<any>;
  arrayBuffer(): Promise<ArrayBuffer>;
}
