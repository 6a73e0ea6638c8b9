import type { Client } from '../../api/client';
import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';
import { headerOf, type Exchange, type LiveItem } from './exchange';

/** What something costs that was not paid for. */
export interface Due {
  /** Dollars. */
  amount: number;
  /** What the agent says about it; may be empty. */
  text: string;
}

/** The price in an answer that asks for payment: a 402 of HTTP, the reason of a failed task of A2A, or an event of UAMP. */
export function dueOf(value: unknown): Due | undefined {
  if (!isObject(value)) return undefined;
  const context = isObject(value.context) ? value.context : value;
  const accepts = Array.isArray(value.accepts) ? value.accepts : context.accepts;
  const first: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  const requirements = isObject(value.requirements) ? value.requirements : undefined;
  const amount = Number((isObject(first) ? first.amount : undefined) ?? requirements?.amount);
  if (!(amount > 0)) return undefined;
  return { amount, text: [value.message, value.error].find((v) => typeof v === 'string') ?? '' };
}

/** What is due for a request that was answered with 402. */
export function dueOfExchange(x: Exchange): Due | undefined {
  if (x.head?.status !== 402) return undefined;
  const said = headerOf(x, 'payment-required'); // also where a body is none of ours, as after a handshake
  return dueOf(json(said ? decoded(said) : x.chunks.map((c) => c.text ?? '').join('')));
}

/** What a session of UAMP waits to be paid. */
export function dueOfSession(items: readonly LiveItem[]): Due | undefined {
  const at = items.findLastIndex((i) => !i.sent && typeOf(i) === 'payment.required');
  if (at < 0 || items.slice(at + 1).some((i) => !i.sent && /^(payment\.accepted|response\.(done|error|cancelled))$/.test(typeOf(i)))) return undefined;
  return dueOf(json(items[at]!.text));
}

/** The type of an event of UAMP. */
export function typeOf(item: LiveItem): string {
  const value = item.binary ? undefined : json(item.text);
  return isObject(value) && typeof value.type === 'string' ? value.type : '';
}

/** The event that pays. Its token is left out of what is shown. */
export const submitPayment = (token: string, due: Due): string => JSON.stringify({ type: 'payment.submit', payment: { scheme: 'token', amount: String(due.amount), token } });

/** A test token for one agent that could pay what is due. Its text is to be had this once. */
export async function mintFor(client: Client, agent: string, due?: Due): Promise<string> {
  const { token } = await client.call('POST /api/local/payments/mint', { body: { amount: mintAmount(due), audience: [agent], expiresIn: 3600, description: t('Client place') } });
  return token;
}

/** Credits of a test token: one, or what is due. */
export const mintAmount = (due?: Due): number => Math.max(1, Math.ceil(due?.amount ?? 0));

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (s) => s.charCodeAt(0)));
  } catch {
    return '';
  }
}
