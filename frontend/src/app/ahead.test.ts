import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client } from '../api/client';
import { links } from '../api/links';
import { askAhead } from './ahead';

afterEach(() => localStorage.clear());

function platform() {
  const fetcher = vi.fn<typeof fetch>(async (url) => Response.json(url === '/api/agents' ? [{ id: 'a1', username: 'mia' }] : {}));
  return { fetcher, client: new Client({ api: '' }, fetcher), asked: () => fetcher.mock.calls.map(([url]) => url) };
}

const workbench = ['/api/agents', '/api/local/agents/a1/functions', '/api/local/drafts/a1'];

describe('what is asked for before the page is there', () => {
  it.each([
    ['', ['/api/agents']],
    ['#/activity', ['/api/agents']],
    ['#/a/mia/secrets', ['/api/agents']],
    ['#/a/mia/functions', workbench],
    ['#/a/mia/functions/greet', [...workbench, '/api/local/agents/a1/functions/greet']],
    ['#/a/mia/functions/greet/at/3/1', [...workbench, '/api/local/agents/a1/functions/greet']],
    ['#/a/mia/functions/endpoints%2Fhook.js', [...workbench, '/api/local/agents/a1/modules/endpoints%2Fhook.js']],
    [`#${links.function('mia', 'endpoints/hook.js')}`, [...workbench, '/api/local/agents/a1/modules/endpoints%2Fhook.js']],
    ['#/a/%E0/functions', ['/api/agents']],
    ['#/a/nobody/functions/greet', ['/api/agents']],
  ])('at %j', async (hash, expected) => {
    const { client, asked } = platform();
    await askAhead(client, hash);
    expect(asked()).toEqual(expected);
  });

  it('is the function that was open last, when the address names none', async () => {
    localStorage.setItem('benchtop:last:a1', '"greet"');
    const { client, asked } = platform();
    await askAhead(client, '#/a/mia/functions');
    expect(asked()).toContain('/api/local/agents/a1/functions/greet');
  });

  it('answers who asks next, once', async () => {
    const { client, fetcher } = platform();
    await askAhead(client, '');
    await expect(client.call('GET /api/agents', {})).resolves.toMatchObject([{ id: 'a1' }]);
    expect(fetcher).toHaveBeenCalledTimes(1);
    await client.call('GET /api/agents', {});
    expect(fetcher).toHaveBeenCalledTimes(2);
  });
});
