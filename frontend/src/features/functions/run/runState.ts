import type { EmittedEvent, InvokeResult, LogLine } from '../../../api/contract.gen';
import { ApiError, messageOf } from '../../../api/errors';
import type { Caller } from './input';

/** Why nothing ran, or why the answer is not known. */
export interface Refusal {
  code?: string;
  message: string;
  details?: readonly string[];
}

/** A run as the panel shows it. */
export interface RunState {
  phase: 'idle' | 'running' | 'done' | 'refused';
  /** Told by the live stream once the run has begun. */
  invocationId?: string;
  startedAt?: number;
  cancelling?: boolean;
  events: readonly EmittedEvent[];
  logs: readonly LogLine[];
  result?: InvokeResult;
  replayed?: boolean;
  problem?: Refusal;
  /** The body that was sent. */
  sent?: string;
  /** The key the author gave, if any. */
  key?: string;
  /** Who it was sent as. */
  caller?: Caller;
  /** The moment at which its clock began, when that was not the real time. */
  clock?: string;
}

export const idle: RunState = { phase: 'idle', events: [], logs: [] };

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { message: messageOf(error) };
  return { code: error.code, message: error.message, details: error.problems.map((p) => (p.path ? `${p.path}: ${p.message}` : p.message)) };
}
