import { t } from '../i18n/t';
import { readJson, writeJson } from '../ui/exact';
import type { Boot } from './contract.gen';
import { ApiError, errorFrom, isAbort, Unreachable } from './errors';
import { digitByDigit, type Answer, type CallInput, type RouteName } from './routes';
import { Waiting } from './waiting';

/** How long an answer is kept for who will ask for it: later it may not be true any more. */
const aheadMs = 3_000;

type GetRoute = Extract<RouteName, `GET ${string}`>;
type Fetch = typeof globalThis.fetch;

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | ArrayBuffer;
  signal?: AbortSignal;
  /** Is sent even if the page goes away meanwhile. */
  keepalive?: boolean;
}

/**
 * Client is the page's only way to the platform. In the window every request
 * carries the bearer of boot.json to an absolute address; in a browser the
 * address is the page's own and the session is a cookie.
 */
export class Client {
  /** Called when the platform says that there is no session (any more). */
  onUnauthorized?: () => void;

  /** The calls under way, for showing that something takes its time. */
  readonly waiting = new Waiting();

  private readonly fetch: Fetch;
  /** Answers that are on their way to who will ask for them, by path. */
  private readonly asked = new Map<string, Promise<unknown>>();

  constructor(
    private readonly boot: Pick<Boot, 'api' | 'token'>,
    fetcher: Fetch = globalThis.fetch.bind(globalThis),
  ) {
    this.fetch = fetcher;
  }

  /** The address of a path as another program would write it. */
  absolute(path: string): string {
    const base = this.boot.api || (typeof location === 'undefined' ? '' : location.origin);
    return base + path;
  }

  /**
   * Asks for what the page is about to ask for: the next such call has this
   * answer, if it comes soon. A page that begins need not wait for its own code.
   */
  ahead<K extends GetRoute>(route: K, input: CallInput<K>): Promise<Answer<K>> {
    const answer = this.call(route, input);
    const path = pathOf(route, input);
    this.asked.set(path, answer);
    const forget = () => this.asked.get(path) === answer && this.asked.delete(path);
    // What failed is asked for again by who wants it.
    answer.catch(forget);
    setTimeout(forget, aheadMs);
    return answer;
  }

  /** Calls a route of the table. Throws ApiError or Unreachable. */
  async call<K extends RouteName>(route: K, input: CallInput<K>): Promise<Answer<K>> {
    const [method = ''] = route.split(' ');
    const { body, headers, signal, keepalive } = input as Input;
    const path = pathOf(route, input);
    if (method === 'GET' && this.asked.has(path)) {
      const asked = this.asked.get(path) as Promise<Answer<K>>;
      this.asked.delete(path);
      return asked;
    }
    const answered = this.waiting.begin();
    try {
      const res = await this.send(path, {
        method,
        signal,
        ...(keepalive && { keepalive }),
        headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: writeJson(body) }),
      });
      if (res.status === 204) return undefined as Answer<K>;
      return (await readAnswer(res, route)) as Answer<K>;
    } finally {
      answered();
    }
  }

  /** Sends one request and gives the answer when its status is 2xx. */
  async send(path: string, options: SendOptions = {}): Promise<Response> {
    const headers = new Headers(options.headers);
    if (!headers.has('Accept')) headers.set('Accept', 'application/json');
    if (this.boot.token) headers.set('Authorization', `Bearer ${this.boot.token}`);
    let res: Response;
    try {
      res = await this.fetch(this.boot.api + path, {
        ...options,
        headers,
        credentials: this.boot.api ? 'omit' : 'same-origin',
        cache: 'no-store',
      });
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new Unreachable(error);
    }
    if (res.ok) return res;
    if (res.status === 401) this.onUnauthorized?.();
    throw await errorFrom(res);
  }
}

async function readAnswer(res: Response, route: RouteName): Promise<unknown> {
  const plain = digitByDigit[route];
  try {
    return plain ? readJson(await res.text(), plain) : await res.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(res.status, 'INTERNAL_ERROR', t('The answer to {route} is not JSON.', { route }));
  }
}

interface Input {
  params?: Record<string, string>;
  headers?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  keepalive?: boolean;
}

function pathOf(route: RouteName, input: unknown): string {
  const { params, query } = input as Input;
  return fillPath(route.slice(route.indexOf(' ') + 1), params) + queryText(query);
}

/** Puts parameters into a path's ":name" parts. */
export function fillPath(template: string, params: Record<string, string> = {}): string {
  return template.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (!value) throw new Error(`The path ${template} needs a value for ${name}.`);
    return encodeURIComponent(value);
  });
}

function queryText(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') search.append(key, String(one));
    }
  }
  const text = search.toString();
  return text ? `?${text}` : '';
}
