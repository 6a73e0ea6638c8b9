import type { ClientCaller, ClientRequest } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';
import { sentCaller } from './caller';
import { dueOf, type Due } from './payment';

/** What the tab shows of an agent's card. The whole of it is beside. */
export interface CardView {
  name: string;
  description: string;
  interfaces: string[];
  skills: { name: string; description: string }[];
}

const str = (v: unknown): string => (typeof v === 'string' ? v : '');
const list = (v: unknown): Record<string, unknown>[] => (Array.isArray(v) ? v.filter(isObject) : []);

export function readCard(card: unknown): CardView | undefined {
  if (!isObject(card)) return undefined;
  return {
    name: str(card.name),
    description: str(card.description),
    interfaces: list(card.supportedInterfaces).map((i) => `${str(i.protocolBinding)} ${str(i.protocolVersion)} at ${str(i.url)}`),
    skills: list(card.skills).map((s) => ({ name: str(s.name), description: str(s.description) })),
  };
}

/** The request of SendMessage or SendStreamingMessage, version 1.0. */
export function sendMessage(text: string, messageId: string, contextId: string | undefined, stream: boolean): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    id: messageId,
    method: stream ? 'SendStreamingMessage' : 'SendMessage',
    params: { message: { role: 'ROLE_USER', messageId, ...(contextId ? { contextId } : {}), parts: [{ text }] } },
  };
}

export interface Said {
  text: string;
  state: string;
  contextId?: string;
  problem?: string;
  /** What it costs, where the task failed because nobody paid. */
  due?: Due;
}

/** What an answer to SendMessage says: a task with artifacts, a message, or an error. */
export function readAnswer(answer: unknown): Said {
  if (!isObject(answer)) return { text: '', state: '', problem: t('The answer is not JSON') };
  if (isObject(answer.error)) return { text: '', state: '', problem: `${String(answer.error.code)}: ${str(answer.error.message)}` };
  const result = isObject(answer.result) ? answer.result : {};
  const of = isObject(result.task) ? result.task : isObject(result.message) ? result.message : {};
  const contextId = str(of.contextId);
  const status = isObject(of.status) ? of.status : {};
  const holders = isObject(result.task) ? list(of.artifacts) : [of];
  const said = isObject(status.message) && holders.length === 0 ? [status.message] : holders;
  const text = said.flatMap((h) => list(h.parts)).map((p) => str(p.text)).join('');
  const state = str(status.state).replace(/^TASK_STATE_/, '').toLowerCase().replaceAll('_', ' ');
  const due = isObject(status.message) ? dueOf(status.message.metadata) : undefined;
  const known = isObject(result.task) || isObject(result.message);
  return { text, state, ...(contextId ? { contextId } : {}), ...(due ? { due: { ...due, text: text || due.text } } : {}), ...(known ? {} : { problem: t('The answer has neither a task nor a message') }) };
}

/**
 * Puts an answer of a stream into what the earlier ones gave, in the form of an
 * answer to SendMessage: the task, then pieces of its artifacts and its states.
 */
export function addStreamed(before: unknown, answer: unknown): unknown {
  if (!isObject(answer) || !isObject(answer.result)) return answer;
  const { artifactUpdate, statusUpdate } = answer.result;
  const held = isObject(before) && isObject(before.result) && isObject(before.result.task) ? before.result.task : {};
  const task = (change: object) => ({ ...answer, result: { task: { ...held, ...change } } });
  if (isObject(artifactUpdate)) return task({ artifacts: withArtifact(list(held.artifacts), artifactUpdate) });
  if (isObject(statusUpdate)) return task({ status: statusUpdate.status, ...(statusUpdate.contextId ? { contextId: statusUpdate.contextId } : {}) });
  return answer;
}

function withArtifact(artifacts: Record<string, unknown>[], update: Record<string, unknown>): unknown[] {
  const artifact = isObject(update.artifact) ? update.artifact : {};
  const at = artifacts.findIndex((a) => a.artifactId === artifact.artifactId);
  if (at < 0) return [...artifacts, artifact];
  return artifacts.with(at, update.append === true ? { ...artifacts[at], parts: [...list(artifacts[at]?.parts), ...list(artifact.parts)] } : artifact);
}

export function a2aRequest(path: string, caller: ClientCaller, id: string, body?: unknown): ClientRequest {
  const headers = [{ name: 'A2A-Version', value: '1.0' }];
  const as = sentCaller(caller);
  if (body === undefined) return { id, method: 'GET', path, headers, caller: as };
  return { id, method: 'POST', path, headers: [...headers, { name: 'Content-Type', value: 'application/json' }], body: JSON.stringify(body), caller: as };
}
