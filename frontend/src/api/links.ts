/** Addresses inside the page: what stands behind the "#". */
export const links = {
  home: () => '/',
  /** A place that is not about one agent. */
  screen: (id: string) => (id === 'home' ? '/' : `/${id}`),
  /** Activity behind a filter. */
  activity: (query = '') => (query ? `/activity/${packed(query)}` : '/activity'),
  /** A part of Payments, the ledger behind a filter such as "invocation:…". */
  payments: (part = 'tokens', filter = '') => (filter ? `/payments/${part}/${packed(filter)}` : `/payments/${part}`),
  /** A page of the documentation. */
  docs: (name = '') => (name ? `/docs/${encodeURIComponent(name)}` : '/docs'),
  /** A tab of Client. */
  client: (agent: string, tab = 'http') => `${links.place(agent, 'client')}/${tab}`,
  place: (agent: string, screen: string) => `/a/${encodeURIComponent(agent)}/${screen}`,
  function: (agent: string, name: string) => `/a/${encodeURIComponent(agent)}/functions/${encodeURIComponent(name)}`,
  /** A function whose run panel holds the input of a past run. */
  replay: (agent: string, name: string, run: string) => `${links.function(agent, name)}/replay/${encodeURIComponent(run)}`,
  /** A function whose run panel holds a saved call. */
  call: (agent: string, name: string, call: string) => `${links.function(agent, name)}/call/${encodeURIComponent(call)}`,
  /** A function with the cursor at a place of its source. */
  line: (agent: string, name: string, line: number, column = 1) => `${links.function(agent, name)}/at/${line}/${column}`,
};

/** A text as one part of an address. The router undoes escapes once before anybody reads them. */
function packed(text: string): string {
  return encodeURIComponent(text).replaceAll('%25', '%2525');
}

/** The text that packed put into an address. */
export function unpacked(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
