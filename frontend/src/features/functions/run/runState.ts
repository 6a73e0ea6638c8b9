import type { EmittedEvent, InvokeResult, LogLine } from '../../../api/contract.gen';
import type { Caller } from './input';

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
  /** Why nothing ran, or why the answer is not known. */
  problem?: { code?: string; message: string; details?: readonly string[] };
  /** The body that was sent. */
  sent?: string;
  /** The key the author gave, if any. */
  key?: string;
  /** Who it was sent as. */
  caller?: Caller;
}

export const idle: RunState = { phase: 'idle', events: [], logs: [] };
