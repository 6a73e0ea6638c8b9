import { createHmac } from 'node:crypto';
import type { Platform } from './platform';

// The samples after a morning's work: calls of every kind, some that failed,
// payments, schedules, secrets. For pictures, which should show what people see.

const samples = ['hello', 'rest-api', 'webhook-hmac', 'tools', 'nightly-cron', 'paid-tool', 'chat-agent'] as const;

export async function work(platform: Platform): Promise<void> {
  for (const sample of samples) await platform.api('POST', '/api/local/projects', { sample });
  await secrets(platform);
  await toolCalls(platform);
  await requests(platform);
  await hooks(platform);
  await schedules(platform);
  await payments(platform);
  await conversation(platform);
}

const secret = (platform: Platform, agent: string, fn: string, binding: string, value: string) =>
  platform.api('POST', `/api/agents/${agent}/functions/${fn}/secret`, { binding, value });

async function secrets(platform: Platform): Promise<void> {
  await secret(platform, 'hello', 'visits', 'GREETING_SIGNATURE', 'a picture shows nothing of it');
  await secret(platform, 'webhook-hmac', 'stripe', 'STRIPE_SECRET', signing);
  await secret(platform, 'webhook-hmac', 'github', 'GITHUB_SECRET', signing);
  await secret(platform, 'nightly-cron', 'poller', 'API_KEY', 'k-1');
}

const invoke = (platform: Platform, agent: string, fn: string, args: unknown) => platform.api<{ ok: boolean }>('POST', `/api/agents/${agent}/functions/${fn}/invoke`, { args });

async function toolCalls(platform: Platform): Promise<void> {
  for (const [name, lang] of [['Ada', 'en'], ['Grace', 'fr'], ['Margaret', 'es'], ['Radia', 'en'], ['Karen', 'fr']]) {
    await invoke(platform, 'hello', 'greet', { name, lang });
  }
  for (const visitor of ['Ada', 'Ada', 'Grace', 'Ada']) await invoke(platform, 'hello', 'visits', { visitor });
  for (const expr of ['2*(3+4)', '19.5/3', '7*6', '(1+2', '40+2', '3*x', '12*12']) await invoke(platform, 'tools', 'calculate', { expr });
  await invoke(platform, 'tools', 'countdown', { from: 8 });
  await invoke(platform, 'tools', 'chain', {});
  await invoke(platform, 'tools', 'ticket', { subject: 'ada' });
}

/** A request of somebody whom nobody knows. */
const send = (platform: Platform, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(platform.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });

async function requests(platform: Platform): Promise<void> {
  for (const title of ['Order paper', 'Call the printer', 'Book the room', 'Send the invoice']) await send(platform, 'POST', '/rest-api/items', { title });
  await send(platform, 'POST', '/rest-api/items', { name: 'no title' });
  await send(platform, 'GET', '/rest-api/items');
  await send(platform, 'GET', '/rest-api/items/nothing');
  await send(platform, 'PUT', '/rest-api/items', {});
}

const signing = 'whsec_of_the_pictures';

async function hooks(platform: Platform): Promise<void> {
  const signed = (text: string) => createHmac('sha256', signing).update(text).digest('hex');
  for (const [id, amount] of [['pi_1', 4200], ['pi_2', 1250], ['pi_3', 9900]] as const) {
    const event = JSON.stringify({ id: `evt_${id}`, type: 'payment_intent.succeeded', data: { object: { id, amount, currency: 'eur' } } });
    await send(platform, 'POST', '/webhook-hmac/hooks/stripe', event, { 'stripe-signature': signed(event) });
  }
  await send(platform, 'POST', '/webhook-hmac/hooks/stripe', '{}', { 'stripe-signature': 'forged' });
  const push = JSON.stringify({ ref: 'refs/heads/main', after: '9fceb02', commits: [{}, {}] });
  await send(platform, 'POST', '/webhook-hmac/hooks/github', push, { 'x-hub-signature-256': signed(push), 'x-github-event': 'push' });
}

async function schedules(platform: Platform): Promise<void> {
  for (const id of ['report', 'poller', 'sweep']) await platform.api('PATCH', `/api/agents/nightly-cron/skills/cron/use/${id}`, { entry: { enabled: true } });
  for (const id of ['report', 'sweep', 'poller']) await platform.api('POST', `/api/local/agents/nightly-cron/schedules/${id}/run`);
}

async function payments(platform: Platform): Promise<void> {
  const mint = (amount: number, description: string) => platform.api<{ token: string; info: { id: string } }>('POST', '/api/local/payments/mint', { amount, description });
  const buyer = await mint(5, 'Ada, who pays by the piece');
  await mint(20, 'A team of four');
  const text = 'Ledgers keep both sides of every movement. That is why they balance.';
  for (let i = 0; i < 3; i++) await send(platform, 'POST', '/paid-tool/summary', { text }, { 'X-PAYMENT': buyer.token });
  await send(platform, 'POST', '/paid-tool/count', { text }, { 'X-PAYMENT': buyer.token });
  await send(platform, 'POST', '/paid-tool/summary', { text });
  await platform.api('POST', '/api/payments/lock', { tokenId: buyer.info.id, amount: 0.25, agent: 'paid-tool', reason: 'a long text' });
}

async function conversation(platform: Platform): Promise<void> {
  const messages = [{ role: 'user', content: 'What do twelve hours cost?' }];
  await send(platform, 'POST', '/chat-agent/v1/chat/completions', { model: 'chat-agent', messages });
}
