import { t } from '../../i18n/t';

/** An amount of credits as money: $0.05, $1,000, $0.000000001, −$2.50. Nothing is rounded. */
export function money(amount: number | undefined): string {
  if (amount === undefined || !Number.isFinite(amount)) return '–';
  const text = Math.abs(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 9 });
  return `${amount < 0 ? '−' : ''}$${text}`;
}

/** An amount as a person would type it: never with an exponent, which small numbers have as texts. */
export function plain(amount: number): string {
  return amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 9 });
}

/** Reads what a person types for an amount: digits with at most nine decimals, more than nothing. */
export function readAmount(text: string): { amount: number } | { problem: string } {
  const clean = text.trim().replace(/^\$\s*/, '');
  if (clean === '') return { problem: t('How much?') };
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(clean)) return { problem: t('Dollars, with nine decimals at most, such as 0.05') };
  const amount = Number(clean);
  return amount > 0 ? { amount } : { problem: t('More than nothing') };
}

/** The end of an id: ids begin with the time, so those of one day begin alike. */
export function short(id: string): string {
  return id.slice(-8);
}

/** An account of the ledger in words. names gives an agent's username by its id. */
export function accountName(account: string, names: ReadonlyMap<string, string>): string {
  const [kind = '', id = ''] = account.split(':');
  switch (kind) {
    case 'agent':
      return names.get(id) ?? t('agent {id}', { id: short(id) });
    case 'token':
    case 'lock':
      return `${kind} ${short(id)}`;
    case 'fee':
      return t('platform fee');
    case 'outside':
      return 'outside';
    default:
      return account;
  }
}

const filterKeys = ['account', 'token', 'lock', 'invocation', 'agent', 'kind'] as const;
export type FilterKey = (typeof filterKeys)[number];
export type Filter = Partial<Record<FilterKey, string>>;

/** Reads "token:… kind:settle" into a filter; what is not known is left out. */
export function readFilter(text: string): Filter {
  const filter: Filter = {};
  for (const word of text.trim().split(/\s+/)) {
    const at = word.indexOf(':');
    const key = word.slice(0, at) as FilterKey;
    if (at > 0 && filterKeys.includes(key) && word.length > at + 1) filter[key] = word.slice(at + 1);
  }
  return filter;
}

export function filterText(filter: Filter): string {
  return filterKeys.flatMap((key) => (filter[key] ? [`${key}:${filter[key]}`] : [])).join(' ');
}
