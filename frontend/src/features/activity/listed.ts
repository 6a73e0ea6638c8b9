import type { InvocationRow } from '../../api/contract.gen';

/** What a list shows of a row. The rest is asked for when one is opened: of a hundred thousand rows it is most of the memory. */
export type ListedRow = Pick<
  InvocationRow,
  'id' | 'agent_id' | 'function_name' | 'source_skill' | 'started_at' | 'status' | 'duration_ms' | 'host_calls' | 'error_code' | 'error_message' | 'authoring_action' | 'authoring_surface'
>;

/** How many different texts are kept once for all rows; more than that are hardly the same text again and again. */
const mostTexts = 2_000;

/** Gives rows for a list. Texts that many rows have, such as names and codes, are one text for all of them. */
export function lister(): (row: InvocationRow) => ListedRow {
  const texts = new Map<string, string>();
  const one = <T extends string | undefined>(text: T): T => {
    if (text === undefined) return text;
    const known = texts.get(text);
    if (known !== undefined) return known as T;
    if (texts.size < mostTexts) texts.set(text, text);
    return text;
  };
  return (row) => ({
    id: row.id,
    agent_id: one(row.agent_id),
    function_name: one(row.function_name),
    source_skill: one(row.source_skill),
    started_at: row.started_at,
    status: one(row.status),
    duration_ms: row.duration_ms,
    host_calls: row.host_calls,
    error_code: one(row.error_code),
    error_message: one(row.error_message),
    authoring_action: one(row.authoring_action),
    authoring_surface: one(row.authoring_surface),
  });
}
