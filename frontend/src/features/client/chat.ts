import type { Client } from '../../api/client';
import type { ClientCaller } from '../../api/contract.gen';
import { isAbort, messageOf } from '../../api/errors';
import { SseParser } from '../../api/sse';
import { isObject } from '../../ui/schema/schema';
import { relayed } from './store';

/** A tool of the agent's own that was called in a turn. */
export interface ToolUse {
  id: string;
  name: string;
  args?: unknown;
  emitted: readonly unknown[];
  result?: unknown;
  done: boolean;
  invocation?: string;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  text: string;
  tools: readonly ToolUse[];
  usage?: Usage;
  /** Why the answer is not whole. */
  problem?: string;
  done: boolean;
}

/** Puts the data of one event of the stream into the message that is being answered. */
export function addChunk(m: ChatMessage, data: string): ChatMessage {
  if (data === '[DONE]') return { ...m, done: true };
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    return { ...m, problem: `A chunk is not JSON: ${data.slice(0, 80)}` };
  }
  if (!isObject(chunk)) return m;
  if (chunk.error !== undefined) return { ...m, problem: errorText(chunk) };
  const next = { ...m };
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (isObject(choice) && isObject(choice.delta) && typeof choice.delta.content === 'string') next.text += choice.delta.content;
  if (isObject(choice) && typeof choice.finish_reason === 'string' && choice.finish_reason !== 'stop') next.problem = `It ended because of ${choice.finish_reason}`;
  if (isObject(chunk.usage)) next.usage = chunk.usage as unknown as Usage;
  if (isObject(chunk.tool_progress)) next.tools = addTool(m.tools, chunk.tool_progress);
  return next;
}

function addTool(tools: readonly ToolUse[], p: Record<string, unknown>): readonly ToolUse[] {
  const id = String(p.call_id);
  const at = tools.findIndex((t) => t.id === id);
  const tool: ToolUse = at < 0 ? { id, name: String(p.tool), emitted: [], done: false } : tools[at]!;
  const invocation = typeof p.invocation_id === 'string' ? { invocation: p.invocation_id } : {};
  let next: ToolUse = { ...tool, ...invocation };
  if (p.kind === 'call') next = { ...next, args: p.payload };
  if (p.kind === 'emit') next = { ...next, emitted: [...tool.emitted, p.payload] };
  if (p.kind === 'result') next = { ...next, result: p.payload, done: true };
  return at < 0 ? [...tools, next] : tools.with(at, next);
}

/** The words of an error in the form of this API, or of the platform's. */
export function errorText(body: unknown): string {
  if (!isObject(body)) return 'The answer is no error that can be read';
  const error = isObject(body.error) ? body.error : body;
  return String(error.message ?? body.message ?? body.error ?? 'It failed');
}

export interface ChatState {
  messages: readonly ChatMessage[];
  caller: ClientCaller;
  running: boolean;
}

/** A conversation over POST …/v1/chat/completions. It outlives the screen. */
export class ChatStore {
  private state: ChatState = { messages: [], caller: { kind: 'owner' }, running: false };
  private readonly listeners = new Set<() => void>();
  private abort: AbortController | undefined;

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
    this.set({ caller });
  }

  stop(): void {
    this.abort?.abort();
  }

  clear(): void {
    this.stop();
    this.set({ messages: [], running: false });
  }

  /** Says something and follows the answer to its end. */
  async say(text: string): Promise<void> {
    if (this.state.running) return;
    const messages: ChatMessage[] = [...this.state.messages, { role: 'user', text, tools: [], done: true }];
    const abort = new AbortController();
    this.abort = abort;
    let answer: ChatMessage = { role: 'assistant', text: '', tools: [], done: false };
    const show = (change: Partial<ChatMessage>) => {
      answer = { ...answer, ...change };
      // After "clear" the conversation is another one.
      if (this.abort === abort && !(abort.signal.aborted && this.state.messages.length === 0)) this.set({ messages: [...messages, answer], running: !answer.done });
    };
    show({});
    try {
      await this.follow(messages, abort.signal, (data) => show(addChunk(answer, data)));
      show({ done: true });
    } catch (error) {
      show({ done: true, problem: isAbort(error) ? 'Stopped here' : messageOf(error) });
    }
  }

  private async follow(messages: readonly ChatMessage[], signal: AbortSignal, onData: (data: string) => void): Promise<void> {
    const { caller } = this.state;
    const body = {
      model: this.agent,
      stream: true,
      stream_options: { include_usage: true },
      messages: messages.filter((m) => m.text).map((m) => ({ role: m.role, content: m.text })),
    };
    const parser = new SseParser();
    let status = 0;
    let rest = '';
    const frames = relayed(
      this.client,
      {
        id: crypto.randomUUID(),
        method: 'POST',
        path: `/${this.agent}/v1/chat/completions`,
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
    if (status !== 200) throw new Error(`${status}: ${errorText(parsed(rest))}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { message: text.slice(0, 300) };
  }
}
