import { describe, expect, it, vi } from 'vitest';
import { Client, fillPath } from './client';
import { ApiError, Unreachable } from './errors';

function answering(res: Response | Error) {
  return vi.fn<typeof fetch>(async () => {
    if (res instanceof Error) throw res;
    return res.clone();
  });
}

const refusal = (status: number, body: unknown, headers?: HeadersInit) => new Response(JSON.stringify(body), { status, headers });

describe('Client', () => {
  it('speaks to its own origin with the cookie in a browser', async () => {
    const fetcher = answering(Response.json([]));
    await new Client({ api: '' }, fetcher).call('GET /api/agents', {});
    const [url, init] = fetcher.mock.calls[0]!;
    expect(url).toBe('/api/agents');
    expect(init?.credentials).toBe('same-origin');
    expect(new Headers(init?.headers).has('Authorization')).toBe(false);
  });

  it('sends the bearer of the window to an absolute address, without cookies', async () => {
    const fetcher = answering(Response.json([]));
    await new Client({ api: 'http://127.0.0.1:4780', token: 'w1' }, fetcher).call('GET /api/agents', {});
    const [url, init] = fetcher.mock.calls[0]!;
    expect(url).toBe('http://127.0.0.1:4780/api/agents');
    expect(init?.credentials).toBe('omit');
    expect(new Headers(init?.headers).get('Authorization')).toBe('Bearer w1');
  });

  it('escapes parameters and leaves out empty query values', async () => {
    const fetcher = answering(Response.json({ invocations: [], items: [], nextCursor: null, cursor: null }));
    await new Client({ api: '' }, fetcher).call('GET /api/agents/:agent/functions/:name/invocations', {
      params: { agent: 'a/b', name: 'f' },
      query: { limit: 50, cursor: '' },
    });
    expect(fetcher.mock.calls[0]![0]).toBe('/api/agents/a%2Fb/functions/f/invocations?limit=50');
  });

  it('sends a body as JSON', async () => {
    const fetcher = answering(Response.json({ ok: true }));
    await new Client({ api: '' }, fetcher).call('POST /api/agents/:agent/functions/:name/secret', {
      params: { agent: 'a', name: 'f' },
      body: { binding: 'K', value: 'v' },
    });
    const init = fetcher.mock.calls[0]![1];
    expect(init?.method).toBe('POST');
    expect(init?.body).toBe('{"binding":"K","value":"v"}');
    expect(new Headers(init?.headers).get('Content-Type')).toBe('application/json');
  });

  it('turns a refusal into an ApiError with its code, problems and details', async () => {
    const body = {
      error: { code: 'VERSION_CONFLICT', message: 'newer', details: { source: { text: 'x' } } },
      code: 'VERSION_CONFLICT',
      message: 'newer',
      errors: [{ code: 'INVALID_LIMITS', message: 'no', path: 'limits.wallMs' }],
    };
    const client = new Client({ api: '' }, answering(refusal(409, body, { 'Retry-After': '7' })));
    const error = await client.call('GET /api/agents', {}).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: 'VERSION_CONFLICT', message: 'newer', retryAfterSec: 7, details: { source: { text: 'x' } } });
    expect((error as ApiError).problems[0]?.path).toBe('limits.wallMs');
    expect((error as ApiError).meaning).toContain('newer');
  });

  it('makes sense of a refusal that is not ours', async () => {
    const client = new Client({ api: '' }, answering(new Response('<html>Bad gateway\nmore', { status: 502 })));
    await expect(client.call('GET /api/agents', {})).rejects.toMatchObject({ status: 502, code: 'INTERNAL_ERROR', message: '<html>Bad gateway' });
  });

  it('tells when there is no session', async () => {
    const client = new Client({ api: '' }, answering(refusal(401, { error: { code: 'unauthorized', message: 'no' } })));
    client.onUnauthorized = vi.fn();
    await expect(client.call('GET /api/agents', {})).rejects.toMatchObject({ code: 'unauthorized' });
    expect(client.onUnauthorized).toHaveBeenCalledOnce();
  });

  it('says that nothing answers', async () => {
    const client = new Client({ api: '' }, answering(new TypeError('failed to fetch')));
    await expect(client.call('GET /api/agents', {})).rejects.toBeInstanceOf(Unreachable);
  });

  it('lets an abort be an abort', async () => {
    const client = new Client({ api: '' }, answering(new DOMException('stop', 'AbortError')));
    await expect(client.call('GET /api/agents', {})).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('refuses an answer that is not JSON', async () => {
    const client = new Client({ api: '' }, answering(new Response('hello')));
    await expect(client.call('GET /api/agents', {})).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('forgets what was asked ahead when nobody wants it soon', async () => {
    vi.useFakeTimers();
    const fetcher = answering(Response.json([]));
    const client = new Client({ api: '' }, fetcher);
    await client.ahead('GET /api/agents', {});
    vi.advanceTimersByTime(3_000);
    vi.useRealTimers();
    await client.call('GET /api/agents', {});
    expect(fetcher).toHaveBeenCalledTimes(2);
  });

  it('asks again for what was refused ahead', async () => {
    const fetcher = vi.fn<typeof fetch>(async () => Response.json([])).mockImplementationOnce(async () => refusal(500, {}));
    const client = new Client({ api: '' }, fetcher);
    await expect(client.ahead('GET /api/agents', {})).rejects.toBeInstanceOf(ApiError);
    await expect(client.call('GET /api/agents', {})).resolves.toEqual([]);
  });
});

describe('fillPath', () => {
  it('needs every parameter', () => {
    expect(() => fillPath('/a/:b', {})).toThrow('b');
  });
});
