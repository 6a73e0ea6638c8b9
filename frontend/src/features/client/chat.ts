import type { Client } from '../../api/client';
import type { ClientCaller, ClientRequest } from '../../api/contract.gen';
import { isAbort, messageOf } from '../../api/errors';
import { SseParser } from '../../api/sse';
import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';
import { namedCaller, sentCaller } from './caller';
import { endedByReload, type KeptTalk } from './keptTalk';
import { dueOf, type Due } from './payment';
import { relayed } from './store';
import { addChunk, addEvent, errorText, type ChatMessage } from './turns';
import { Watched } from './watched';
import { chunkType, logged, type WireEvent } from './wire';

/** The protocol of a conversation. */
export type ChatProtocol = 'uamp' | 'completions';

/** A conversation, and all that went over the wire in it. */
export interface Talk {
  messages: readonly ChatMessage[];
  events: readonly WireEvent[];
  caller: ClientCaller;
  over: ChatProtocol;
  /** The session of UAMP that the next turn goes on with. */
  session?: string | undefined;
}

export interface ChatState extends Talk {
  running: boolean;
  /** The conversation that was there before this one. */
  aside?: Talk | undefined;
}

/** A conversation as it outlives its page. */
interface KeptChat extends KeptTalk<ChatMessage> {
  caller: ClientCaller;
  over: ChatProtocol;
  session?: string | undefined;
}

interface Kept {
  now: KeptChat;
  aside?: KeptChat | undefined;
}

const kept = ({ messages, events, caller, over, session }: Talk): KeptChat => ({ said: messages, events, caller: namedCaller(caller), over, session });
const talkOf = ({ said, events, caller, over, session }: KeptChat): Talk => ({ messages: said, events, caller, over, session });

/** A session that its agent does not know any more. */
class SessionGone extends Error {}

/** An answer that asks for payment. */
class Unpaid extends Error {
  constructor(
    message: string,
    readonly due: Due,
  ) {
    super(message);
  }
}

/** A conversation with an agent over one of its protocols. It outlives the screen. */
export class ChatStore extends Watched<ChatState> {
  private abort: AbortController | undefined;

  constructor(
    private readonly client: Client,
    private readonly agent: string,
  ) {
    super({ messages: [], caller: { kind: 'owner' }, running: false, over: 'uamp', events: [] });
  }

  setCaller(caller: ClientCaller): void {
    const { kind, id, token } = this.state.caller;
    const same = kind === caller.kind && id === caller.id && token === caller.token;
    this.set({ caller, ...(same ? {} : { session: undefined }) }); // a session is of whoever began it
  }

  setOver(over: ChatProtocol): void {
    if (over === this.state.over || this.state.running) return;
    this.set({ over, session: undefined }); // it has not heard what is said elsewhere
  }

  stop(): void {
    this.abort?.abort();
  }

  /** Begins anew. What was said is put aside, and can be brought back. */
  clear(): void {
    const { aside } = this.state;
    this.set({ messages: [], events: [], session: undefined, running: false, aside: this.leave() ?? aside });
  }

  /** Goes on with the conversation that was put aside; the one that is here is put aside instead. */
  bringBack(): void {
    const { aside } = this.state;
    if (aside) this.set({ ...aside, running: false, aside: this.leave() });
  }

  forgetAside(): void {
    this.set({ aside: undefined });
  }

  /** Of the page that is loaded next. */
  mark(): string {
    const { running, messages, caller, over, session, aside } = this.state;
    return JSON.stringify([running, messages.length, namedCaller(caller), over, session, aside?.messages.length]);
  }

  keep(): Kept {
    const { messages, events, caller, over, session, aside } = this.state;
    const ended = messages.map((m) => (m.done ? m : { ...m, done: true, problem: endedByReload() }));
    return { now: kept({ messages: ended, events, caller, over, session }), aside: aside && kept(aside) };
  }

  bring({ now, aside }: Kept): void {
    this.set({ ...talkOf(now), aside: aside && talkOf(aside) });
  }

  /** The conversation as it is left, with an end; undefined when nothing was said. */
  private leave(): Talk | undefined {
    this.stop();
    this.abort = undefined; // what still comes of it is nobody's
    const { messages, events, caller, over, session } = this.state;
    if (messages.length === 0) return undefined;
    return { messages: messages.map((m) => (m.done ? m : { ...m, done: true, problem: t('Stopped here') })), events, caller, over, session };
  }

  /** Says what was said last again, in place of the turn that failed. */
  async sayAgain(): Promise<boolean> {
    const { messages, running } = this.state;
    const at = messages.findLastIndex((m) => m.role === 'user');
    if (at < 0 || running) return false;
    this.set({ messages: messages.slice(0, at), session: undefined }); // which has heard it
    return this.say(messages[at]!.text);
  }

