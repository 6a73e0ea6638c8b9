import type { Client } from '../../api/client';
import type { ClientCaller, ClientRequest } from '../../api/contract.gen';
import { isAbort, messageOf } from '../../api/errors';
import { SseParser } from '../../api/sse';
import { t } from '../../i18n/t';
import { a2aRequest, addStreamed, readAnswer, sendMessage, type Said } from './a2a';
import { namedCaller } from './caller';
import { endedByReload, type KeptTalk } from './keptTalk';
import { dueOf } from './payment';
import { relayed } from './store';
import { errorText } from './turns';
import { Watched } from './watched';
import { logged, rpcType, type WireEvent } from './wire';

/** What was said, and what the agent answered. */
export interface Turn extends Partial<Said> {
  said: string;
  /** Whether a payment token went along. */
  paid: boolean;
  done: boolean;
}

interface Talk {
  turns: readonly Turn[];
  events: readonly WireEvent[];
}

interface Kept {
  now: KeptTalk<Turn>;
  aside?: KeptTalk<Turn> | undefined;
  caller: ClientCaller;
  stream: boolean;
}

interface State extends Talk {
  caller: ClientCaller;
  stream: boolean;
  /** The conversation that was there before this one. */
  aside?: Talk | undefined;
}

/** A conversation with an agent over A2A. It outlives the screen. */
export class A2aStore extends Watched<State> {
  private abort: AbortController | undefined;

  constructor(
    private readonly client: Client,
    private readonly agent: string,
  ) {
    super({ turns: [], events: [], caller: { kind: 'owner' }, stream: false });
  }

  setCaller(caller: ClientCaller): void {
    this.set({ caller });
  }

  setStream(stream: boolean): void {
    this.set({ stream });
  }

  get running(): boolean {
    return this.state.turns.some((turn) => !turn.done);
  }

  stop(): void {
    this.abort?.abort();
  }

  /** Begins anew. What was said is put aside, and can be brought back. */
  clear(): void {
    const { aside } = this.state;
    this.set({ turns: [], events: [], aside: this.leave() ?? aside });
  }

  bringBack(): void {
    const { aside } = this.state;
    if (aside) this.set({ ...aside, aside: this.leave() });
  }

  forgetAside(): void {
    this.set({ aside: undefined });
  }

  /** Of the page that is loaded next. */
  mark(): string {
    const { turns, caller, stream, aside } = this.state;
    return JSON.stringify([this.running, turns.length, namedCaller(caller), stream, aside?.turns.length]);
  }

  keep(): Kept {
    const { turns, events, caller, stream, aside } = this.state;
    const said = turns.map((turn) => (turn.done ? turn : { ...turn, done: true, problem: endedByReload() }));
    return { now: { said, events }, aside: aside && { said: aside.turns, events: aside.events }, caller: namedCaller(caller), stream };
  }

  bring({ now, aside, caller, stream }: Kept): void {
    this.set({ turns: now.said, events: now.events, caller, stream, aside: aside && { turns: aside.said, events: aside.events } });
  }

  private leave(): Talk | undefined {
    this.stop();
    this.abort = undefined;
    const { turns, events } = this.state;
    if (turns.length === 0) return undefined;
    return { turns: turns.map((turn) => (turn.done ? turn : { ...turn, done: true, problem: t('Stopped here') })), events };
  }

  /** Says what was said last again, in place of the turn that failed. */
  async sayAgain(): Promise<boolean> {
    const last = this.state.turns.at(-1);
    if (!last || this.running) return false;
    this.set({ turns: this.state.turns.slice(0, -1) });
    return this.say(last.said);
  }

  /** The request that says what was said last, or a greeting, to be made elsewhere. */
  lastRequest(): ClientRequest {
    const { turns, caller, stream } = this.state;
    return a2aRequest(`/${this.agent}/a2a`, caller, '', sendMessage(turns.at(-1)?.said ?? t('Hello'), crypto.randomUUID(), turns.slice(0, -1).findLast((turn) => turn.contextId)?.contextId, stream));
  }

  /** Says something and follows the answer to its end. False when it did not go well. */
  async say(said: string): Promise<boolean> {
    if (this.running) return false;
    const { caller, stream, turns } = this.state;
    const id = crypto.randomUUID();
    const request = sendMessage(said, id, turns.findLast((turn) => turn.contextId)?.contextId, stream);
    const abort = new AbortController();
    this.abort = abort;
    let turn: Turn = { said, paid: Boolean(caller.payment?.trim()), done: false };
    const show = (change: Partial<Turn>) => {
      turn = { ...turn, ...change };
      if (this.abort === abort) this.set({ turns: [...turns, turn] });
    };
    const wire = (sent: boolean, value: unknown) => {
      if (this.abort === abort) this.set({ events: logged(this.state.events, sent, rpcType(value), value) });
    };
    show({});
    wire(true, request);
    const parser = new SseParser();
    let status = 0;
    let rest = '';
    let whole: unknown;
    try {
      for await (const { head, chunk, end } of relayed(this.client, a2aRequest(`/${this.agent}/a2a`, caller, id, request), abort.signal)) {
        if (head) status = head.status;
        if (end?.error) throw new Error(end.error);
        if (!chunk?.text) continue;
        if (!stream || status !== 200) rest += chunk.text;
        else
          for (const e of parser.push(chunk.text)) {
            const value = parsed(e.data);
            wire(false, value);
            whole = addStreamed(whole, value);
            show(readAnswer(whole));
          }
      }
      if (rest) {
        whole = parsed(rest);
        wire(false, whole);
      }
      if (status === 200) show({ done: true, ...readAnswer(whole) });
      else {
        const due = dueOf(whole);
        show({ done: true, problem: `${status}: ${errorText(whole)}`, ...(due ? { due } : {}) });
      }
    } catch (error) {
      show({ done: true, problem: isAbort(error) ? t('Stopped here') : messageOf(error) });
    }
    return turn.problem === undefined && turn.due === undefined && turn.state !== 'failed';
  }
}

/** JSON, or the beginning of what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.slice(0, 2000);
  }
}
