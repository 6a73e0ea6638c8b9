import { t } from '../i18n/t';
import { readJson } from '../ui/exact';
import { errorTable, type Code, type ErrorBody, type Problem } from './contract.gen';

/**
 * ApiError is a refusal by the platform: it has a code of the contract's table,
 * a message for people and, where there are any, the problems found.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: Code,
    message: string,
    readonly problems: Problem[] = [],
    readonly details?: unknown,
    readonly retryAfterSec?: number,
  ) {
    super(message);
  }

  /** What the code means in general, from the contract's table. */
  get meaning(): string | undefined {
    return errorTable[this.code]?.meaning;
  }
}

/** Unreachable says that no answer came at all: stopped, or cut off on the way. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(cause: unknown) {
    super(t('Benchtop does not answer. Is it still running?'), { cause });
  }
}

/** Reads the refusal out of an answer that is not 2xx, whatever its body is. */
export async function errorFrom(res: Response): Promise<ApiError> {
  const retry = Number(res.headers.get('Retry-After') ?? '') || undefined;
  const text = await res.text().catch(() => '');
  const body = parseBody(text);
  if (body) {
    return new ApiError(res.status, body.error.code, body.error.message, body.errors ?? [], body.error.details, retry);
  }
  const said = text.trim().split('\n')[0]?.slice(0, 200);
  return new ApiError(res.status, codeFor(res.status), said || t('The platform answered {status}.', { status: res.status }), [], undefined, retry);
}

function parseBody(text: string): ErrorBody | undefined {
  try {
    const body = readJson(text) as Partial<ErrorBody> | null;
    if (typeof body?.error?.code === 'string' && typeof body.error.message === 'string') return body as ErrorBody;
  } catch {
    // Not JSON: a proxy in between, or something that is not Benchtop.
  }
  return undefined;
}

function codeFor(status: number): Code {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'NOT_FOUND';
  return status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST';
}

/** One sentence for people about any failure. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
