import type { WorkHandler } from '../../../api/contract.gen';
import { t } from '../../../i18n/t';
import { isObject } from '../../../ui/schema/schema';

const types: Record<string, string> = { string: 'string', boolean: 'boolean', integer: 'number', number: 'number', object: 'Record<string, any>', array: 'any[]', null: 'null' };

/** The names in the path of an endpoint's id: "GET /users/{id}" or "GET /users/:id". */
function pathNames(id: string): string[] {
  return [...id.matchAll(/\{(\w+)\}|\/:(\w+)/g)].map((m) => m[1] ?? m[2] ?? '');
}

/** The arguments that handlers of a module get, by name, as members of a type. */
function argsOf(handlers: readonly WorkHandler[]): string {
  const found = new Map<string, { type: string; by: number; optional: boolean }>();
  const add = (name: string, type: string, optional: boolean) => {
    const was = found.get(name);
    found.set(name, { type: was && was.type !== type ? 'any' : type, by: (was?.by ?? 0) + 1, optional: optional || (was?.optional ?? false) });
  };
  for (const h of handlers) {
    const schema = isObject(h.parameters) ? h.parameters : {};
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const named = pathNames(h.id);
    for (const name of named) if (!(name in properties)) add(name, 'string', false);
    for (const [name, p] of Object.entries(properties)) {
      const type = isObject(p) && typeof p.type === 'string' ? (types[p.type] ?? 'any') : 'any';
      add(name, type, !required.includes(name) && !named.includes(name));
    }
  }
  const members = [...found].map(([name, m]) => `${JSON.stringify(name)}${m.optional || m.by < handlers.length ? '?' : ''}: ${m.type}`);
  // Query and body may bring more than is declared.
  return `{ ${[...members, t('[name: string]: any')].join('; ')} }`;
}

/**
 * What ctx has in handlers of endpoints beyond what it has in functions. A module
 * without any WebSocket has no ctx.socket to talk to.
 */
export function endpointCtx(handlers: readonly WorkHandler[]): string {
  const sockets = handlers.length === 0 || handlers.some((h) => h.kind === 'ws');
  return `
interface Ctx {
  /** What the path, the query and a JSON body bring, by name; the second argument of the handler as well. */
  readonly args: EndpointArgs;
  /** The agent that serves this endpoint. */
  readonly agent: {
    /** The chunks of the agent's own model, as they come. Send them on, or yield them. */
    complete(request: { messages: { role: string; content: any; [key: string]: any }[]; [key: string]: any }): AsyncIterableIterator<any>;
  };
${sockets ? '  /** The other end of the WebSocket. Messages are JSON in both directions. */\n  readonly socket: EndpointSocket;\n' : ''}}
type EndpointArgs = ${argsOf(handlers)};
interface EndpointSocket extends AsyncIterable<any> {
  /** Opens the connection, with one of the subprotocols. The first send or receive does it, too. */
  accept(protocol?: string): Promise<void>;
  /** Ends when the other end has it, so a slow reader makes the handler wait. */
  send(value: any): Promise<void>;
  /** The next message; undefined once there will be none. */
  receive(): Promise<any>;
  close(code?: number, reason?: string): Promise<void>;
}
/** An answer with a status of its own. Anything else that a handler returns is sent as JSON, bytes as they are. */
interface EndpointAnswer { status?: number; headers?: Record<string, string>; body?: any }
/** Text, bytes or a value of JSON; each is one frame of the event stream. */
type EndpointChunk = string | ArrayBuffer | ArrayBufferView | object | number | boolean | null;
/** An async handler as a whole, for a JSDoc type: it gives a value or an EndpointAnswer, or talks over ctx.socket. */
type EndpointHandler = (ctx: Ctx, args: EndpointArgs) => Promise<any>;
/** An async generator as a whole: each chunk that it yields is one frame of the event stream. */
type EndpointStream = (ctx: Ctx, args: EndpointArgs) => AsyncGenerator<EndpointChunk, any, any>;
`;
}
