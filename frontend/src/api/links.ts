/** Addresses inside the page: what stands behind the "#". */
export const links = {
  home: () => '/',
  /** A place that is not about one agent. */
  screen: (id: string) => (id === 'home' ? '/' : `/${id}`),
  /** Activity behind a filter. */
  activity: (query = '') => (query ? `/activity/${packed(query)}` : '/activity'),
  /** The details of one run, over the place that was in view. */
  run: (id: string) => `/runs/${packed(id)}`,
  /** A part of Payments, the ledger behind a filter such as "invocation:…". */
  payments: (part = 'tokens', filter = '') => (filter ? `/payments/${part}/${packed(filter)}` : `/payments/${part}`),
  /** A part of Settings: the id of its heading. */
  settings: (section: string) => `/settings/${section}`,
  /** A page of the documentation. */
  docs: (name = '') => (name ? `/docs/${encodeURIComponent(name)}` : '/docs'),
  /** A tab of Client. */
  client: (agent: string, tab = 'http') => `${links.place(agent, 'client')}/${tab}`,
  /** A saved call of Client, in the tab that it belongs to. */
  clientCall: (agent: string, name: string) => `${links.place(agent, 'client')}/saved/${encodeURIComponent(name)}`,
  place: (agent: string, screen: string) => `/a/${encodeURIComponent(agent)}/${screen}`,
  /** A function, or a module of endpoints: the router undoes escapes once, so a path with slashes is escaped twice. */
  function: (agent: string, name: string) => `/a/${encodeURIComponent(agent)}/functions/${encodeURIComponent(encodeURIComponent(name))}`,
  /** A function whose run panel holds the input of a past run. */
  replay: (agent: string, name: string, run: string) => `${links.function(agent, name)}/replay/${encodeURIComponent(run)}`,
  /** A function whose run panel holds a saved call. */
  call: (agent: string, name: string, call: string) => `${links.function(agent, name)}/call/${encodeURIComponent(call)}`,
  /** A function whose text is compared with a version of it. */
  version: (agent: string, name: string, version: number) => `${links.function(agent, name)}/version/${version}`,
  /** A function with the cursor at a place of its source, or of its manifest. */
  line: (agent: string, name: string, line: number, column = 1, part: 'source' | 'manifest' = 'source') => `${links.function(agent, name)}/${part === 'source' ? 'at' : 'manifest'}/${line}/${column}`,
};

/** The function or module that an address of the workbench shows, from what is behind the place. */
export function functionIn(rest: string): string | undefined {
  const [name = ''] = rest.split('/');
  return name ? unpacked(name) : undefined;
}

/** The run whose details an address shows. */
export function runAt(path: string): string | undefined {
  const id = /^\/runs\/([^/?]+)\/?$/.exec(path)?.[1];
  return id && unpacked(id);
}

/** The id of a run in a text that somebody pasted: alone, or in an address. */
export function runIdIn(text: string): string | undefined {
  return /(?:^|[^0-9a-z])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i.exec(text.trim())?.[1]?.toLowerCase();
}

/** A text as one part of an address. The router undoes escapes once before anybody reads them. */
function packed(text: string): string {
  return encodeURIComponent(text).replaceAll('%25', '%2525');
}

/** The text that packed put into an address. One with broken escapes, which a person typed, stays as it is. */
export function unpacked(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
