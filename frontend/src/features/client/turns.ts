import { t } from '../../i18n/t';
import { isObject } from '../../ui/schema/schema';
import { dueOf, type Due } from './payment';

/** A tool of the agent's own that was called in a turn. */
export interface ToolUse {
  id: string;
  name: string;
  args?: unknown;
  emitted: readonly unknown[];
  result?: unknown;
  done: boolean;
  failed?: boolean;
  invocation?: string;
}

/** What a turn took, in tokens. */
export interface Usage {
  input: number;
  output: number;
  total: number;
}

export interface ChatMessage {
  role: 'user' | 'assistant';
  text: string;
  /** What the model reasoned before it answered, where it says so. */
  thinking?: string;
  tools: readonly ToolUse[];
  usage?: Usage;
  /** Why the answer is not whole. */
  problem?: string;
  /** What it costs, where that is why. */
  due?: Due;
  /** Whether a payment token went along. */
  paid?: boolean;
  done: boolean;
}

/** Puts the data of one event of a stream of chat completions into the message that is being answered. */
export function addChunk(m: ChatMessage, data: string): ChatMessage {
  if (data === '[DONE]') return { ...m, done: true };
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    return { ...m, problem: t('A chunk is not JSON: {data}', { data: data.slice(0, 80) }) };
  }
  if (!isObject(chunk)) return m;
  if (chunk.error !== undefined) return { ...m, problem: errorText(chunk) };
  const next = { ...m };
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (isObject(choice) && isObject(choice.delta) && typeof choice.delta.content === 'string') next.text += choice.delta.content;
  if (isObject(choice) && isObject(choice.delta) && typeof choice.delta.reasoning_content === 'string') next.thinking = (m.thinking ?? '') + choice.delta.reasoning_content;
  if (isObject(choice) && typeof choice.finish_reason === 'string' && choice.finish_reason !== 'stop') next.problem = t('It ended because of {finish_reason}', { finish_reason: choice.finish_reason });
  if (isObject(chunk.usage)) next.usage = usageOf(chunk.usage);
  if (isObject(chunk.tool_progress)) next.tools = addProgress(m.tools, chunk.tool_progress);
  return next;
}

function addProgress(tools: readonly ToolUse[], p: Record<string, unknown>): readonly ToolUse[] {
  return changeTool(tools, p.call_id, p.tool, (tool) => {
    const next: ToolUse = { ...tool, ...run(p) };
    if (p.kind === 'call') next.args = p.payload;
    if (p.kind === 'emit') next.emitted = [...tool.emitted, p.payload];
    if (p.kind === 'result') Object.assign(next, { result: p.payload, done: true });
    return next;
  });
}

/** Puts an event of UAMP into the message that is being answered. */
export function addEvent(m: ChatMessage, e: Record<string, unknown>): ChatMessage {
  switch (e.type) {
    case 'response.delta':
      return isObject(e.delta) ? addDelta(m, e.delta) : m;
    case 'thinking':
      return typeof e.content === 'string' ? { ...m, thinking: e.is_delta === true ? (m.thinking ?? '') + e.content : e.content } : m;
    case 'usage.delta':
      return isObject(e.delta) ? { ...m, usage: usageOf(e.delta) } : m;
    case 'response.done': {
      const response = isObject(e.response) ? e.response : {};
      return { ...m, ...(isObject(response.usage) ? { usage: usageOf(response.usage) } : {}) };
    }
    case 'payment.required': {
      const due = dueOf(e);
      return due ? { ...m, due } : m;
    }
    case 'payment.accepted': {
      const { due: _, ...rest } = m;
      return rest;
    }
    case 'response.cancelled':
      return { ...m, problem: t('The answer was cancelled') };
    case 'response.error':
    case 'session.error':
      return { ...m, problem: errorText(e) };
    case 'tool.call':
      return { ...m, problem: t('The agent waits for {name}, a tool that is to run here: answer it in the UAMP tab', { name: String(e.name) }) };
  }
  return m;
}

function addDelta(m: ChatMessage, delta: Record<string, unknown>): ChatMessage {
  if (typeof delta.text === 'string') return { ...m, text: m.text + delta.text };
  const { tool_call: call, tool_progress: progress, tool_result: result } = delta;
  if (isObject(call)) {
    return { ...m, tools: changeTool(m.tools, call.id, call.name, (t) => (call.arguments ? { ...t, args: json(call.arguments) } : t)) };
  }
  if (isObject(progress)) {
    const said = { event: progress.event, payload: progress.payload };
    return { ...m, tools: changeTool(m.tools, progress.call_id, progress.name, (t) => ({ ...t, emitted: [...t.emitted, said] })) };
  }
  if (isObject(result)) {
    const tools = changeTool(m.tools, result.call_id, result.call_id, (t) => ({ ...t, ...run(result), result: json(result.result), done: true, ...(result.is_error === true ? { failed: true } : {}) }));
    return { ...m, tools };
  }
  return m;
}

/** Changes the last use of a call, or adds one. */
function changeTool(tools: readonly ToolUse[], call: unknown, name: unknown, change: (tool: ToolUse) => ToolUse): readonly ToolUse[] {
  const id = String(call);
  const at = tools.findLastIndex((t) => t.id === id);
  return at < 0 ? [...tools, change({ id, name: String(name), emitted: [], done: false })] : tools.with(at, change(tools[at]!));
}

const run = (of: Record<string, unknown>) => (typeof of.invocation_id === 'string' ? { invocation: of.invocation_id } : {});

/** Arguments and results travel as JSON in a text. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Both protocols count tokens and differ in the names. */
function usageOf(u: Record<string, unknown>): Usage {
  const n = (...names: string[]) => names.map((name) => u[name]).find((v): v is number => typeof v === 'number') ?? 0;
  return { input: n('prompt_tokens', 'input_tokens'), output: n('completion_tokens', 'output_tokens'), total: n('total_tokens') };
}

/** The words of an error in the form of this API, or of the platform's. */
export function errorText(body: unknown): string {
  if (!isObject(body)) return t('The answer is no error that can be read');
  const error = isObject(body.error) ? body.error : body;
  return String(error.message ?? body.message ?? body.error ?? t('It failed'));
}