  /** Says something and follows the answer to its end. False when it did not go well. */
  async say(text: string): Promise<boolean> {
    if (this.state.running) return false;
    const messages: ChatMessage[] = [...this.state.messages, { role: 'user', text, tools: [], done: true }];
    const abort = new AbortController();
    this.abort = abort;
    const current = () => this.abort === abort;
    let answer: ChatMessage = { role: 'assistant', text: '', tools: [], done: false };
    const show = (change: Partial<ChatMessage>) => {
      answer = { ...answer, ...change };
      if (current()) this.set({ messages: [...messages, answer], running: !answer.done });
    };
    const wire = (sent: boolean, type: string, value: unknown) => {
      if (current()) this.set({ events: logged(this.state.events, sent, type, value) });
    };
    show({ paid: Boolean(this.state.caller.payment?.trim()) });
    try {
      if (this.state.over === 'uamp') await this.overUamp(messages, abort.signal, wire, (e) => show(addEvent(answer, e)));
      else await this.overCompletions(messages, abort.signal, wire, (data) => show(addChunk(answer, data)));
      show({ done: true });
    } catch (error) {
      show({ done: true, problem: isAbort(error) ? t('Stopped here') : messageOf(error), ...(error instanceof Unpaid ? { due: error.due } : {}) });
    }
    return answer.problem === undefined;
  }

  /** The request that says what was said last, or a greeting, to be made elsewhere. */
  lastRequest(): ClientRequest {
    const { messages, over } = this.state;
    const at = messages.findLastIndex((m) => m.role === 'user');
    const said = at < 0 ? [{ role: 'user' as const, text: t('Hello'), tools: [], done: true }] : messages.slice(0, at + 1);
    return over === 'uamp' ? this.request('/uamp/stream', this.uampEvents(said, undefined)) : this.request('/v1/chat/completions', this.completionsBody(said));
  }

  private completionsBody(messages: readonly ChatMessage[]) {
    return { model: this.agent, stream: true, stream_options: { include_usage: true }, messages: said(messages) };
  }

  private async overCompletions(messages: readonly ChatMessage[], signal: AbortSignal, wire: Wire, onData: (data: string) => void): Promise<void> {
    const body = this.completionsBody(messages);
    wire(true, 'request', body);
    await this.stream('/v1/chat/completions', body, signal, (data) => {
      const value = parsed(data) ?? data;
      wire(false, chunkType(value), value);
      onData(data);
    });
  }

  /** The events of a turn: in a session, or in a new one that is told what was said so far. */
  private uampEvents(messages: readonly ChatMessage[], id: string | undefined) {
    const event = (type: string, more: object) => ({ type, event_id: `evt_${crypto.randomUUID().slice(-12)}`, ...more });
    const create = event('session.create', { uamp_version: '1.0', session: { modalities: ['text'] }, ...(id ? { session_id: id } : {}) });
    if (id || messages.length === 1) return [create, event('input.text', { text: messages.at(-1)?.text ?? '' }), event('response.create', {})];
    return [create, event('response.create', { response: { messages: said(messages) } })];
  }

  private async overUamp(messages: readonly ChatMessage[], signal: AbortSignal, wire: Wire, onEvent: (e: Record<string, unknown>) => void): Promise<void> {
    const id = this.state.session;
    const body = this.uampEvents(messages, id);
    for (const e of body) wire(true, e.type, e);
    try {
      await this.stream('/uamp/stream', body, signal, (data) => {
        if (data === '[DONE]') return;
        const e = parsed(data);
        if (!isObject(e)) throw new Error(t('An event is not JSON: {data}', { data: data.slice(0, 80) }));
        wire(false, String(e.type), e);
        if (id && e.type === 'session.error') throw new SessionGone();
        if (e.type === 'session.created' && isObject(e.session) && !signal.aborted) this.set({ session: String(e.session.id) });
        onEvent(e);
      });
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      this.set({ session: undefined });
      await this.overUamp(messages, signal, wire, onEvent);
    }
  }

  private request(path: string, body: unknown): ClientRequest {
    return {
      id: crypto.randomUUID(),
      method: 'POST',
      path: `/${this.agent}${path}`,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      body: JSON.stringify(body),
      caller: sentCaller(this.state.caller),
    };
  }

  /** Posts to the agent and gives the data of each event of the stream that it answers. */
  private async stream(path: string, body: unknown, signal: AbortSignal, onData: (data: string) => void): Promise<void> {
    const parser = new SseParser();
    let status = 0;
    let rest = '';
    const frames = relayed(this.client, this.request(path, body), signal);
    for await (const { head, chunk, end } of frames) {
      if (head) status = head.status;
      if (chunk?.text && status === 200) for (const e of parser.push(chunk.text)) onData(e.data);
      else if (chunk?.text) rest += chunk.text;
      if (end?.error) throw new Error(end.error);
    }
    if (status === 200) return;
    const why = parsed(rest);
    const text = `${status}: ${errorText(why ?? { message: rest.slice(0, 300) })}`;
    const due = status === 402 ? dueOf(why) : undefined;
    throw due ? new Unpaid(text, due) : new Error(text);
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
