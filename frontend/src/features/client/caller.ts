import type { ClientCaller } from '../../api/contract.gen';

/** A caller as the platform takes it: what was pasted without the space around it, and nothing that is empty. */
export function sentCaller({ kind, id, token, payment }: ClientCaller): ClientCaller {
  return { kind, ...(id ? { id } : {}), ...(token?.trim() ? { token: token.trim() } : {}), ...(payment?.trim() ? { payment: payment.trim() } : {}) };
}

/** A caller as it is remembered with what was sent: who, and no credential. */
export function namedCaller({ kind, id }: ClientCaller): ClientCaller {
  return id ? { kind, id } : { kind };
}

/** A remembered caller with the credentials that are in the fields now, where they are of the same one. */
export function withFields(remembered: ClientCaller, now: ClientCaller): ClientCaller {
  const same = remembered.kind === now.kind && remembered.id === now.id;
  return { ...namedCaller(remembered), ...(same && now.token !== undefined ? { token: now.token } : {}), ...(now.payment === undefined ? {} : { payment: now.payment }) };
}
