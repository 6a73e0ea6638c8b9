import type { Client } from '../../api/client';
import type { ClientCaller } from '../../api/contract.gen';
import { isAbort, messageOf } from '../../api/errors';
import { SseParser } from '../../api/sse';
import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';
import { relayed } from './store';
import { addChunk, addEvent, errorText, type ChatMessage } from './turns';
import { chunkType, logged, type WireEvent } from './wire';

/** The protocol of a conversation. */
export type ChatProtocol = 'uamp' | 'completions';

export interface ChatState {
  messages: readonly ChatMessage[];
  caller: ClientCaller;
  running: boolean;
  over: ChatProtocol;
  /** Everything that went over the wire in this conversation. */
  events: readonly WireEvent[];
}

/** A session that its agent does not know any more. */
class SessionGone extends Error {}

/** A conversation with an agent over one of its protocols. It outlives the screen. */
export class ChatStore {
  private state: ChatState = { messages: [], caller: { kind: 'owner' }, running: false, over: 'uamp', events: [] };
  private readonly listeners = new Set<() => void>();
  private abort: AbortController | undefined;
  /** The session of UAMP that the next turn goes on with. */
  private session: string | undefined;

  constructor(
    private readonly client: Client,
    private readonly agent: string,
  ) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): ChatState => this.state;

  private set(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  setCaller(caller: ClientCaller): void {
    this.session = undefined; // it is of whoever began it
    this.set({ caller });
  }

  setOver(over: ChatProtocol): void {
    if (over === this.state.over || this.state.running) return;
    this.session = undefined; // it has not heard what is said elsewhere
    this.set({ over });
  }

  stop(): void {
    this.abort?.abort();
  }

  clear(): void {
    this.stop();
    this.session = undefined;
    this.set({ messages: [], events: [], running: false });
  }

  /** Says something and follows the answer to its end. */
  async say(text: string): Promise<void> {
    if (this.state.running) return;
    const messages: ChatMessage[] = [...this.state.messages, { role: 'user', text, tools: [], done: true }];
    const abort = new AbortController();
    this.abort = abort;
    // After "clear" the conversation is another one.
    const current = () => this.abort === abort && !(abort.signal.aborted && this.state.messages.length === 0);
    let answer: ChatMessage = { role: 'assistant', text: '', tools: [], done: false };
    const show = (change: Partial<ChatMessage>) => {
      answer = { ...answer, ...change };
      if (current()) this.set({ messages: [...messages, answer], running: !answer.done });
    };
    const wire = (sent: boolean, type: string, value: unknown) => {
      if (current()) this.set({ events: logged(this.state.events, sent, type, value) });
    };
    show({});
    try {
      if (this.state.over === 'uamp') await this.overUamp(messages, abort.signal, wire, (e) => show(addEvent(answer, e)));
      else await this.overCompletions(messages, abort.signal, wire, (data) => show(addChunk(answer, data)));
      show({ done: true });
    } catch (error) {
      show({ done: true, problem: isAbort(error) ? t('Stopped here') : messageOf(error) });
    }
  }

  private async overCompletions(messages: readonly ChatMessage[], signal: AbortSignal, wire: Wire, onData: (data: string) => void): Promise<void> {
    const body = { model: this.agent, stream: true, stream_options: { include_usage: true }, messages: said(messages) };
    wire(true, 'request', body);
    await this.stream('/v1/chat/completions', body, signal, (data) => {
      const value = parsed(data) ?? data;
      wire(false, chunkType(value), value);
      onData(data);
    });
  }

  /** Goes on with the session, or begins one that is told what was said so far. */
  private async overUamp(messages: readonly ChatMessage[], signal: AbortSignal, wire: Wire, onEvent: (e: Record<string, unknown>) => void): Promise<void> {
    const id = this.session;
    const event = (type: string, more: object) => ({ type, event_id: `evt_${crypto.randomUUID().slice(-12)}`, ...more });
    const create = event('session.create', { uamp_version: '1.0', session: { modalities: ['text'] }, ...(id ? { session_id: id } : {}) });
    const ask =
      id || messages.length === 1
        ? [event('input.text', { text: messages.at(-1)?.text ?? '' }), event('response.create', {})]
        : [event('response.create', { response: { messages: said(messages) } })];
    const body = [create, ...ask];
    for (const e of body) wire(true, e.type, e);
    try {
      await this.stream('/uamp/stream', body, signal, (data) => {
        if (data === '[DONE]') return;
        const e = parsed(data);
        if (!isObject(e)) throw new Error(t('An event is not JSON: {data}', { data: data.slice(0, 80) }));
        wire(false, String(e.type), e);
        if (id && e.type === 'session.error') throw new SessionGone();
        if (e.type === 'session.created' && isObject(e.session)) this.session = String(e.session.id);
        onEvent(e);
      });
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      this.session = undefined;
      await this.overUamp(messages, signal, wire, onEvent);
    }
  }

  /** Posts to the agent and gives the data of each event of the stream that it answers. */
  private async stream(path: string, body: unknown, signal: AbortSignal, onData: (data: string) => void): Promise<void> {
    const { caller } = this.state;
    const parser = new SseParser();
    let status = 0;
    let rest = '';
    const frames = relayed(
      this.client,
      {
        id: crypto.randomUUID(),
        method: 'POST',
        path: `/${this.agent}${path}`,
        headers: [{ name: 'Content-Type', value: 'application/json' }],
        body: JSON.stringify(body),
        caller: caller.token ? { ...caller, token: caller.token.trim() } : caller,
      },
      signal,
    );
    for await (const { head, chunk, end } of frames) {
      if (head) status = head.status;
      if (chunk?.text && status === 200) for (const e of parser.push(chunk.text)) onData(e.data);
      else if (chunk?.text) rest += chunk.text;
      if (end?.error) throw new Error(end.error);
    }
    if (status !== 200) throw new Error(`${status}: ${errorText(parsed(rest) ?? { message: rest.slice(0, 300) })}`);
  }
}

type Wire = (sent: boolean, type: string, value: unknown) => void;

/** The conversation as the model of a stateless client has it. */
const said = (messages: readonly ChatMessage[]) => messages.filter((m) => m.text).map((m) => ({ role: m.role, content: m.text }));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
