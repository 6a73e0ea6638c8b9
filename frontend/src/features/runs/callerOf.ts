import type { InvocationRow } from '../../api/contract.gen';
import type { Caller } from '../../api/invoke';

/** Who a run is repeated as: whoever it was run as by hand, else the owner. */
export function callerOf(run: InvocationRow): Caller {
  if (run.source_skill !== 'manual' || run.caller_user_id === 'owner') return 'owner';
  return run.caller_user_id || run.caller_agent_id ? 'portal' : 'anonymous';
}
